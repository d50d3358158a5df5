#include "beam.h"

namespace krupier {
namespace {

constexpr uint32_t BLOCKED_US = 2000000;
constexpr uint32_t MOST = 0xffffffff;
constexpr uint8_t ENOUGH = 8;  // budget at which a noisy beam is believed again

}  // namespace

void Beam::edge(bool broken, uint64_t now_us) {
    if (budget_ == 0 || unreported_) {
        if (unreported_ != 0xffff) unreported_++;
        return;
    }
    if (broken == ring_.level(static_cast<uint8_t>(BEAM_INPUT + number_))) return;  // shorter than the interrupt took
    budget_--;
    report(broken, now_us);
}

void Beam::rest(bool broken, uint64_t now_us) {
    if (budget_ < BUDGET) budget_++;
    const bool reported = ring_.level(static_cast<uint8_t>(BEAM_INPUT + number_));
    if (unreported_ && budget_ >= ENOUGH) {
        ring_.append(event::FAULT, fault::BEAM_NOISY, unreported_, now_us);
        unreported_ = 0;
        known_ = false;
    }
    if (!unreported_ && broken != reported) {
        report(broken, now_us);
    } else if (reported && !blocked_ && now_us - since_us_ > BLOCKED_US) {
        ring_.append(event::FAULT, fault::BEAM_BLOCKED, number_, now_us);
        blocked_ = true;
    }
}

void Beam::report(bool broken, uint64_t now_us) {
    const uint64_t lasted = known_ ? now_us - since_us_ : MOST;
    const uint32_t value = lasted > MOST ? MOST : static_cast<uint32_t>(lasted);
    const uint8_t kind = broken ? event::BEAM_BROKEN : event::BEAM_CLEARED;
    ring_.append_change(static_cast<uint8_t>(BEAM_INPUT + number_), kind, number_, value, now_us);
    since_us_ = now_us;
    known_ = true;
    blocked_ = false;
}

}  // namespace krupier
