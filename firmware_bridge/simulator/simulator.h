/* The parts of the simulator: board (chip, pins, shift registers), line (pseudo-terminal), control (socket). */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CLOCK_HZ 16000000u
#define INPUTS 64
#define BOARD_CRASHED (-1)

struct board;
struct line;
struct control;

enum reset_cause { RESET_POWER = 1, RESET_EXTERNAL = 2, RESET_BROWN_OUT = 4, RESET_WATCHDOG = 8 };

struct board_figures {
    uint32_t edges, worst_cycles;
    uint64_t total_cycles;
    unsigned stack_free;
};

struct board *board_new(const char *elf, const char *eeprom, unsigned boot_ms);
void board_save(struct board *board, const char *eeprom);
void board_run(struct board *board, uint32_t cycles);
int board_state(const struct board *board);
uint64_t board_cycles(const struct board *board); /* since the simulator started, resets included */

void board_reset(struct board *board, int cause);
void board_power_cut(struct board *board);
void board_hang(struct board *board);
void board_spoil_ring(struct board *board, uint16_t address);

void board_beam(struct board *board, int number, bool broken);
void board_input(struct board *board, int input, bool on);
void board_cut_card(struct board *board, bool present);
void board_jumper(struct board *board, bool set);
void board_sound(struct board *board, int level);
uint32_t board_lamps(const struct board *board);
bool board_buzzer(const struct board *board);
struct board_figures board_figures(struct board *board);
const char *board_marks(const struct board *board);

/* The UART: one byte in either direction; -1 if the board has said nothing. */
void board_hear(struct board *board, uint8_t byte);
int board_say(struct board *board);

struct line *line_new(const char *link);
void line_serve(struct line *line, struct board *board);
void line_unplug(struct line *line);
bool line_plug(struct line *line);
void line_close(struct line *line);

struct control *control_new(const char *path);
void control_plans(struct control *control, struct board *board, struct line *line); /* what is due */
bool control_serve(struct control *control, struct board *board, struct line *line);
