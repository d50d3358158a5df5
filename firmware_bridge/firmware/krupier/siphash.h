// SipHash-2-4 with a 64-bit tag, PROTOCOL.md section 3. Runs on the board and, for tests, on any computer.
#pragma once
#include <stdint.h>

namespace krupier {

constexpr uint8_t TAG_BYTES = 8;
constexpr uint8_t KEY_BYTES = 16;

// Writes the 8 bytes of the tag of data[0..length) under key[0..16).
void siphash(const uint8_t *key, const uint8_t *data, uint8_t length, uint8_t *tag);

// Whether data[0..length) ends in its own tag.
bool is_genuine(const uint8_t *key, const uint8_t *data, uint8_t length);

}  // namespace krupier
