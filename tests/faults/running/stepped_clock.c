/* Preloaded into a table's processes: the wall clock is as far from the machine's as the file STEPPED_CLOCK says. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

static volatile long long *seconds;

__attribute__((constructor)) static void look_at_it(void) {
    const char *name = getenv("STEPPED_CLOCK");
    int file = name ? open(name, O_RDONLY) : -1;
    void *mapped = file < 0 ? MAP_FAILED : mmap(NULL, sizeof *seconds, PROT_READ, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) seconds = mapped;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int (*real)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT, "clock_gettime");
    int done = real(clock, now);
    if (clock == CLOCK_REALTIME && seconds) now->tv_sec += *seconds;
    return done;
}
