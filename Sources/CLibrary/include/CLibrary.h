#pragma once
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/// A library of the system that is loaded while the program runs, by its first use.
///
/// Set `find` and `loading` (PTHREAD_MUTEX_INITIALIZER); the rest is zero.
struct dex_library {
    /// Takes the functions that are needed from an opened library; false if one is missing.
    bool (*find)(void *library);
    pthread_mutex_t loading;
    bool is_loaded;
};

/// Loads a library, from any thread and any number of times; true if there is one.
///
/// Once the functions are found, those of another file name are not looked for. On failure,
/// `problem` points to the dynamic linker's words until this thread loads another library.
bool dex_library_load(struct dex_library *library, const char *name, const char **problem);
