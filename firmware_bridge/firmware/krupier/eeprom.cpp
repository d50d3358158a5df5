#include "eeprom.h"

#include <Arduino.h>
#include <avr/boot.h>
#include <avr/eeprom.h>
#include <string.h>

#include "frame.h"

namespace krupier {
namespace eeprom {
namespace {

struct Named {
    uint8_t device[8];
    uint16_t crc;
} __attribute__((packed));

struct Pairing {
    uint8_t key[KEY_BYTES];
    uint16_t fitted;
    uint16_t crc;
} __attribute__((packed));

struct Boot {
    uint32_t number;
    uint16_t crc;
} __attribute__((packed));

// A cell bears 100,000 writes; sixteen slots in turn bear a reset a minute for three years, day and night.
constexpr uint8_t SLOTS = 16;
constexpr uint16_t NAMED_AT = 0;
constexpr uint16_t PAIRING_AT = 16;
constexpr uint16_t BOOT_AT = 64;

template <typename Block>
uint16_t crc_of(const Block &block) {
    return crc16(CRC_SEED, reinterpret_cast<const uint8_t *>(&block), sizeof block - sizeof block.crc);
}

template <typename Block>
bool read(uint16_t at, Block &block) {
    eeprom_read_block(&block, reinterpret_cast<const void *>(at), sizeof block);
    return block.crc == crc_of(block);
}

template <typename Block>
void write(uint16_t at, Block &block) {
    block.crc = crc_of(block);
    eeprom_update_block(&block, reinterpret_cast<void *>(at), sizeof block);
}

uint16_t slot_at(uint32_t number) { return static_cast<uint16_t>(BOOT_AT + number % SLOTS * sizeof(Boot)); }

uint32_t last_boot() {
    uint32_t last = 0;
    Boot boot;
    for (uint8_t slot = 0; slot < SLOTS; slot++)
        if (read(slot_at(slot), boot) && boot.number > last) last = boot.number;
    return last;
}

// An identity out of the chip's production data and the noise of an open analog pin.
void make_name(Named &named) {
    uint8_t seed[32];
    for (uint8_t i = 0; i < sizeof seed; i++) {
        const uint8_t chip = boot_signature_byte_get(i);
        seed[i] = static_cast<uint8_t>(chip ^ analogRead(A5) ^ TCNT0);
    }
    const uint8_t key[KEY_BYTES] = {};
    siphash(key, seed, sizeof seed, named.device);
}

}  // namespace

void load(Identity &identity) {
    Named named;
    if (!read(NAMED_AT, named)) {
        make_name(named);
        write(NAMED_AT, named);
    }
    memcpy(identity.device, named.device, sizeof identity.device);
    Pairing pairing;
    identity.paired = read(PAIRING_AT, pairing);
    if (!identity.paired) memset(&pairing, 0, sizeof pairing);
    memcpy(identity.key, pairing.key, sizeof identity.key);
    identity.fitted = identity.paired ? pairing.fitted : 0;
}

void store_pairing(const uint8_t *key, uint16_t fitted) {
    Pairing pairing;
    memcpy(pairing.key, key, sizeof pairing.key);
    pairing.fitted = fitted;
    write(PAIRING_AT, pairing);
}

bool count_boot(uint32_t &boot) {
    Boot next;
    next.number = last_boot();
    for (uint8_t attempt = 0; attempt < SLOTS; attempt++) {
        next.number++;
        write(slot_at(next.number), next);
        if (holds_boot(next.number)) break;
    }
    boot = next.number;
    return holds_boot(boot);
}

bool holds_boot(uint32_t boot) {
    Boot written;
    return read(slot_at(boot), written) && written.number == boot;
}

}  // namespace eeprom
}  // namespace krupier
