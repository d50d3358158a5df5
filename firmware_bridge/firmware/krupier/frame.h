// Frames, PROTOCOL.md section 2: COBS, CRC-16, a zero byte at the end.
#pragma once
#include <stdint.h>

namespace krupier {

constexpr uint8_t LONGEST_IN = 40;   // body, host to board
constexpr uint8_t LONGEST_OUT = 96;  // body, board to host
constexpr uint16_t CRC_SEED = 0xffff;

uint16_t crc16(uint16_t crc, const uint8_t *data, uint8_t length);

// Turns the body in buffer[1..1+length) into its wire form in place; buffer has room for length + 4.
// Returns the number of wire bytes, delimiter included.
uint8_t wrap(uint8_t *buffer, uint8_t length);

enum class Arrival : uint8_t { Nothing, Frame, Garbage };

// Collects bytes; memory is bounded whatever arrives.
class FrameReader {
  public:
    Arrival take(uint8_t byte);
    const uint8_t *body() const { return buffer_; }
    uint8_t length() const { return length_; }  // of the body, after Arrival::Frame

  private:
    bool unwrap();

    uint8_t buffer_[LONGEST_IN + 3];
    uint8_t used_ = 0;
    uint8_t length_ = 0;
    bool overrun_ = false;
};

}  // namespace krupier
