#include "CProcess.h"

#include <sys/prctl.h>
#include <sys/resource.h>

int dex_process_forbid_inspection(void) {
    const struct rlimit none = {0, 0};
    int limited = setrlimit(RLIMIT_CORE, &none);
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 ? limited : -1;
}
