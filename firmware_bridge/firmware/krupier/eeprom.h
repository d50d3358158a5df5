// What survives a power cut: identity, pairing key, boot counter.
#pragma once
#include <stdint.h>

#include "session.h"

namespace krupier {
namespace eeprom {

// Fills in device, key, fitted and paired. A board that has no identity yet makes one.
void load(Identity &identity);
void store_pairing(const uint8_t *key, uint16_t fitted);

// The next boot number, already written. False if the EEPROM no longer takes it.
bool count_boot(uint32_t &boot);
bool holds_boot(uint32_t boot);

}  // namespace eeprom
}  // namespace krupier
