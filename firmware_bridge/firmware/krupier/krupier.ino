// Krupier's board: shoe, keys, sensors and lamps of a card table. PROTOCOL.md says what it speaks, docs/hardware.md
// how it is wired. No heap, no String; everything that must survive a reset lies in `memory`.
#include <avr/wdt.h>

#include "beam.h"
#include "board.h"
#include "eeprom.h"
#include "inputs.h"
#include "quiet.h"
#include "ring.h"
#include "session.h"

using namespace krupier;

static RingMemory memory __attribute__((section(".noinit")));
static uint8_t reset_cause __attribute__((section(".noinit")));
static Identity identity;
static Ring ring(memory);
static Session session(identity, ring);
static Inputs inputs(ring);
static Beam beams[] = {Beam(ring, 0), Beam(ring, 1)};
static bool boot_counted;

// Before anything else: the watchdog stays armed through the reset it caused, and the cause must be read before it is
// cleared. A bootloader that has cleared it already passes it on in r2 (Optiboot 4.6 and later).
extern "C" void note_reset_cause() __attribute__((naked, used, section(".init3")));
extern "C" void note_reset_cause() {
    __asm__ volatile(
        "in r24, %[mcusr]\n"
        "tst r24\n"
        "brne 1f\n"
        "mov r24, r2\n"
        "1: sts %[cause], r24\n"
        "out %[mcusr], r1\n" ::[mcusr] "I"(_SFR_IO_ADDR(MCUSR)),
        [cause] "i"(&reset_cause)
        : "r24");
    wdt_disable();
}

static bool has(uint16_t what) { return identity.fitted & what; }

static void beam_edge(uint8_t number) {
    if (has(number ? fitted::SECOND_BEAM : fitted::SHOE)) beams[number].edge(board::beam_broken(number), board::now_us());
    GPIOR0 = number;  // a mark for the simulator: the edge is in the ring
}

ISR(INT0_vect) { beam_edge(0); }
ISR(INT1_vect) { beam_edge(1); }

// Beams and the line may interrupt it: it only looks and counts.
ISR(TIMER2_COMPA_vect, ISR_NOBLOCK) {
    uint8_t chain[CHAIN_BYTES];
    board::read_chain(chain);
    inputs.sample(chain, board::cut_card(), identity.fitted);
}

uint8_t krupier::failed_self_tests() {
    uint8_t failed = 0;
    if (!ring.is_sound()) failed |= 1;
    if (!boot_counted || !eeprom::holds_boot(identity.boot)) failed |= 2;
    if (has(fitted::LAMPS) && !board::lamp_chain_answers()) failed |= 4;
    return failed;
}

void krupier::store_pairing(const uint8_t *key, uint16_t what) { eeprom::store_pairing(key, what); }

static void note_sound(uint64_t now_us) {
    constexpr uint16_t LOUD = 700;
    constexpr uint8_t CALM_SAMPLES = 200;  // a second at one every 5 ms
    static uint8_t calm = 0;  // noise that lasts through a reset is not reported twice
    const uint16_t level = board::sound_level();
    if (level < LOUD) {
        if (calm < CALM_SAMPLES) calm++;
        return;
    }
    if (calm == CALM_SAMPLES) {
        Quiet quiet;
        ring.append(event::SOUND, 0, level, now_us);
    }
    calm = 0;
}

static void every_millisecond(uint64_t now_us, uint16_t now_ms) {
    inputs.report(now_us);
    if (now_ms % 4 == 0) {
        for (uint8_t number = 0; number < 2; number++) {
            if (!has(number ? fitted::SECOND_BEAM : fitted::SHOE)) continue;
            Quiet quiet;
            beams[number].rest(board::beam_broken(number), board::now_us());
        }
    }
    if (now_ms % 5 == 0 && has(fitted::SOUND)) note_sound(now_us);
    if (now_ms % 10 == 0) board::show(session.lamps(), session.buzzer(), now_ms);
    if (now_ms % 100 == 0) inputs.age(now_us);
}

static void serve_line() {
    while (Serial.available()) session.receive(static_cast<uint8_t>(Serial.read()), board::now_us());
    session.tick(board::now_us());
    int room = Serial.availableForWrite();
    while (room-- > 0 && session.pending_length()) {
        Serial.write(*session.pending());
        session.wrote(1);
    }
}

void setup() {
    identity.reset_cause = reset_cause & 0x0f;
    identity.jumper = board::jumper();
    eeprom::load(identity);
    boot_counted = eeprom::count_boot(identity.boot);
    ring.recover(identity.boot, identity.reset_cause & cause::POWER_ON);
    board::start_clock(ring.newest_us());
    session.begin();
    ring.append(event::BOOTED, identity.reset_cause, identity.boot, board::now_us());
    if (!boot_counted) ring.append(event::FAULT, fault::EEPROM_WORN, 0, board::now_us());
    for (Beam &beam : beams) beam.begin(board::now_us());
    board::begin_pins();
    board::begin_sampling();
    Serial.begin(115200);
    wdt_enable(WDTO_500MS);
}

void loop() {
    static uint16_t last_ms = 0;
    wdt_reset();
    serve_line();
    const uint16_t now_ms = static_cast<uint16_t>(millis());
    while (last_ms != now_ms) every_millisecond(board::now_us(), ++last_ms);  // none left out after a long frame
}
