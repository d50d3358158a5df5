#include "board.h"

#include <Arduino.h>

#include "quiet.h"

namespace krupier {
namespace board {
namespace {

// D2 D3 beams, D4 cut card, D5 pairing jumper, D6 buzzer, D7 load, D8 clock, D9 data of the 74HC165 chain,
// D10 data, D11 clock, D12 latch of the 74HC595 chain, A0 sound, A1 end of the 74HC595 chain.
constexpr uint8_t BEAM_PINS[] = {2, 3};
constexpr uint8_t CUT_CARD_PIN = 4, BUZZER_PIN = 6, SOUND_PIN = A0;
constexpr uint8_t LOAD = _BV(PD7);
constexpr uint8_t IN_CLOCK = _BV(PB0), IN_DATA = _BV(PB1);
constexpr uint8_t OUT_DATA = _BV(PB2), OUT_CLOCK = _BV(PB3), OUT_LATCH = _BV(PB4);
constexpr uint8_t OUT_END = _BV(PC1);

uint64_t base_us = 0;
uint32_t last_micros = 0;
uint32_t wraps = 0;

void shift_out(uint32_t lamps) {
    for (uint8_t bit = 0; bit < 32; bit++, lamps <<= 1) {
        if (lamps & 0x80000000)
            PORTB |= OUT_DATA;
        else
            PORTB &= static_cast<uint8_t>(~OUT_DATA);
        PORTB |= OUT_CLOCK;
        PORTB &= static_cast<uint8_t>(~OUT_CLOCK);
    }
}

bool sounds(uint8_t buzzer, uint16_t now) {
    switch (buzzer) {
        case 0: return false;
        case 2: return now & 0x200;
        case 3: return now & 0x80;
        default: return true;
    }
}

}  // namespace

void begin_pins() {
    for (const uint8_t pin : BEAM_PINS) pinMode(pin, INPUT_PULLUP);
    pinMode(CUT_CARD_PIN, INPUT_PULLUP);
    pinMode(BUZZER_PIN, OUTPUT);
    PORTD |= LOAD;
    DDRD |= LOAD;
    DDRB |= IN_CLOCK | OUT_DATA | OUT_CLOCK | OUT_LATCH;
    EICRA = _BV(ISC00) | _BV(ISC10);  // both edges of both beams
    EIFR = _BV(INTF0) | _BV(INTF1);
    EIMSK = _BV(INT0) | _BV(INT1);
}

// Timer 2 interrupts a thousand times a second, whatever the main loop is busy with.
void begin_sampling() {
    TCCR2A = _BV(WGM21);
    TCCR2B = _BV(CS22);  // 16 MHz / 64 / 250
    OCR2A = 249;
    TIMSK2 = _BV(OCIE2A);
}

void start_clock(uint64_t base) {
    Quiet quiet;
    base_us = base;
}

uint64_t now_us() {
    Quiet quiet;
    const uint32_t now = micros();
    if (now < last_micros) wraps++;
    last_micros = now;
    return base_us + (static_cast<uint64_t>(wraps) << 32 | now);
}

// Bit 7 of byte 0 is input D7 of the register nearest to the board. Contacts close to ground.
void read_chain(uint8_t *chain) {
    PORTD &= static_cast<uint8_t>(~LOAD);
    __builtin_avr_delay_cycles(4);
    PORTD |= LOAD;
    for (uint8_t index = 0; index < CHAIN_BYTES; index++) {
        uint8_t byte = 0;
        for (uint8_t bit = 0; bit < 8; bit++) {
            byte = static_cast<uint8_t>(byte << 1);
            if (!(PINB & IN_DATA)) byte |= 1;
            PORTB |= IN_CLOCK;
            PORTB &= static_cast<uint8_t>(~IN_CLOCK);
        }
        chain[index] = byte;
    }
}

bool cut_card() { return !(PIND & _BV(PD4)); }

bool jumper() {
    pinMode(5, INPUT_PULLUP);
    delayMicroseconds(50);
    return !(PIND & _BV(PD5));
}

bool beam_broken(uint8_t number) { return PIND & (number ? _BV(PD3) : _BV(PD2)); }

uint16_t sound_level() { return static_cast<uint16_t>(analogRead(SOUND_PIN)); }

void show(uint32_t lamps, uint8_t buzzer, uint16_t now) {
    shift_out(lamps);
    PORTB |= OUT_LATCH;
    PORTB &= static_cast<uint8_t>(~OUT_LATCH);
    digitalWrite(BUZZER_PIN, sounds(buzzer, now));
}

// Pushes a pattern through the chain without latching it and looks at what comes out behind.
bool lamp_chain_answers() {
    constexpr uint32_t PATTERN = 0xa5c33c5a;
    shift_out(PATTERN);
    uint32_t seen = 0;
    for (uint8_t bit = 0; bit < 32; bit++) {
        seen = seen << 1 | ((PINC & OUT_END) != 0);
        PORTB |= OUT_CLOCK;
        PORTB &= static_cast<uint8_t>(~OUT_CLOCK);
    }
    return seen == PATTERN;
}

}  // namespace board
}  // namespace krupier
