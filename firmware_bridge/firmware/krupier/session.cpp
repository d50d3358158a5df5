#include "session.h"

#include <string.h>

#include "quiet.h"

namespace krupier {
namespace {

constexpr uint32_t RESEND_AFTER_US = 150000;
constexpr uint32_t SILENT_AFTER_US = 2000000;

uint32_t get32(const uint8_t *from) {
    uint32_t value;
    memcpy(&value, from, 4);
    return value;
}

uint16_t get16(const uint8_t *from) {
    uint16_t value;
    memcpy(&value, from, 2);
    return value;
}

// Appends a value low byte first, as both the AVR and the computers we test on keep it.
template <typename Value>
void put(uint8_t *&to, const Value &value) {
    memcpy(to, &value, sizeof value);
    to += sizeof value;
}

void put_bytes(uint8_t *&to, const uint8_t *from, uint8_t length) {
    memcpy(to, from, length);
    to += length;
}

// Length of the body of a message to the board, tag included; 0 for a kind it does not know.
uint8_t length_of(uint8_t kind) {
    switch (kind) {
        case kind::HELLO_REQUEST: return 11;
        case kind::RESUME: return 21;
        case kind::ACK: return 17;
        case kind::RESEND: return 17;
        case kind::PING: return 17;
        case kind::OUTPUTS: return 20;
        case kind::SELF_TEST: return 13;
        case kind::PAIR: return 19;
        default: return 0;
    }
}

}  // namespace

void Session::receive(uint8_t byte, uint64_t now_us) {
    now_us_ = now_us;
    const Arrival arrival = reader_.take(byte);
    if (arrival == Arrival::Nothing) return;
    if (arrival == Arrival::Garbage || reader_.length() != length_of(reader_.body()[0]))
        count(bad_);
    else if (!dispatch(reader_.body(), reader_.length()))
        count(refused_);
}

void Session::tick(uint64_t now_us) {
    now_us_ = now_us;
    if (live_.valid && now_us_ - heard_us_ > SILENT_AFTER_US) end();
    if (pending_length() == 0) reply();
}

bool Session::dispatch(const uint8_t *body, uint8_t length) {
    switch (body[0]) {
        case kind::HELLO_REQUEST:
            hello_request(body);
            return true;
        case kind::PAIR:
            pair(body);
            return true;
        case kind::RESUME:
            if (candidate_.valid && is_genuine(candidate_.key, body, length)) return resume(body);
            break;
    }
    if (!is_genuine_now(body, length)) return false;
    obey(body);
    return true;
}

// Makes ready a candidate key; a running session goes on until a genuine RESUME for the candidate comes.
void Session::hello_request(const uint8_t *body) {
    if (body[1] > VERSION || body[2] < VERSION) {
        refusal_ = why::VERSION;
        return;
    }
    if (!candidate_.valid || memcmp(nonce_, body + 3, sizeof nonce_) != 0) {
        memcpy(nonce_, body + 3, sizeof nonce_);
        session_++;
        derive();
    }
    hello_due_ = true;
}

void Session::derive() {
    uint8_t context[1 + 8 + 8 + 4 + 2];
    uint8_t *to = context + 1;
    put_bytes(to, nonce_, sizeof nonce_);
    put_bytes(to, identity_.device, sizeof identity_.device);
    put(to, identity_.boot);
    put(to, session_);
    candidate_ = Side{};
    for (uint8_t half = 0; half < 2; half++) {
        context[0] = half;
        siphash(identity_.key, context, sizeof context, candidate_.key + 8 * half);
    }
    candidate_.valid = true;
}

void Session::pair(const uint8_t *body) {
    if (!identity_.jumper) {
        refusal_ = why::NO_JUMPER;
        return;
    }
    memcpy(identity_.key, body + 1, KEY_BYTES);
    identity_.fitted = get16(body + 1 + KEY_BYTES);
    identity_.paired = true;
    store_pairing(identity_.key, identity_.fitted);
    candidate_.valid = false;
    end();
    paired_due_ = true;
}

bool Session::resume(const uint8_t *body) {
    if (get32(body + 5) != ring_.number() || get32(body + 9) >= ring_.next()) return false;
    live_ = candidate_;
    live_.heard = get32(body + 1);
    candidate_.valid = false;
    sent_ = 0;
    revision_ = 0;  // another host may count its revisions from one again
    obey(body);
    return true;
}

bool Session::is_genuine_now(const uint8_t *body, uint8_t length) {
    if (!live_.valid || !is_genuine(live_.key, body, length)) return false;
    const uint32_t counter = get32(body + 1);
    if (counter <= live_.heard) return false;
    live_.heard = counter;
    return true;
}

void Session::obey(const uint8_t *body) {
    heard_us_ = now_us_;
    const uint8_t *fields = body + 5;  // behind kind and counter
    switch (body[0]) {
        case kind::RESUME:
            forget(get32(fields + 4));
            ping_ = 0;
            pong_due_ = true;
            break;
        case kind::ACK: forget(get32(fields)); break;
        case kind::RESEND: resend(get32(fields)); break;
        case kind::PING:
            ping_ = get32(fields);
            pong_due_ = true;
            break;
        case kind::OUTPUTS:
            revision_ = get16(fields);
            lamps_ = get32(fields + 2);
            buzzer_ = fields[6];
            break;
        case kind::SELF_TEST: {
            const uint8_t failed = failed_self_tests();
            Quiet quiet;
            ring_.append(event::SELF_TEST, 0, failed, now_us_);
            break;
        }
    }
}

void Session::forget(uint32_t cursor) {
    Quiet quiet;
    if (cursor >= ring_.next()) {
        count(refused_);
    } else if (cursor >= ring_.first()) {
        ring_.forget(cursor, now_us_);
        progress_us_ = now_us_;
    }
}

void Session::resend(uint32_t first) {
    if (first < ring_.first()) first = ring_.first();
    if (first - 1 < sent_) sent_ = first - 1;
}

void Session::end() {
    live_.valid = false;
    revision_ = 0;
    lamps_ = SAFE_LAMPS;
    buzzer_ = 0;
}

// The next frame, answers before events. Nothing is queued: a later ping replaces an unanswered one.
void Session::reply() {
    if (hello_due_) return say_hello();
    if (paired_due_) return say_paired();
    if (refusal_) return say_refused();
    if (!live_.valid) return;
    if (pong_due_) return say_pong();
    const uint32_t before = ring_.first() - 1;
    if (sent_ > before && now_us_ - progress_us_ > RESEND_AFTER_US) {
        sent_ = before;
        progress_us_ = now_us_;
    }
    if (sent_ < before) sent_ = before;
    if (sent_ + 1 < ring_.next()) say_events();
}

uint8_t *Session::start(uint8_t kind) {
    out_[1] = kind;
    return out_ + 2;
}

void Session::seal_and_wrap(const uint8_t *key, const uint8_t *end) {
    uint8_t length = static_cast<uint8_t>(end - out_ - 1);
    if (key) {
        siphash(key, out_ + 1, length, out_ + 1 + length);
        length = static_cast<uint8_t>(length + TAG_BYTES);
    }
    length_ = wrap(out_, length);
    written_ = 0;
}

void Session::say_hello() {
    hello_due_ = false;
    if (!candidate_.valid) return;
    uint8_t *to = start(kind::HELLO);
    put(to, VERSION);
    put(to, FIRMWARE_MAJOR);
    put(to, FIRMWARE_MINOR);
    put(to, identity_.fitted);
    put(to, static_cast<uint8_t>((identity_.paired ? flag::PAIRED : 0) | (identity_.jumper ? flag::JUMPER : 0)));
    put(to, identity_.reset_cause);
    put_bytes(to, identity_.device, sizeof identity_.device);
    put(to, identity_.boot);
    put(to, session_);
    put_bytes(to, nonce_, sizeof nonce_);
    {
        Quiet quiet;
        put(to, ring_.number());
        put(to, ring_.first());
        put(to, ring_.next());
        put(to, started_);
        put(to, ring_.lost());
    }
    put(to, now_us_);
    seal_and_wrap(candidate_.key, to);
}

void Session::say_events() {
    uint8_t *to = start(kind::EVENTS);
    put(to, ++live_.sent);
    put(to, sent_ + 1);
    if (sent_ == ring_.first() - 1) progress_us_ = now_us_;
    for (uint8_t n = 0; n < EVENTS_PER_FRAME; n++) {
        Quiet quiet;
        if (sent_ + 1 >= ring_.next()) break;
        put(to, ring_.at(++sent_));
    }
    seal_and_wrap(live_.key, to);
}

void Session::say_pong() {
    pong_due_ = false;
    uint8_t *to = start(kind::PONG);
    put(to, ++live_.sent);
    put(to, ping_);
    put(to, now_us_);
    put(to, revision_);
    {
        Quiet quiet;
        put(to, ring_.kept());
        put(to, ring_.next());
    }
    put(to, bad_);
    put(to, refused_);
    seal_and_wrap(live_.key, to);
}

void Session::say_paired() {
    paired_due_ = false;
    uint8_t *to = start(kind::PAIRED);
    put_bytes(to, identity_.device, sizeof identity_.device);
    put(to, identity_.fitted);
    seal_and_wrap(identity_.key, to);
}

void Session::say_refused() {
    uint8_t *to = start(kind::REFUSED);
    put(to, refusal_);
    put(to, VERSION);
    put(to, VERSION);
    refusal_ = 0;
    seal_and_wrap(nullptr, to);
}

}  // namespace krupier
