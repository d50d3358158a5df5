// The board's end of a session, PROTOCOL.md section 7. Knows no pins: time and bytes come in as arguments.
#pragma once
#include <stdint.h>

#include "frame.h"
#include "protocol.h"
#include "ring.h"
#include "siphash.h"

namespace krupier {

struct Identity {
    uint8_t device[8];
    uint8_t key[KEY_BYTES];  // zeros while unpaired
    uint16_t fitted;
    uint32_t boot;
    uint8_t reset_cause;
    bool paired;
    bool jumper;
};

// What the session asks of the board it runs on; board.cpp on the chip, a test program on a computer.
void store_pairing(const uint8_t *key, uint16_t fitted);
uint8_t failed_self_tests();

class Session {
  public:
    Session(Identity &identity, Ring &ring) : identity_(identity), ring_(ring) {}

    // After Ring::recover: numbers from here on belong to this boot.
    void begin() { started_ = ring_.next(); }

    void receive(uint8_t byte, uint64_t now_us);
    void tick(uint64_t now_us);

    // Bytes waiting to be written, and how many of them were.
    const uint8_t *pending() const { return out_ + written_; }
    uint8_t pending_length() const { return static_cast<uint8_t>(length_ - written_); }
    void wrote(uint8_t count) { written_ = static_cast<uint8_t>(written_ + count); }

    uint32_t lamps() const { return is_safe() ? SAFE_LAMPS : lamps_; }
    uint8_t buzzer() const { return is_safe() ? 0 : buzzer_; }

  private:
    struct Side {
        uint8_t key[KEY_BYTES];
        uint32_t heard;
        uint32_t sent;
        bool valid;
    };

    bool is_safe() const { return !live_.valid || ring_.is_full(); }
    bool dispatch(const uint8_t *body, uint8_t length);
    void hello_request(const uint8_t *body);
    void derive();
    void pair(const uint8_t *body);
    bool resume(const uint8_t *body);
    bool is_genuine_now(const uint8_t *body, uint8_t length);
    void obey(const uint8_t *body);
    void forget(uint32_t cursor);
    void resend(uint32_t first);
    void end();
    void reply();
    void say_hello();
    void say_events();
    void say_pong();
    void say_paired();
    void say_refused();
    uint8_t *start(uint8_t kind);
    void seal_and_wrap(const uint8_t *key, const uint8_t *end);
    static void count(uint16_t &counter) { if (counter != 0xffff) counter++; }

    Identity &identity_;
    Ring &ring_;
    FrameReader reader_;
    uint8_t out_[LONGEST_OUT + 4];
    uint8_t length_ = 0, written_ = 0;
    uint8_t nonce_[8] = {};
    uint16_t session_ = 0;
    Side candidate_ = {}, live_ = {};
    uint64_t now_us_ = 0, heard_us_ = 0, progress_us_ = 0;
    uint32_t started_ = 1, sent_ = 0, ping_ = 0;
    uint32_t lamps_ = SAFE_LAMPS;
    uint16_t revision_ = 0, bad_ = 0, refused_ = 0;
    uint8_t buzzer_ = 0;
    uint8_t refusal_ = 0;
    bool hello_due_ = false, pong_due_ = false, paired_due_ = false;
};

}  // namespace krupier
