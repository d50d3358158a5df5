// While a Quiet lives no interrupt touches the ring. On a computer there are none.
#pragma once

#ifdef __AVR__
#include <avr/interrupt.h>
#include <avr/io.h>

class Quiet {
  public:
    Quiet() : before_(SREG) { cli(); }
    ~Quiet() { SREG = before_; }

  private:
    unsigned char before_;
};
#else
class Quiet {
  public:
    Quiet() {}
};
#endif
