#include "inputs.h"

#include "quiet.h"

namespace krupier {
namespace {

constexpr uint8_t STUCK_TENTHS = 102;  // counted from up to two tenths early
constexpr uint8_t NOBODY = 0xff;
constexpr uint8_t SENSOR_BIT = 0x80;
constexpr uint8_t CUT_CARD_BIT = 1 << (CUT_CARD_INPUT & 7);

// The inputs of shift register `index` that are wired.
uint8_t wired(uint8_t index, uint16_t fitted) {
    uint8_t mask = 0;
    if (index < BOXES) {
        if (fitted & fitted::BUTTONS) mask |= static_cast<uint8_t>(~SENSOR_BIT);
        if (fitted & fitted::BET_SENSORS) mask |= SENSOR_BIT;
    } else {
        if (fitted & fitted::DEALER_KEYS) mask |= 0x7f;
        if (fitted & fitted::BURN_KEY) mask |= 0x80;
    }
    return mask;
}

bool is_bet_sensor(uint8_t input) { return input < DEALER_INPUTS && (input & 7) == 7; }

}  // namespace

void Inputs::sample(const uint8_t *chain, bool cut_card, uint16_t fitted) {
    for (uint8_t index = 0; index < CHAIN_BYTES; index++) {
        const uint8_t mask = wired(index, fitted);
        changed_[index] |= debounce_[index].changes(chain[index] & mask, ring_.levels(index) & mask);
    }
    if (!(fitted & fitted::CUT_CARD)) return;
    const uint8_t level = ring_.levels(CHAIN_BYTES) & CUT_CARD_BIT;
    changed_[CHAIN_BYTES] |= debounce_[CHAIN_BYTES].changes(cut_card ? CUT_CARD_BIT : 0, level);
}

uint8_t Inputs::take(uint8_t index) {
    Quiet quiet;
    const uint8_t changed = changed_[index];
    changed_[index] = 0;
    return changed;
}

void Inputs::report(uint64_t now_us) {
    for (uint8_t index = 0; index < LEVEL_BYTES; index++) {
        uint8_t changed = take(index);
        for (uint8_t bit = 0; changed; bit++, changed >>= 1) {
            if (!(changed & 1)) continue;
            Quiet quiet;  // for one event only: the line must not wait for eight
            const uint8_t input = static_cast<uint8_t>(index * 8 + bit);
            change(input, !ring_.level(input), now_us);
        }
    }
}

// With interrupts off.
void Inputs::change(uint8_t input, bool on, uint64_t now_us) {
    if (Held *held = find(input)) held->tenths = 0;
    if (input == CUT_CARD_INPUT) {
        ring_.append_change(input, event::CUT_CARD, 0, on, now_us);
    } else if (is_bet_sensor(input)) {
        ring_.append_change(input, event::BET_SENSOR, static_cast<uint8_t>(input / 8 + 1), on, now_us);
    } else if (input < DEALER_INPUTS) {
        const uint8_t arg = static_cast<uint8_t>((input / 8 + 1) << 4 | ((input & 7) + 1));
        ring_.append_change(input, on ? event::BUTTON_DOWN : event::BUTTON_UP, arg, 0, now_us);
    } else if (input != BURN_INPUT) {
        const uint8_t arg = static_cast<uint8_t>(input - DEALER_INPUTS + 1);
        ring_.append_change(input, on ? event::KEY_DOWN : event::KEY_UP, arg, 0, now_us);
    } else if (on) {
        ring_.append_change(input, event::MANUAL_BURN, 0, 0, now_us);
    } else {
        ring_.set_level(input, false);
    }
}

void Inputs::age(uint64_t now_us) {
    for (uint8_t input = 0; input < CHAIN_BYTES * 8; input++) {
        if (is_bet_sensor(input) || !ring_.level(input) || find(input)) continue;
        Held *free = find(NOBODY);
        if (!free) return;
        *free = Held{input, 1};
    }
    for (Held &held : held_) {
        if (held.tenths == 0 || held.tenths == 0xff || ++held.tenths != STUCK_TENTHS) continue;
        Quiet quiet;
        ring_.append(event::FAULT, fault::INPUT_STUCK, held.input, now_us);
    }
}

// The place of a key that is down, or with NOBODY a free place.
Inputs::Held *Inputs::find(uint8_t input) {
    for (Held &held : held_)
        if (input == NOBODY ? held.tenths == 0 : held.tenths != 0 && held.input == input) return &held;
    return nullptr;
}

}  // namespace krupier
