/* The board's UART on a pseudo-terminal. Its slave being opened is what DTR is on a real board. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "simulator.h"

#define WAITING 4096
#define LOOK_EVERY 4 /* system calls cost more than the time of a byte is worth */

struct line {
    char *link;
    int master; /* -1: unplugged */
    bool open;
    uint8_t waiting[WAITING]; /* from the host, fed at the speed of the line */
    size_t first, count;
    unsigned turn;
};

bool line_plug(struct line *line) {
    line_unplug(line);
    line->master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (line->master < 0 || grantpt(line->master) || unlockpt(line->master)) {
        perror("krupier-simulator: no pseudo-terminal");
        return false;
    }
    struct termios raw;
    int slave = open(ptsname(line->master), O_RDWR | O_NOCTTY);
    tcgetattr(slave, &raw);
    cfmakeraw(&raw);
    tcsetattr(slave, TCSANOW, &raw);
    close(slave); /* from now on the master reports a hang-up until somebody opens the port */
    unlink(line->link);
    if (symlink(ptsname(line->master), line->link)) {
        perror(line->link);
        return false;
    }
    return true;
}

void line_unplug(struct line *line) {
    if (line->master >= 0) close(line->master);
    line->master = -1;
    line->open = false;
    line->count = 0;
    unlink(line->link);
}

struct line *line_new(const char *link) {
    struct line *line = calloc(1, sizeof *line);
    line->link = strdup(link);
    line->master = -1;
    return line_plug(line) ? line : NULL;
}

void line_close(struct line *line) { line_unplug(line); }

static void notice_opening(struct line *line, struct board *board) {
    struct pollfd state = {.fd = line->master, .events = POLLIN};
    poll(&state, 1, 0);
    bool open = !(state.revents & POLLHUP);
    if (open && !line->open) {
        line->count = 0;
        board_reset(board, RESET_EXTERNAL);
    }
    line->open = open;
}

static void deliver(struct line *line, struct board *board) {
    uint8_t bytes[64];
    size_t count = 0;
    for (int said; count < sizeof bytes && (said = board_say(board)) >= 0;) bytes[count++] = (uint8_t)said;
    if (!count || line->master < 0 || !line->open) return;
    if (write(line->master, bytes, count) != (ssize_t)count && errno != EAGAIN && errno != EIO)
        perror("krupier-simulator: pseudo-terminal");
}

static void fetch(struct line *line) {
    if (line->count) return;
    ssize_t got = read(line->master, line->waiting, WAITING);
    line->first = 0;
    line->count = got > 0 ? (size_t)got : 0;
}

void line_serve(struct line *line, struct board *board) {
    if (line->count) {
        board_hear(board, line->waiting[line->first++]);
        line->count--;
    }
    if (++line->turn % LOOK_EVERY) return;
    deliver(line, board);
    if (line->master < 0) return;
    notice_opening(line, board);
    fetch(line);
}
