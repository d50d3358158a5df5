// The ATmega328P's pins, shift registers and clock. Wiring: docs/hardware.md.
#pragma once
#include <stdint.h>

#include "inputs.h"

namespace krupier {
namespace board {

void begin_pins();
void begin_sampling();

// Microseconds, never wrapping; they go on from `base_us` instead of 0.
void start_clock(uint64_t base_us);
uint64_t now_us();

void read_chain(uint8_t *chain);
bool cut_card();
bool jumper();
bool beam_broken(uint8_t number);
uint16_t sound_level();

void show(uint32_t lamps, uint8_t buzzer, uint16_t now_ms);
bool lamp_chain_answers();

}  // namespace board
}  // namespace krupier
