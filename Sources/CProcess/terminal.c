#define _GNU_SOURCE

#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <termios.h>
#include <unistd.h>

static int terminal = -1;
static struct termios shown;
static struct termios hidden;
static atomic_int is_hidden;
// The alternate screen without a cursor, and back; empty for a question.
static const char screen_on[] = "\x1b[?1049h\x1b[?25l";
static const char screen_off[] = "\x1b[2J\x1b[?25h\x1b[?1049l";
static atomic_int is_full_screen;

// Signals that end a process, except those that dex handles itself.
static const int endings[] = {SIGHUP,  SIGQUIT, SIGABRT, SIGSEGV, SIGBUS,
                              SIGILL,  SIGFPE,  SIGTRAP, SIGSYS,  SIGALRM,
                              SIGUSR1, SIGUSR2, SIGXCPU};
enum { ENDINGS = sizeof endings / sizeof endings[0] };
static struct sigaction endings_before[ENDINGS];
static struct sigaction stop_before;
static struct sigaction continue_before;

// All calls here are async-signal-safe.
static void set(const struct termios *settings) {
    // In the background another process uses the terminal.
    if (tcgetpgrp(terminal) != getpgrp()) return;
    if (atomic_load(&is_full_screen)) {
        const int on = settings == &hidden;
        // A terminal that takes nothing any more has nothing to restore.
        (void)!write(terminal, on ? screen_on : screen_off,
                     (on ? sizeof screen_on : sizeof screen_off) - 1);
    }
    tcsetattr(terminal, TCSANOW, settings);
    tcflush(terminal, TCIFLUSH);
}

// The action is the default one again (SA_RESETHAND): the process ends when this returns.
static void on_ending(int number) {
    if (atomic_load(&is_hidden)) set(&shown);
    raise(number);
}

static void on_stop(int number) {
    const int code = errno;
    if (atomic_load(&is_hidden)) set(&shown);
    struct sigaction standard = {.sa_handler = SIG_DFL}, ours;
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, number);
    sigaction(number, &standard, &ours);
    raise(number);
    // The process stops here until it is continued.
    pthread_sigmask(SIG_UNBLOCK, &one, NULL);
    sigaction(number, &ours, NULL);
    errno = code;
}

static void on_continue(int number) {
    (void)number;
    const int code = errno;
    if (atomic_load(&is_hidden)) set(&hidden);
    // The screen is empty now: it is drawn again as after a change of its size.
    if (atomic_load(&is_full_screen)) raise(SIGWINCH);
    errno = code;
}

static void install(int number, void (*handler)(int), int flags, struct sigaction *before) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, before);
    // An ignored signal, as under nohup, stays ignored.
    if (before->sa_handler == SIG_IGN) sigaction(number, before, NULL);
}

static int prepare(void) {
    if (terminal < 0) terminal = open("/dev/tty", O_RDWR | O_CLOEXEC);
    if (terminal < 0 || tcgetattr(terminal, &shown) != 0) return -errno;
    hidden = shown;
    hidden.c_lflag &= ~(tcflag_t)(ECHO | ECHONL);
    // The key that would end the process with a core dump.
    hidden.c_cc[VQUIT] = _POSIX_VDISABLE;
    return 0;
}

static void start(void) {
    for (int i = 0; i < ENDINGS; i++) {
        install(endings[i], on_ending, SA_RESETHAND, &endings_before[i]);
    }
    install(SIGTSTP, on_stop, SA_RESTART, &stop_before);
    install(SIGCONT, on_continue, SA_RESTART, &continue_before);
    atomic_store(&is_hidden, 1);
    set(&hidden);
}

int dex_terminal_hide(void) {
    if (atomic_load(&is_hidden)) {
        set(&hidden);
        return 0;
    }
    const int error = prepare();
    if (error != 0) return error;
    // The key that would stop the process.
    hidden.c_cc[VSUSP] = _POSIX_VDISABLE;
    start();
    return 0;
}

int dex_terminal_full_screen(void) {
    if (atomic_load(&is_hidden)) return -EBUSY;
    const int error = prepare();
    if (error != 0) return error;
    // Keys come one by one.
    hidden.c_lflag &= ~(tcflag_t)ICANON;
    hidden.c_cc[VMIN] = 1;
    hidden.c_cc[VTIME] = 0;
    atomic_store(&is_full_screen, 1);
    start();
    return 0;
}

int dex_terminal_secret_screen(void) {
    dex_terminal_show();
    const int error = prepare();
    if (error != 0) return error;
    hidden.c_cc[VSUSP] = _POSIX_VDISABLE;
    atomic_store(&is_full_screen, 1);
    start();
    return 0;
}

void dex_terminal_show(void) {
    if (!atomic_exchange(&is_hidden, 0)) return;
    set(&shown);
    atomic_store(&is_full_screen, 0);
    for (int i = 0; i < ENDINGS; i++) sigaction(endings[i], &endings_before[i], NULL);
    sigaction(SIGTSTP, &stop_before, NULL);
    sigaction(SIGCONT, &continue_before, NULL);
}
