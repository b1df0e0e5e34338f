#include "CProcess.h"

#include <limits.h>
#include <time.h>

struct dex_time dex_clock(int clock) {
    struct timespec now;
    struct dex_time result = {0, 0};
    if (clock_gettime(clock, &now) == 0 && now.tv_sec >= 0) {
        result.seconds = (unsigned long long)now.tv_sec;
        result.nanoseconds = (unsigned int)now.tv_nsec;
    }
    return result;
}

unsigned long long dex_clock_milliseconds(int clock) {
    const struct dex_time now = dex_clock(clock);
    const unsigned long long last = ULLONG_MAX / 1000 - 1;
    return (now.seconds < last ? now.seconds : last) * 1000 + now.nanoseconds / 1000000;
}
