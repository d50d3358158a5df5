#include "ring.h"

#include <string.h>

#include "frame.h"
#include "quiet.h"

namespace krupier {
namespace {

constexpr uint8_t LEDGER_BODY = sizeof(Ledger) - sizeof(uint16_t);

const uint8_t *bytes(const void *object) { return static_cast<const uint8_t *>(object); }

bool is_whole(const Ledger &ledger) {
    return ledger.kept <= RING && ledger.crc == crc16(CRC_SEED, bytes(&ledger), LEDGER_BODY);
}

}  // namespace

bool Ring::recover(uint32_t boot, bool cold) {
    const Ledger &a = memory_.ledgers[0];
    const Ledger &b = memory_.ledgers[1];
    const bool b_is_newer = static_cast<int8_t>(b.turn - a.turn) > 0;
    if (!cold && (b_is_newer ? adopt(b) || adopt(a) : adopt(a) || adopt(b))) {
        mend();
        return true;
    }
    now_ = Ledger{};
    now_.number = boot;
    now_.first = 1;
    commit();
    return false;
}

bool Ring::adopt(const Ledger &ledger) {
    if (!is_whole(ledger)) return false;
    now_ = ledger;
    return true;
}

// A record that did not survive keeps its number and says so.
void Ring::mend() {
    for (uint32_t seq = first(); seq != next(); seq++) {
        if (memory_.crcs[seq % RING] == crc_of(seq)) continue;
        Record &record = memory_.records[seq % RING];
        record.kind = event::FAULT;
        record.arg = fault::RECORD_DAMAGED;
        memcpy(record.at, at(next() - 1).at, sizeof record.at);
        record.value = seq;
        memory_.crcs[seq % RING] = crc_of(seq);
    }
}

bool Ring::is_sound() const {
    for (uint32_t seq = first();; seq++) {
        Quiet quiet;  // for one record only
        if (seq >= next()) return true;
        if (memory_.crcs[seq % RING] != crc_of(seq)) return false;
    }
}

uint64_t Ring::newest_us() const {
    uint64_t value = 0;
    if (next() > 1) memcpy(&value, at(next() - 1).at, sizeof at(0).at);
    return value;
}

void Ring::append(uint8_t kind, uint8_t arg, uint32_t value, uint64_t now_us) {
    tell_losses(2, now_us);
    if (now_.lost == 0 && !is_full())
        keep(kind, arg, value, now_us);
    else if (now_.lost != 0xffff)
        now_.lost++;
    commit();
}

void Ring::append_change(uint8_t input, uint8_t kind, uint8_t arg, uint32_t value, uint64_t now_us) {
    now_.levels[input >> 3] ^= static_cast<uint8_t>(1 << (input & 7));
    append(kind, arg, value, now_us);
}

void Ring::set_level(uint8_t input, bool on) {
    const uint8_t bit = static_cast<uint8_t>(1 << (input & 7));
    now_.levels[input >> 3] = static_cast<uint8_t>(on ? now_.levels[input >> 3] | bit : now_.levels[input >> 3] & ~bit);
    commit();
}

void Ring::forget(uint32_t upto, uint64_t now_us) {
    if (upto < now_.first || upto >= next()) return;
    now_.kept = static_cast<uint8_t>(next() - upto - 1);
    now_.first = upto + 1;
    tell_losses(1, now_us);
    commit();
}

void Ring::tell_losses(uint8_t room, uint64_t now_us) {
    if (now_.lost == 0 || now_.kept + room > RING) return;
    keep(event::FAULT, fault::EVENTS_LOST, now_.lost, now_us);
    now_.lost = 0;
}

void Ring::keep(uint8_t kind, uint8_t arg, uint32_t value, uint64_t now_us) {
    const uint32_t seq = next();
    Record &record = memory_.records[seq % RING];
    record.kind = kind;
    record.arg = arg;
    memcpy(record.at, &now_us, sizeof record.at);
    record.value = value;
    memory_.crcs[seq % RING] = crc_of(seq);
    now_.kept++;
}

void Ring::commit() {
    now_.turn++;
    now_.crc = crc16(CRC_SEED, bytes(&now_), LEDGER_BODY);
    memory_.ledgers[now_.turn & 1] = now_;
}

uint16_t Ring::crc_of(uint32_t seq) const {
    return crc16(static_cast<uint16_t>(seq ^ now_.number), bytes(&memory_.records[seq % RING]), sizeof(Record));
}

}  // namespace krupier
