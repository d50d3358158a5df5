// Numbers of PROTOCOL.md, version 1.
#pragma once
#include <stdint.h>

namespace krupier {

constexpr uint8_t VERSION = 1;
constexpr uint8_t FIRMWARE_MAJOR = 1;
constexpr uint8_t FIRMWARE_MINOR = 0;
constexpr uint8_t RING = 64;
constexpr uint8_t EVENT_BYTES = 12;
constexpr uint8_t EVENTS_PER_FRAME = 6;
constexpr uint8_t BOXES = 7;
constexpr uint8_t LEVEL_BYTES = 9;

// Inputs are numbered: 0 to 55 eight per box (seven keys and the bet sensor), 56 to 62 the dealer's keys, 63 the burn key,
// all through the shift registers; then the pins of the board itself.
constexpr uint8_t DEALER_INPUTS = 56;
constexpr uint8_t BURN_INPUT = 63;
constexpr uint8_t BEAM_INPUT = 64;  // and 65
constexpr uint8_t CUT_CARD_INPUT = 66;

namespace kind {
constexpr uint8_t HELLO = 0x01, EVENTS = 0x02, PONG = 0x03, PAIRED = 0x04, REFUSED = 0x05;
constexpr uint8_t HELLO_REQUEST = 0x81, RESUME = 0x82, ACK = 0x83, RESEND = 0x84, PING = 0x85, OUTPUTS = 0x86,
                  SELF_TEST = 0x87, PAIR = 0x88;
}  // namespace kind

namespace event {
constexpr uint8_t BEAM_BROKEN = 1, BEAM_CLEARED = 2, BUTTON_DOWN = 3, BUTTON_UP = 4, KEY_DOWN = 5, KEY_UP = 6,
                  BET_SENSOR = 7, CUT_CARD = 8, SOUND = 9, MANUAL_BURN = 14, SELF_TEST = 15, FAULT = 16, BOOTED = 17;
}  // namespace event

namespace fault {
constexpr uint8_t EVENTS_LOST = 1, BEAM_NOISY = 2, BEAM_BLOCKED = 3, INPUT_STUCK = 4, RECORD_DAMAGED = 5,
                  EEPROM_WORN = 6;
}  // namespace fault

namespace fitted {
constexpr uint16_t SHOE = 1, SECOND_BEAM = 2, CUT_CARD = 4, BUTTONS = 8, DEALER_KEYS = 16, BET_SENSORS = 32, SOUND = 64,
                   LAMPS = 128, BURN_KEY = 512;
}  // namespace fitted

namespace flag {
constexpr uint8_t PAIRED = 1, JUMPER = 2;
}

namespace cause {
constexpr uint8_t POWER_ON = 1;
}

namespace why {
constexpr uint8_t VERSION = 1, NO_JUMPER = 2;
}

constexpr uint32_t SAFE_LAMPS = 0x80000000;  // the pause lamp alone

}  // namespace krupier
