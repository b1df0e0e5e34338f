#include "CLibrary.h"

#include <dlfcn.h>

bool dex_library_load(struct dex_library *library, const char *name, const char **problem) {
    pthread_mutex_lock(&library->loading);
    // Never closed: exit handlers and threads of a library do not survive that.
    void *opened = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    bool succeeded = opened && (library->is_loaded || library->find(opened));
    if (succeeded) library->is_loaded = true;
    *problem = succeeded ? NULL : dlerror();
    pthread_mutex_unlock(&library->loading);
    return succeeded;
}
