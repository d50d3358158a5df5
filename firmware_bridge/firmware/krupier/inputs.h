// Keys, bet sensors and the cut-card switch: from samples to events. Knows no pins.
#pragma once
#include <stdint.h>

#include "debounce.h"
#include "protocol.h"
#include "ring.h"

namespace krupier {

constexpr uint8_t CHAIN_BYTES = 8;  // shift registers: one per box, one for the dealer

class Inputs {
  public:
    explicit Inputs(Ring &ring) : ring_(ring) {}

    // One sample of all inputs, 1 = pressed or present; called by the timer's interrupt every millisecond.
    void sample(const uint8_t *chain, bool cut_card, uint16_t fitted);

    // Puts what has changed into the ring.
    void report(uint64_t now_us);

    // Notices keys that stay down; call every 100 ms.
    void age(uint64_t now_us);

  private:
    // A key that is down; tenths 0 is a free place. Nobody has more than eight fingers on a table's keys.
    struct Held {
        uint8_t input;
        uint8_t tenths;
    };
    static constexpr uint8_t HELD = 8;

    Held *find(uint8_t input);
    uint8_t take(uint8_t index);
    void change(uint8_t input, bool on, uint64_t now_us);

    Ring &ring_;
    Debounce debounce_[LEVEL_BYTES];
    volatile uint8_t changed_[LEVEL_BYTES] = {};
    Held held_[HELD] = {};
};

}  // namespace krupier
