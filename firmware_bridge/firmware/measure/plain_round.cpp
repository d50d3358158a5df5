// One SipRound as the compiler makes it, to compare with siphash_round.S.
#include <stdint.h>
#include <string.h>

static uint64_t left(uint64_t value, uint8_t bits) { return value << bits | value >> (64 - bits); }

extern "C" void plain_sip_round(uint8_t *state) {
    uint64_t v[4];
    memcpy(v, state, sizeof v);
    v[0] += v[1], v[1] = left(v[1], 13) ^ v[0], v[0] = left(v[0], 32);
    v[2] += v[3], v[3] = left(v[3], 16) ^ v[2];
    v[0] += v[3], v[3] = left(v[3], 21) ^ v[0];
    v[2] += v[1], v[1] = left(v[1], 17) ^ v[2], v[2] = left(v[2], 32);
    memcpy(state, v, sizeof v);
}
