#include "frame.h"

namespace krupier {

// Eight bits at a time without a table; in bytes, because that is what an AVR does in one cycle.
uint16_t crc16(uint16_t crc, const uint8_t *data, uint8_t length) {
    uint8_t high = static_cast<uint8_t>(crc >> 8);
    uint8_t low = static_cast<uint8_t>(crc);
    while (length--) {
        uint8_t x = high ^ *data++;
        x ^= static_cast<uint8_t>(x >> 4);
        high = static_cast<uint8_t>(low ^ static_cast<uint8_t>(x << 4) ^ (x >> 3));
        low = static_cast<uint8_t>(static_cast<uint8_t>(x << 5) ^ x);
    }
    return static_cast<uint16_t>(high << 8 | low);
}

uint8_t wrap(uint8_t *buffer, uint8_t length) {
    const uint16_t crc = crc16(CRC_SEED, buffer + 1, length);
    buffer[++length] = static_cast<uint8_t>(crc);
    buffer[++length] = static_cast<uint8_t>(crc >> 8);
    // Every zero becomes the distance to the next one; the first distance stands in front.
    uint8_t from = 0;
    for (uint8_t at = 1; at <= length; at++) {
        if (buffer[at] != 0) continue;
        buffer[from] = static_cast<uint8_t>(at - from);
        from = at;
    }
    buffer[from] = static_cast<uint8_t>(length + 1 - from);
    buffer[length + 1] = 0;
    return static_cast<uint8_t>(length + 2);
}

Arrival FrameReader::take(uint8_t byte) {
    if (byte != 0) {
        if (used_ < sizeof buffer_)
            buffer_[used_++] = byte;
        else
            overrun_ = true;
        return Arrival::Nothing;
    }
    if (used_ == 0) return Arrival::Nothing;
    const bool good = !overrun_ && unwrap();
    used_ = 0;
    overrun_ = false;
    return good ? Arrival::Frame : Arrival::Garbage;
}

bool FrameReader::unwrap() {
    uint8_t out = 0;
    uint8_t at = 0;
    while (at < used_) {
        const uint8_t distance = buffer_[at++];
        if (distance - 1 > used_ - at) return false;
        for (uint8_t i = 1; i < distance; i++) buffer_[out++] = buffer_[at++];
        if (at < used_) buffer_[out++] = 0;
    }
    if (out < 3) return false;
    length_ = static_cast<uint8_t>(out - 2);
    const uint16_t crc = static_cast<uint16_t>(buffer_[length_] | buffer_[length_ + 1] << 8);
    return crc16(CRC_SEED, buffer_, length_) == crc;
}

}  // namespace krupier
