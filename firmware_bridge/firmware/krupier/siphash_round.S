// One SipRound for the AVR: void krupier_sip_round(uint8_t *state), state = v0 v1 v2 v3, low byte first.
//
// A pair of words is loaded into registers, added, rotated and xored, and stored. Rotation by whole bytes costs
// nothing: a register is simply stored at another place. What is left of 13, 17, 21 is 3 right, 1 left, 3 right.
#ifdef __AVR__

#define A 10  // a word lies in registers 10 to 17
#define B 18  // and its partner in 18 to 25

.macro load_pair a, b
    .irp i, 0,1,2,3,4,5,6,7
    ldd A+\i, Z+\a+\i
    ldd B+\i, Z+\b+\i
    .endr
.endm

.macro add_pair
    add A, B
    .irp i, 1,2,3,4,5,6,7
    adc A+\i, B+\i
    .endr
.endm

.macro left_once
    lsl B
    .irp i, 1,2,3,4,5,6,7
    rol B+\i
    .endr
    adc B, r1
.endm

.macro right_once
    bst B, 0
    lsr B+7
    .irp i, 6,5,4,3,2,1,0
    ror B+\i
    .endr
    bld B+7, 7
.endm

// b rotated left by `bytes` whole bytes, xored with a, stored; a stored rotated left by `turn` whole bytes.
.macro store_pair a, b, bytes, turn
    .irp i, 0,1,2,3,4,5,6,7
    eor B+\i, A+((\i+\bytes)&7)
    std Z+\b+((\i+\bytes)&7), B+\i
    std Z+\a+((\i+\turn)&7), A+\i
    .endr
.endm

.global krupier_sip_round
.type krupier_sip_round, @function
.section .text.krupier_sip_round, "ax", @progbits
krupier_sip_round:
    .irp r, 10,11,12,13,14,15,16,17
    push \r
    .endr
    movw r30, r24

    load_pair 0, 8
    add_pair
    right_once
    right_once
    right_once
    store_pair 0, 8, 2, 4

    load_pair 16, 24
    add_pair
    store_pair 16, 24, 2, 0

    load_pair 0, 24
    add_pair
    right_once
    right_once
    right_once
    store_pair 0, 24, 3, 0

    load_pair 16, 8
    add_pair
    left_once
    store_pair 16, 8, 2, 4

    .irp r, 17,16,15,14,13,12,11,10
    pop \r
    .endr
    ret
.size krupier_sip_round, .-krupier_sip_round

#endif
