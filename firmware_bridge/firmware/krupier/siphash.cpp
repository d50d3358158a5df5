#include "siphash.h"

#include <string.h>

// One SipRound over four 64-bit words, low byte first.
extern "C" void krupier_sip_round(uint8_t *state);

#ifndef __AVR__
namespace {

uint64_t word(const uint8_t *bytes) {
    uint64_t value = 0;
    for (int i = 7; i >= 0; i--) value = value << 8 | bytes[i];
    return value;
}

void put(uint8_t *bytes, uint64_t value) {
    for (int i = 0; i < 8; i++, value >>= 8) bytes[i] = static_cast<uint8_t>(value);
}

uint64_t left(uint64_t value, int bits) { return value << bits | value >> (64 - bits); }

}  // namespace

// The board has this in assembly, siphash_round.S: avr-gcc needs four times the cycles for 64-bit arithmetic.
extern "C" void krupier_sip_round(uint8_t *state) {
    uint64_t a = word(state), b = word(state + 8), c = word(state + 16), d = word(state + 24);
    a += b, b = left(b, 13) ^ a, a = left(a, 32);
    c += d, d = left(d, 16) ^ c;
    a += d, d = left(d, 21) ^ a;
    c += b, b = left(b, 17) ^ c, c = left(c, 32);
    put(state, a), put(state + 8, b), put(state + 16, c), put(state + 24, d);
}
#endif

namespace krupier {
namespace {

constexpr uint8_t START[32] = {
    0x75, 0x65, 0x73, 0x70, 0x65, 0x6d, 0x6f, 0x73, 0x6d, 0x6f, 0x64, 0x6e, 0x61, 0x72, 0x6f, 0x64,
    0x61, 0x72, 0x65, 0x6e, 0x65, 0x67, 0x79, 0x6c, 0x73, 0x65, 0x74, 0x79, 0x62, 0x64, 0x65, 0x74,
};

void mix(uint8_t *to, const uint8_t *from, uint8_t length) {
    while (length--) *to++ ^= *from++;
}

void absorb(uint8_t *state, const uint8_t *block) {
    mix(state + 24, block, 8);
    krupier_sip_round(state);
    krupier_sip_round(state);
    mix(state, block, 8);
}

}  // namespace

void siphash(const uint8_t *key, const uint8_t *data, uint8_t length, uint8_t *tag) {
    uint8_t state[32];
    memcpy(state, START, sizeof state);
    mix(state, key, KEY_BYTES);
    mix(state + 16, key, KEY_BYTES);
    const uint8_t whole = length & ~7;
    for (uint8_t at = 0; at < whole; at += 8) absorb(state, data + at);
    uint8_t last[8] = {0, 0, 0, 0, 0, 0, 0, length};
    memcpy(last, data + whole, length & 7);
    absorb(state, last);
    state[16] ^= 0xff;
    for (uint8_t i = 0; i < 4; i++) krupier_sip_round(state);
    memcpy(tag, state, TAG_BYTES);
    for (uint8_t at = 8; at < 32; at += 8) mix(tag, state + at, TAG_BYTES);
}

bool is_genuine(const uint8_t *key, const uint8_t *data, uint8_t length) {
    if (length <= TAG_BYTES) return false;
    uint8_t tag[TAG_BYTES];
    siphash(key, data, length - TAG_BYTES, tag);
    uint8_t difference = 0;  // no early exit: time must not tell how many bytes were right
    for (uint8_t i = 0; i < TAG_BYTES; i++) difference |= tag[i] ^ data[length - TAG_BYTES + i];
    return difference == 0;
}

}  // namespace krupier
