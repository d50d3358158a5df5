/* The chip in simavr with the shift registers, switches and sensors of docs/hardware.md around it. */
#include <avr_adc.h>
#include <avr_eeprom.h>
#include <avr_ioport.h>
#include <avr_uart.h>
#include <sim_avr.h>
#include <sim_elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simulator.h"

#define EEPROM_BYTES 1024
#define MCUSR 0x54
#define GPIOR0 0x3e /* the firmware writes it when a beam's edge is in the ring */
#define GPIOR1 0x4a /* measured programs write n to start a stretch and 0 to end it */
#define HELD_PINS 0x3c /* port D: both beams, cut card, jumper */
#define SAID 4096
#define NEVER_USED 0xc5

struct board {
    avr_t *avr;
    uint64_t elapsed; /* cycles since the simulator started, resets included */
    uint64_t wakes;   /* cycle at which the bootloader hands over */
    uint32_t boot_cycles;
    bool reset_seen;

    uint8_t contacts[INPUTS / 8], latched[INPUTS / 8]; /* 74HC165: contacts as wired, 1 = closed */
    unsigned shifted;
    bool loading, input_high;
    uint32_t pushed, shown; /* 74HC595 */
    bool lamp_data, buzzer;
    bool beams[2], cut_card, jumper;
    int sound;
    uint8_t held;

    uint8_t said[SAID];
    size_t said_first, said_count;

    uint64_t edge_at;
    struct board_figures figures;
    uint64_t mark_at;
    uint8_t mark;
    char marks[512];
    uint16_t hung_at, hung_word;
};

static avr_irq_t *pin(struct board *board, char port, int bit) {
    return avr_io_getirq(board->avr, AVR_IOCTL_IOPORT_GETIRQ(port), bit);
}

static void drive(struct board *board, char port, int bit, bool high) { avr_raise_irq(pin(board, port, bit), high); }

/* A switch or sensor on port D: stronger than the pull-up that the firmware turns on. */
static void hold(struct board *board, int bit, bool high) {
    uint8_t mask = (uint8_t)(1u << bit);
    board->held = (uint8_t)(high ? board->held | mask : board->held & ~mask);
    avr_ioport_external_t outside = {.name = 'D', .mask = HELD_PINS, .value = board->held};
    avr_ioctl(board->avr, AVR_IOCTL_IOPORT_SET_EXTERNAL('D'), &outside);
    drive(board, 'D', bit, high);
}

/* 74HC165 chain: first out is input 7 of the register nearest to the board; a closed contact reads 0. */
static void put_next_input(struct board *board) {
    unsigned at = board->shifted;
    bool high = !(at < INPUTS && board->latched[at / 8] >> (7 - at % 8) & 1);
    if (high != board->input_high) drive(board, 'B', 1, high);
    board->input_high = high;
}

static void on_load(struct avr_irq_t *irq, uint32_t value, void *param) {
    struct board *board = param;
    (void)irq;
    board->loading = !value;
    if (!board->loading) return;
    memcpy(board->latched, board->contacts, sizeof board->latched);
    board->shifted = 0;
    put_next_input(board);
}

static void on_input_clock(struct avr_irq_t *irq, uint32_t value, void *param) {
    struct board *board = param;
    (void)irq;
    if (!value || board->loading) return;
    board->shifted++;
    put_next_input(board);
}

static void on_lamp_data(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    ((struct board *)param)->lamp_data = value;
}

/* 74HC595 chain: the oldest of 32 bits comes out behind. */
static void on_lamp_clock(struct avr_irq_t *irq, uint32_t value, void *param) {
    struct board *board = param;
    (void)irq;
    if (!value) return;
    board->pushed = board->pushed << 1 | board->lamp_data;
    drive(board, 'C', 1, board->pushed >> 31);
}

static void on_lamp_latch(struct avr_irq_t *irq, uint32_t value, void *param) {
    struct board *board = param;
    (void)irq;
    if (value) board->shown = board->pushed;
}

static void on_buzzer(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    ((struct board *)param)->buzzer = value;
}

static void on_say(struct avr_irq_t *irq, uint32_t value, void *param) {
    struct board *board = param;
    (void)irq;
    if (board->said_count == SAID) return;
    board->said[(board->said_first + board->said_count++) % SAID] = (uint8_t)value;
}

static void on_edge_kept(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *param) {
    struct board *board = param;
    avr->data[addr] = value;
    if (!board->edge_at) return;
    uint32_t took = (uint32_t)(avr->cycle - board->edge_at);
    board->edge_at = 0;
    board->figures.edges++;
    board->figures.total_cycles += took;
    if (took > board->figures.worst_cycles) board->figures.worst_cycles = took;
}

static void on_mark(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *param) {
    struct board *board = param;
    avr->data[addr] = value;
    if (!value && board->mark) {
        size_t used = strlen(board->marks);
        snprintf(board->marks + used, sizeof board->marks - used, " %u:%u", board->mark,
                 (unsigned)(avr->cycle - board->mark_at));
    }
    board->mark = value;
    board->mark_at = avr->cycle;
}

static void on_reset(avr_t *avr) { ((struct board *)avr->custom.data)->reset_seen = true; }

/* A reset clears what the chip read from its pins, but simavr hands on only changes: say the opposite first. */
static void connect_again(struct board *board) {
    for (int bit = 2; bit <= 5; bit++) drive(board, 'D', bit, !(board->held >> bit & 1));
    for (int number = 0; number < 2; number++) board_beam(board, number, board->beams[number]);
    board_cut_card(board, board->cut_card);
    board_jumper(board, board->jumper);
    board_sound(board, board->sound);
    drive(board, 'C', 1, !(board->pushed >> 31));
    drive(board, 'C', 1, board->pushed >> 31);
    drive(board, 'B', 1, false);
    drive(board, 'B', 1, true);
    board->input_high = true;
    put_next_input(board);
    board->edge_at = 0;
}

static void notify(struct board *board, char port, int bit, avr_irq_notify_t callback) {
    avr_irq_register_notify(pin(board, port, bit), callback, board);
}

static void wire(struct board *board) {
    notify(board, 'D', 7, on_load);
    notify(board, 'B', 0, on_input_clock);
    notify(board, 'B', 2, on_lamp_data);
    notify(board, 'B', 3, on_lamp_clock);
    notify(board, 'B', 4, on_lamp_latch);
    notify(board, 'D', 6, on_buzzer);
    avr_irq_register_notify(avr_io_getirq(board->avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_say, board);
    avr_register_io_write(board->avr, GPIOR0, on_edge_kept, board);
    avr_register_io_write(board->avr, GPIOR1, on_mark, board);
    uint32_t flags = 0; /* neither echo to our stdout nor sleep when the firmware polls */
    avr_ioctl(board->avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    connect_again(board);
}

static void load_eeprom(struct board *board, const char *path) {
    uint8_t bytes[EEPROM_BYTES];
    FILE *file = path ? fopen(path, "rb") : NULL;
    if (!file) return;
    avr_eeprom_desc_t block = {.ee = bytes, .offset = 0, .size = (uint32_t)fread(bytes, 1, sizeof bytes, file)};
    fclose(file);
    if (block.size) avr_ioctl(board->avr, AVR_IOCTL_EEPROM_SET, &block);
}

void board_save(struct board *board, const char *path) {
    uint8_t bytes[EEPROM_BYTES];
    avr_eeprom_desc_t block = {.ee = bytes, .offset = 0, .size = sizeof bytes};
    FILE *file = path ? fopen(path, "wb") : NULL;
    if (!file) return;
    avr_ioctl(board->avr, AVR_IOCTL_EEPROM_GET, &block);
    fwrite(bytes, 1, sizeof bytes, file);
    fclose(file);
}

static void forget_ram(struct board *board) {
    memset(board->avr->data + board->avr->ioend + 1, NEVER_USED, board->avr->ramend - board->avr->ioend);
}

struct board *board_new(const char *elf, const char *eeprom, unsigned boot_ms) {
    elf_firmware_t firmware;
    memset(&firmware, 0, sizeof firmware);
    if (elf_read_firmware(elf, &firmware)) {
        fprintf(stderr, "krupier-simulator: %s is no firmware\n", elf);
        return NULL;
    }
    struct board *board = calloc(1, sizeof *board);
    board->avr = avr_make_mcu_by_name("atmega328p");
    board->avr->custom.data = board;
    avr_init(board->avr);
    board->avr->log = LOG_ERROR;
    board->avr->frequency = CLOCK_HZ;
    board->avr->reset = on_reset;
    avr_load_firmware(board->avr, &firmware);
    board->avr->frequency = CLOCK_HZ;
    board->avr->vcc = board->avr->avcc = board->avr->aref = 5000;
    board->boot_cycles = boot_ms * (CLOCK_HZ / 1000);
    load_eeprom(board, eeprom);
    wire(board);
    board_power_cut(board);
    return board;
}

static void mend_flash(struct board *board) {
    if (!board->hung_at) return;
    memcpy(board->avr->flash + board->hung_at, &board->hung_word, 2);
    board->hung_at = 0;
}

void board_run(struct board *board, uint32_t cycles) {
    uint64_t until = board->elapsed + cycles;
    while (board->elapsed < until) {
        if (board->elapsed < board->wakes) { /* the bootloader's time */
            board->elapsed = board->wakes < until ? board->wakes : until;
            continue;
        }
        uint64_t before = board->avr->cycle;
        int state = avr_run(board->avr);
        board->elapsed += board->avr->cycle >= before ? board->avr->cycle - before : board->avr->cycle;
        if (board->reset_seen) { /* only the watchdog resets from within */
            board->reset_seen = false;
            mend_flash(board);
            board->avr->data[MCUSR] = RESET_WATCHDOG;
            connect_again(board);
        }
        if (state == cpu_Done || state == cpu_Crashed) return;
    }
}

int board_state(const struct board *board) {
    return board->avr->state == cpu_Crashed || board->avr->state == cpu_Done ? BOARD_CRASHED : 0;
}

uint64_t board_cycles(const struct board *board) { return board->elapsed; }

void board_reset(struct board *board, int cause) {
    mend_flash(board);
    avr_reset(board->avr);
    board->reset_seen = false;
    board->avr->data[MCUSR] = (uint8_t)cause;
    board->said_count = 0;
    board->wakes = board->elapsed + (cause == RESET_WATCHDOG ? 0 : board->boot_cycles);
    connect_again(board);
}

void board_power_cut(struct board *board) {
    forget_ram(board);
    board_reset(board, RESET_POWER);
}

/* A jump to itself where the program stands: only the watchdog gets it out. */
void board_hang(struct board *board) {
    static const uint16_t jump_to_itself = 0xcfff;
    if (board->hung_at) return;
    board->hung_at = (uint16_t)board->avr->pc;
    memcpy(&board->hung_word, board->avr->flash + board->hung_at, 2);
    memcpy(board->avr->flash + board->hung_at, &jump_to_itself, 2);
}

void board_spoil_ring(struct board *board, uint16_t address) {
    if (address <= board->avr->ramend) board->avr->data[address] ^= 0x10;
}

void board_beam(struct board *board, int number, bool broken) {
    if (broken != board->beams[number]) board->edge_at = board->avr->cycle;
    board->beams[number] = broken;
    hold(board, 2 + number, broken);
}

void board_input(struct board *board, int input, bool on) {
    uint8_t bit = (uint8_t)(1u << input % 8);
    board->contacts[input / 8] = (uint8_t)(on ? board->contacts[input / 8] | bit : board->contacts[input / 8] & ~bit);
}

void board_cut_card(struct board *board, bool present) {
    board->cut_card = present;
    hold(board, 4, !present);
}

void board_jumper(struct board *board, bool set) {
    board->jumper = set;
    hold(board, 5, !set);
}

void board_sound(struct board *board, int level) {
    board->sound = level;
    avr_raise_irq(avr_io_getirq(board->avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0), (uint32_t)(level * 5000L / 1024));
}

uint32_t board_lamps(const struct board *board) { return board->shown; }
bool board_buzzer(const struct board *board) { return board->buzzer; }
const char *board_marks(const struct board *board) { return board->marks; }

/* The longest stretch of RAM that nothing has written since power came is what the stack has left. */
struct board_figures board_figures(struct board *board) {
    unsigned run = 0, longest = 0;
    for (int at = board->avr->ioend + 1; at <= board->avr->ramend; at++) {
        run = board->avr->data[at] == NEVER_USED ? run + 1 : 0;
        if (run > longest) longest = run;
    }
    board->figures.stack_free = longest;
    return board->figures;
}

void board_hear(struct board *board, uint8_t byte) {
    if (board->elapsed < board->wakes) return;
    avr_raise_irq(avr_io_getirq(board->avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT), byte);
}

int board_say(struct board *board) {
    if (!board->said_count) return -1;
    uint8_t byte = board->said[board->said_first];
    board->said_first = (board->said_first + 1) % SAID;
    board->said_count--;
    return byte;
}
