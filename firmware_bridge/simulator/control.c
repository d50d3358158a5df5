/* One command per line, one answer per line ("ok …" or "error …").
 *
 *   beam N 0|1            input N 0|1           cut 0|1         jumper 0|1       sound LEVEL(0-1023)
 *   reset power|external|brownout|watchdog      power-cut       hang             spoil ADDRESS
 *   unplug    plug        lamps                 figures         marks            time
 *   at US COMMAND         does COMMAND at that time, as `time` counts it
 *   quit
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "simulator.h"

#define LONGEST 128
#define PLANNED 4096

struct plan {
    uint64_t cycle;
    char command[48];
};

struct control {
    int listener, client;
    char text[LONGEST];
    size_t used;
    struct plan plans[PLANNED]; /* unordered; looked through each slice */
    size_t planned;
    uint64_t soonest;
};

struct control *control_new(const char *path) {
    struct control *control = calloc(1, sizeof *control);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    control->client = -1;
    control->soonest = UINT64_MAX;
    control->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    unlink(path);
    if (bind(control->listener, (struct sockaddr *)&address, sizeof address) || listen(control->listener, 1)) {
        perror(path);
        return NULL;
    }
    return control;
}

static int cause_of(const char *word) {
    if (!strcmp(word, "power")) return RESET_POWER;
    if (!strcmp(word, "external")) return RESET_EXTERNAL;
    if (!strcmp(word, "brownout")) return RESET_BROWN_OUT;
    if (!strcmp(word, "watchdog")) return RESET_WATCHDOG;
    return 0;
}

static bool set_pins(const char *line, struct board *board) {
    int number, on;
    char extra;
    if (sscanf(line, "beam %d %d %c", &number, &on, &extra) == 2 && number >= 0 && number < 2)
        return board_beam(board, number, on), true;
    if (sscanf(line, "input %d %d %c", &number, &on, &extra) == 2 && number >= 0 && number < INPUTS)
        return board_input(board, number, on), true;
    if (sscanf(line, "cut %d %c", &on, &extra) == 1) return board_cut_card(board, on), true;
    if (sscanf(line, "jumper %d %c", &on, &extra) == 1) return board_jumper(board, on), true;
    if (sscanf(line, "sound %d %c", &on, &extra) == 1) return board_sound(board, on), true;
    return false;
}

static bool disturb(const char *line, struct board *board, struct line *wire) {
    char word[16];
    unsigned address;
    if (sscanf(line, "reset %15s", word) == 1 && cause_of(word)) return board_reset(board, cause_of(word)), true;
    if (sscanf(line, "spoil %u", &address) == 1) return board_spoil_ring(board, (uint16_t)address), true;
    if (!strcmp(line, "power-cut")) return board_power_cut(board), true;
    if (!strcmp(line, "hang")) return board_hang(board), true;
    if (!strcmp(line, "unplug")) return line_unplug(wire), true;
    if (!strcmp(line, "plug")) return line_plug(wire);
    return false;
}

static bool plan(struct control *control, const char *line) {
    unsigned long long microseconds;
    int offset = 0;
    if (sscanf(line, "at %llu %n", &microseconds, &offset) != 1 || !offset || control->planned == PLANNED) return false;
    struct plan *next = &control->plans[control->planned++];
    next->cycle = microseconds * (CLOCK_HZ / 1000000);
    snprintf(next->command, sizeof next->command, "%.47s", line + offset);
    if (next->cycle < control->soonest) control->soonest = next->cycle;
    return true;
}

static void answer(struct control *control, const char *text) {
    if (write(control->client, text, strlen(text)) < 0 && errno != EPIPE) perror("krupier-simulator: control");
}

static bool report(struct control *control, const char *line, struct board *board) {
    char text[512];
    if (!strcmp(line, "lamps")) {
        snprintf(text, sizeof text, "ok %08x %d\n", board_lamps(board), board_buzzer(board));
    } else if (!strcmp(line, "figures")) {
        struct board_figures f = board_figures(board);
        snprintf(text, sizeof text, "ok edges %u worst %u mean %.0f stack-free %u\n", f.edges, f.worst_cycles,
                 f.edges ? (double)f.total_cycles / f.edges : 0.0, f.stack_free);
    } else if (!strcmp(line, "marks")) {
        snprintf(text, sizeof text, "ok%.500s\n", board_marks(board));
    } else if (!strcmp(line, "time")) {
        snprintf(text, sizeof text, "ok %llu\n", (unsigned long long)(board_cycles(board) / (CLOCK_HZ / 1000000)));
    } else {
        return false;
    }
    answer(control, text);
    return true;
}

static bool obey(struct control *control, const char *line, struct board *board, struct line *wire) {
    if (!strcmp(line, "quit")) return false;
    if (report(control, line, board)) return true;
    bool done = set_pins(line, board) || disturb(line, board, wire) || plan(control, line);
    answer(control, done ? "ok\n" : "error unknown command\n");
    return true;
}

void control_plans(struct control *control, struct board *board, struct line *wire) {
    uint64_t now = board_cycles(board);
    if (now < control->soonest) return;
    control->soonest = UINT64_MAX;
    for (size_t i = 0; i < control->planned;) {
        struct plan *due = &control->plans[i];
        if (due->cycle > now) {
            if (due->cycle < control->soonest) control->soonest = due->cycle;
            i++;
            continue;
        }
        if (!set_pins(due->command, board)) disturb(due->command, board, wire);
        memmove(due, due + 1, (--control->planned - i) * sizeof *due);
    }
}

/* False when the simulator shall end. */
bool control_serve(struct control *control, struct board *board, struct line *wire) {
    if (control->client < 0) {
        control->client = accept4(control->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        control->used = 0;
        if (control->client < 0) return true;
    }
    ssize_t got = read(control->client, control->text + control->used, LONGEST - 1 - control->used);
    if (got == 0 || (got < 0 && errno != EAGAIN)) {
        close(control->client);
        control->client = -1;
        return true;
    }
    if (got > 0) control->used += (size_t)got;
    control->text[control->used] = 0;
    for (char *end; (end = strchr(control->text, '\n'));) {
        *end = 0;
        if (!obey(control, control->text, board, wire)) return false;
        control->used -= (size_t)(end + 1 - control->text);
        memmove(control->text, end + 1, control->used + 1);
    }
    if (control->used == LONGEST - 1) control->used = 0; /* no line of ours is that long */
    return true;
}
