/* Runs the board's own ELF in simavr: UART on a pseudo-terminal, pins and power on a control socket.
 *
 *   krupier-simulator --elf FILE --control SOCKET --port LINK [--eeprom FILE] [--speed X] [--boot-ms N]
 *
 * LINK becomes a symbolic link to the pseudo-terminal. Opening it resets the board, as DTR does on an Uno or a Nano,
 * and the bootloader then swallows what arrives for N ms. Speed 1 is real time, 0 as fast as it goes.
 * The control socket takes one command per line and answers each with one line; see control.c.
 */
#define _GNU_SOURCE
#include "simulator.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SLICE_CYCLES (CLOCK_HZ / 11520) /* the time of one byte on the line */

static volatile sig_atomic_t stopped;

static void stop(int signal) {
    (void)signal;
    stopped = 1;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Sleeps until the wall clock has caught up with the board's. */
static void pace(double speed, double started, uint64_t cycles) {
    if (speed <= 0) return;
    double ahead = started + (double)cycles / CLOCK_HZ / speed - seconds();
    if (ahead > 0.0005) usleep((useconds_t)(ahead * 1e6));
}

static int usage(void) {
    fputs("usage: krupier-simulator --elf FILE --control SOCKET --port LINK [--eeprom FILE] [--speed X] [--boot-ms N]\n",
          stderr);
    return 2;
}

static int run(struct board *board, struct line *line, struct control *control, double speed) {
    double started = seconds();
    unsigned turn = 0;
    while (!stopped) {
        board_run(board, SLICE_CYCLES);
        if (board_state(board) == BOARD_CRASHED) {
            fputs("krupier-simulator: the firmware crashed\n", stderr);
            return 1;
        }
        control_plans(control, board, line);
        line_serve(line, board);
        if (++turn % 4 == 0 && !control_serve(control, board, line)) break;
        pace(speed, started, board_cycles(board));
    }
    return 0;
}

int main(int argc, char **argv) {
    static const struct option options[] = {{"elf", 1, 0, 'e'},    {"control", 1, 0, 'c'}, {"port", 1, 0, 'p'},
                                            {"eeprom", 1, 0, 'm'}, {"speed", 1, 0, 's'},   {"boot-ms", 1, 0, 'b'},
                                            {0, 0, 0, 0}};
    const char *elf = NULL, *socket = NULL, *port = NULL, *eeprom = NULL;
    double speed = 1;
    unsigned boot_ms = 0;
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (option) {
            case 'e': elf = optarg; break;
            case 'c': socket = optarg; break;
            case 'p': port = optarg; break;
            case 'm': eeprom = optarg; break;
            case 's': speed = atof(optarg); break;
            case 'b': boot_ms = (unsigned)atoi(optarg); break;
            default: return usage();
        }
    }
    if (!elf || !socket || !port) return usage();
    signal(SIGTERM, stop);
    signal(SIGINT, stop);
    signal(SIGPIPE, SIG_IGN);
    struct board *board = board_new(elf, eeprom, boot_ms);
    struct line *line = line_new(port);
    struct control *control = control_new(socket);
    if (!board || !line || !control) return 2;
    puts("ready");
    fflush(stdout);
    int status = run(board, line, control, speed);
    board_save(board, eeprom);
    line_close(line);
    unlink(socket);
    return status;
}
