#include "CProcess.h"

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
