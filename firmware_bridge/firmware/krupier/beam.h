// The beams at the shoe's mouth: every edge with the time since the edge before. Knows no pins.
#pragma once
#include <stdint.h>

#include "protocol.h"
#include "ring.h"

namespace krupier {

class Beam {
  public:
    Beam(Ring &ring, uint8_t number) : ring_(ring), number_(number) {}

    // The clock starts; how long the present level has lasted is not known.
    void begin(uint64_t now_us) { since_us_ = now_us; }

    // The level now; called by the interrupt at each edge, with interrupts off.
    void edge(bool broken, uint64_t now_us);

    // Refills the budget and tells of noise; call every 4 ms, with interrupts off.
    void rest(bool broken, uint64_t now_us);

  private:
    void report(bool broken, uint64_t now_us);

    Ring &ring_;
    const uint8_t number_;
    uint64_t since_us_ = 0;
    uint16_t unreported_ = 0;
    uint8_t budget_ = BUDGET;
    bool known_ = false;  // whether since_us_ is the time of an edge
    bool blocked_ = false;

    static constexpr uint8_t BUDGET = 32;
};

}  // namespace krupier
