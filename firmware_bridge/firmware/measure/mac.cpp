// How many cycles a tag costs on the chip: SipHash-2-4 as the firmware has it, the same in plain C++, and Chaskey-12 in
// plain C++. GPIOR1 marks the stretches for the simulator: n starts one, 0 ends it. Chaskey is here for its cycles only.
#include <avr/io.h>
#include <avr/sleep.h>
#include <string.h>

#include "siphash.h"

extern "C" void plain_sip_round(uint8_t *state);

namespace {

uint8_t key[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
uint8_t data[96];
uint8_t tag[16];
constexpr uint8_t SIZES[] = {9, 23, 31, 81};  // an ACK, a key, an event, six events

void plain_siphash(uint8_t length) {
    uint8_t state[32];
    memcpy(state, key, 16);
    memcpy(state + 16, key, 16);
    for (uint8_t block = 0; block <= length / 8; block++) {
        for (uint8_t i = 0; i < 8; i++) state[24 + i] ^= data[block * 8 + i];
        plain_sip_round(state);
        plain_sip_round(state);
        for (uint8_t i = 0; i < 8; i++) state[i] ^= data[block * 8 + i];
    }
    for (uint8_t i = 0; i < 4; i++) plain_sip_round(state);
    memcpy(tag, state, 8);
}

uint32_t left(uint32_t value, uint8_t bits) { return value << bits | value >> (32 - bits); }

void chaskey(uint8_t length) {
    uint32_t v[4];
    memcpy(v, key, 16);
    for (uint8_t block = 0; block < (length + 15) / 16; block++) {
        uint32_t m[4];
        memcpy(m, data + block * 16, 16);
        for (uint8_t i = 0; i < 4; i++) v[i] ^= m[i];
        for (uint8_t i = 0; i < 12; i++) {
            v[0] += v[1], v[1] = left(v[1], 5) ^ v[0], v[0] = left(v[0], 16);
            v[2] += v[3], v[3] = left(v[3], 8) ^ v[2];
            v[0] += v[3], v[3] = left(v[3], 13) ^ v[0];
            v[2] += v[1], v[1] = left(v[1], 7) ^ v[2], v[2] = left(v[2], 16);
        }
    }
    memcpy(tag, v, 16);
}

template <typename Mac>
void measure(Mac mac) {
    for (const uint8_t size : SIZES) {
        GPIOR1 = size;
        mac(size);
        GPIOR1 = 0;
    }
}

}  // namespace

int main() {
    measure([](uint8_t size) { krupier::siphash(key, data, size, tag); });
    measure(plain_siphash);
    measure(chaskey);
    for (;;) __asm__ volatile("nop");
}
