// Contacts bounce: a level counts as changed when eight samples in a row, one each millisecond, agree.
#pragma once
#include <stdint.h>

namespace krupier {

// Eight inputs at once; the three bits of each input's counter lie in three bytes.
class Debounce {
  public:
    // `sample` is what the inputs read now, `level` what they count as. Returns the inputs that change.
    uint8_t changes(uint8_t sample, uint8_t level) {
        const uint8_t differs = sample ^ level;
        four_ = static_cast<uint8_t>((four_ ^ (two_ & one_)) & differs);
        two_ = static_cast<uint8_t>((two_ ^ one_) & differs);
        one_ = static_cast<uint8_t>(~one_ & differs);
        return static_cast<uint8_t>(differs & ~(four_ | two_ | one_));
    }

  private:
    uint8_t one_ = 0, two_ = 0, four_ = 0;
};

}  // namespace krupier
