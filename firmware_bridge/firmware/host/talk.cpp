// The board's protocol code on an ordinary computer, driven by lines of text: how tests ask the C++ side.
//
//   wrap HEX            the wire form of a body
//   unwrap HEX          the body in wire bytes, or "garbage"
//   tag KEY HEX         the tag of some bytes
//   board DEVICE KEY|- FITTED BOOT CAUSE JUMPER      a board that has just got power
//   reset BOOT CAUSE                                 the same board after a reset
//   at US               time since boot
//   note KIND ARG VALUE an event happens
//   hear HEX|-          bytes arrive; answers with everything the board then says
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <memory>

#include "frame.h"
#include "ring.h"
#include "session.h"
#include "siphash.h"

using namespace krupier;

void krupier::store_pairing(const uint8_t *, uint16_t) {}
uint8_t krupier::failed_self_tests() { return 0; }

namespace {

size_t parse(const char *text, uint8_t *bytes, size_t room) {
    size_t length = 0;
    unsigned value;
    while (length < room && sscanf(text + 2 * length, "%2x", &value) == 1) bytes[length++] = static_cast<uint8_t>(value);
    return length;
}

void print(const uint8_t *bytes, size_t length) {
    while (length--) printf("%02x", *bytes++);
}

struct Bench {
    RingMemory memory;
    Identity identity;
    Ring ring{memory};
    std::unique_ptr<Session> session;
    uint64_t base_us = 0, now_us = 0;

    void power() {
        memset(&memory, 0xc5, sizeof memory);
        start();
    }
    void start() {
        ring.recover(identity.boot, identity.reset_cause & cause::POWER_ON);
        base_us = ring.newest_us();
        now_us = base_us;
        session.reset(new Session(identity, ring));
        session->begin();
        ring.append(event::BOOTED, identity.reset_cause, identity.boot, now_us);
    }
    void hear(const uint8_t *bytes, size_t length) {
        for (size_t i = 0; i < length; i++) session->receive(bytes[i], now_us);
        for (session->tick(now_us); session->pending_length(); session->tick(now_us)) {
            print(session->pending(), session->pending_length());
            session->wrote(session->pending_length());
        }
    }
};

bool frame_command(const char *line) {
    char key[64], text[600];
    uint8_t bytes[300], secret[KEY_BYTES] = {}, tag[TAG_BYTES];
    if (sscanf(line, "wrap %599s", text) == 1) {
        const size_t length = parse(text, bytes + 1, LONGEST_OUT);
        print(bytes, wrap(bytes, static_cast<uint8_t>(length)));
    } else if (sscanf(line, "unwrap %599s", text) == 1) {
        FrameReader reader;
        const size_t length = parse(text, bytes, sizeof bytes);
        Arrival arrival = Arrival::Nothing;
        for (size_t i = 0; i < length; i++) arrival = reader.take(bytes[i]);
        if (arrival == Arrival::Frame) print(reader.body(), reader.length());
        else printf("garbage");
    } else if (sscanf(line, "tag %63s %599s", key, text) == 2) {
        parse(key, secret, sizeof secret);
        siphash(secret, bytes, static_cast<uint8_t>(parse(text, bytes, 255)), tag);
        print(tag, sizeof tag);
    } else {
        return false;
    }
    return true;
}

void board_command(Bench &bench, const char *line) {
    char device[32], key[64], text[600];
    unsigned fitted, boot, cause, jumper, kind, arg, value;
    unsigned long long us;
    uint8_t bytes[300];
    if (sscanf(line, "board %31s %63s %u %u %u %u", device, key, &fitted, &boot, &cause, &jumper) == 6) {
        bench.identity = Identity{};
        parse(device, bench.identity.device, sizeof bench.identity.device);
        bench.identity.paired = parse(key, bench.identity.key, KEY_BYTES) == KEY_BYTES;
        bench.identity.fitted = static_cast<uint16_t>(fitted);
        bench.identity.boot = boot;
        bench.identity.reset_cause = static_cast<uint8_t>(cause);
        bench.identity.jumper = jumper;
        bench.power();
    } else if (sscanf(line, "reset %u %u", &boot, &cause) == 2) {
        bench.identity.boot = boot;
        bench.identity.reset_cause = static_cast<uint8_t>(cause);
        bench.start();
    } else if (sscanf(line, "at %llu", &us) == 1) {
        bench.now_us = bench.base_us + us;
    } else if (sscanf(line, "note %u %u %u", &kind, &arg, &value) == 3) {
        bench.ring.append(static_cast<uint8_t>(kind), static_cast<uint8_t>(arg), value, bench.now_us);
    } else if (sscanf(line, "hear %599s", text) == 1) {
        bench.hear(bytes, parse(text, bytes, sizeof bytes));
    } else {
        printf("unknown command");
    }
}

}  // namespace

int main() {
    Bench bench;
    char line[700];
    while (fgets(line, sizeof line, stdin)) {
        if (!frame_command(line)) board_command(bench, line);
        putchar('\n');
        fflush(stdout);
    }
}
