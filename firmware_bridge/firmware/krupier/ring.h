// The ring of unacknowledged events, PROTOCOL.md section 6. It lies in RAM that a reset leaves alone.
#pragma once
#include <stdint.h>

#include "protocol.h"

namespace krupier {

struct Record {
    uint8_t kind;
    uint8_t arg;
    uint8_t at[6];
    uint32_t value;
} __attribute__((packed));
static_assert(sizeof(Record) == EVENT_BYTES, "a record is kept as it goes over the wire");

struct Ledger {
    uint32_t number;
    uint32_t first;
    uint16_t lost;
    uint8_t levels[LEVEL_BYTES];  // of every input, as last reported: a key held through a reset is not pressed twice
    uint8_t kept;
    uint8_t turn;
    uint16_t crc;
} __attribute__((packed));

// What survives. Two ledgers, written in turn: a reset in the middle of one leaves the other.
struct RingMemory {
    Record records[RING];
    uint16_t crcs[RING];
    Ledger ledgers[2];
};

// Not safe against interrupts by itself: every call outside an interrupt goes through board.h's `Quiet`.
class Ring {
  public:
    explicit Ring(RingMemory &memory) : memory_(memory) {}

    // Takes over what a reset left, or starts ring `boot` empty. After a power cut (`cold`) nothing is believed, however
    // well its CRC fits. True if something was taken over.
    bool recover(uint32_t boot, bool cold);

    void append(uint8_t kind, uint8_t arg, uint32_t value, uint64_t now_us);

    // Append the change of an input and remember its new level, both or neither.
    void append_change(uint8_t input, uint8_t kind, uint8_t arg, uint32_t value, uint64_t now_us);

    // Remember a level that makes no event.
    void set_level(uint8_t input, bool on);

    // Whether input was last reported as on.
    bool level(uint8_t input) const { return now_.levels[input >> 3] >> (input & 7) & 1; }
    uint8_t levels(uint8_t index) const { return now_.levels[index]; }

    void forget(uint32_t upto, uint64_t now_us);

    uint32_t number() const { return now_.number; }
    uint32_t first() const { return now_.first; }
    uint32_t next() const { return now_.first + now_.kept; }
    uint8_t kept() const { return now_.kept; }
    uint16_t lost() const { return now_.lost; }
    uint64_t newest_us() const;
    bool is_sound() const;  // every kept record matches its CRC
    bool is_full() const { return now_.kept >= RING; }

    // Event number `seq`, which must be kept.
    const Record &at(uint32_t seq) const { return memory_.records[seq % RING]; }

  private:
    void keep(uint8_t kind, uint8_t arg, uint32_t value, uint64_t now_us);
    void tell_losses(uint8_t room, uint64_t now_us);
    void commit();
    bool adopt(const Ledger &ledger);
    void mend();
    uint16_t crc_of(uint32_t seq) const;

    RingMemory &memory_;
    Ledger now_ = {};
};

}  // namespace krupier
