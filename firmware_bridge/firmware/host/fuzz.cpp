// libFuzzer: whatever arrives, the board's protocol code stays within its memory and its ring stays sound.
// The first byte of the input chooses whether what follows is sealed with a key of the running session.
#include <stdlib.h>
#include <string.h>

#include "ring.h"
#include "session.h"

using namespace krupier;

void krupier::store_pairing(const uint8_t *, uint16_t) {}
uint8_t krupier::failed_self_tests() { return 0; }

namespace {

constexpr uint8_t KEY[KEY_BYTES] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
constexpr uint8_t NONCE[8] = {9, 9, 9, 9, 9, 9, 9, 9};

struct Target {
    RingMemory memory{};
    Identity identity{};
    Ring ring{memory};
    Session session{identity, ring};
    uint8_t key[KEY_BYTES];
    uint32_t counter = 0;
    uint64_t now_us = 0;

    Target() {
        memcpy(identity.key, KEY, sizeof KEY);
        identity.paired = true;
        identity.boot = 1;
        ring.recover(1, true);
        session.begin();
        for (uint8_t i = 0; i < 10; i++) ring.append(event::BUTTON_DOWN, 17, i, now_us);
    }

    void send(const uint8_t *body, uint8_t length) {
        uint8_t wire[LONGEST_OUT + 4];
        memcpy(wire + 1, body, length);
        const uint8_t count = wrap(wire, length);
        for (uint8_t i = 0; i < count; i++) session.receive(wire[i], now_us);
        drain();
    }

    void drain() {
        session.tick(now_us);
        while (session.pending_length()) {
            session.wrote(session.pending_length());
            session.tick(now_us);
        }
    }

    // A body of the fuzzer's choice with the right counter and tag: what a genuine but mad host might say.
    void send_sealed(const uint8_t *data, uint8_t length) {
        uint8_t body[LONGEST_IN];
        if (length < 1 || length > LONGEST_IN - TAG_BYTES - 4) return;
        counter++;
        body[0] = data[0];
        memcpy(body + 1, &counter, 4);
        memcpy(body + 5, data + 1, length - 1u);
        siphash(key, body, static_cast<uint8_t>(length + 4), body + length + 4);
        send(body, static_cast<uint8_t>(length + 4 + TAG_BYTES));
    }

    void open_session() {
        uint8_t request[11] = {kind::HELLO_REQUEST, 1, 1};
        memcpy(request + 3, NONCE, sizeof NONCE);
        send(request, sizeof request);
        uint8_t context[23] = {};
        memcpy(context + 1, NONCE, 8);
        context[17] = 1;  // boot
        context[21] = 1;  // session
        for (uint8_t half = 0; half < 2; half++) {
            context[0] = half;
            siphash(KEY, context, sizeof context, key + 8 * half);
        }
        uint8_t resume[9] = {kind::RESUME, 1, 0, 0, 0, 0, 0, 0, 0};
        send_sealed(resume, sizeof resume);
    }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2 || size > 2000) return 0;
    Target target;
    if (data[0] & 1) target.open_session();
    size_t at = 1;
    while (at < size) {
        const uint8_t step = data[at++];
        const size_t length = step & 63u;
        const size_t have = size - at < length ? size - at : length;
        target.now_us += static_cast<uint64_t>(step >> 6) * 50000;
        if (data[0] & 1)
            target.send_sealed(data + at, static_cast<uint8_t>(have));
        else
            for (size_t i = 0; i < have; i++) target.session.receive(data[at + i], target.now_us);
        target.drain();
        at += have;
    }
    if (!target.ring.is_sound() || target.ring.kept() > RING) abort();
    return 0;
}
