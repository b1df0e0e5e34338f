#define _GNU_SOURCE

#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static int terminal = -1;
static struct termios shown;
static struct termios hidden;
static atomic_int is_hidden;
// The alternate screen without a cursor, and back; empty for a question.
static const char screen_on[] = "\x1b[?1049h\x1b[?25l";
static const char screen_off[] = "\x1b[2J\x1b[?25h\x1b[?1049l";
// The same with pastes marked and lines that do not wrap, and back from anything it may have set.
static const char live_on[] = "\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[?7l";
static const char live_off[] =
    "\x1b[?2026l\x1b[0m\x1b[?1006l\x1b[?1000l\x1b[?7h\x1b[?2004l\x1b[2J\x1b[?25h\x1b[?1049l";
// Clicks and the wheel, in decimal numbers; live_off always ends it.
static const char mouse_on[] = "\x1b[?1000h\x1b[?1006h";
static atomic_int is_full_screen;
static atomic_int is_live;
static atomic_int has_mouse;
// The alternate screen is ours now.
static atomic_int is_taken;
// The parent that dex_die_with watches; 0 without one.
static volatile pid_t parent_before;

// Signals that end a process, except those that dex handles itself.
static const int endings[] = {SIGHUP,  SIGQUIT, SIGABRT, SIGSEGV, SIGBUS,
                              SIGILL,  SIGFPE,  SIGTRAP, SIGSYS,  SIGALRM,
                              SIGUSR1, SIGUSR2, SIGXCPU};
enum { ENDINGS = sizeof endings / sizeof endings[0] };
static struct sigaction endings_before[ENDINGS];
static struct sigaction stop_before;
static struct sigaction continue_before;

static int is_in_background(void) {
    return tcgetpgrp(terminal) != getpgrp();
}

static void write_screen(int on) {
    const char *text = on ? screen_on : screen_off;
    if (atomic_load(&is_live)) text = on ? live_on : live_off;
    atomic_store(&is_taken, on);
    // A terminal that takes nothing any more has nothing to restore.
    (void)!write(terminal, text, strlen(text));
    if (on && atomic_load(&is_live) && atomic_load(&has_mouse)) {
        (void)!write(terminal, mouse_on, sizeof mouse_on - 1);
    }
}

// Also from the background, where a shell has the terminal again already.
static void set_modes(const struct termios *settings) {
    sigset_t stop, before;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &stop, &before);
    tcsetattr(terminal, TCSANOW, settings);
    tcflush(terminal, TCIFLUSH);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

// The parent was killed with the screen taken: the shell has the terminal, and its own modes.
static void give_back_as_orphan(void) {
    if (atomic_load(&is_taken)) write_screen(0);
    struct termios now;
    if (tcgetattr(terminal, &now) != 0 || now.c_lflag != hidden.c_lflag ||
        now.c_iflag != hidden.c_iflag) {
        return;
    }
    set_modes(&shown);
}

// All calls here are async-signal-safe.
static void set(const struct termios *settings) {
    const int on = settings == &hidden;
    // In the background another process uses the terminal.
    if (is_in_background()) {
        if (!on && parent_before > 0 && getppid() != parent_before) give_back_as_orphan();
        return;
    }
    // The modes differ from before whenever the screen is taken: the parent sees it by them.
    if (on) set_modes(settings);
    if (atomic_load(&is_full_screen)) write_screen(on);
    if (!on) set_modes(settings);
}

// The action is the default one again (SA_RESETHAND): the process ends when this returns.
static void on_ending(int number) {
    if (atomic_load(&is_hidden)) set(&shown);
    raise(number);
}

// Stops the process by a signal whose action is the default one meanwhile.
static void stop_by(int number) {
    struct sigaction standard = {.sa_handler = SIG_DFL}, ours;
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, number);
    sigaction(number, &standard, &ours);
    raise(number);
    // The process stops here until it is continued.
    pthread_sigmask(SIG_UNBLOCK, &one, NULL);
    sigaction(number, &ours, NULL);
}

static void on_stop(int number) {
    const int code = errno;
    if (atomic_load(&is_hidden)) set(&shown);
    stop_by(number);
    // Without a shell above there is no stop, and so nothing that continues it.
    if (atomic_load(&is_live) && !atomic_load(&is_taken) && !is_in_background()) {
        set(&hidden);
        raise(SIGWINCH);
    }
    errno = code;
}

static void on_continue(int number) {
    (void)number;
    const int code = errno;
    if (atomic_load(&is_live) && is_in_background()) {
        // Continued by `bg`: the screen is drawn in the foreground only.
        stop_by(SIGTTOU);
        errno = code;
        return;
    }
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

int dex_terminal_live_screen(int mouse) {
    if (atomic_load(&is_hidden)) return -EBUSY;
    const int error = prepare();
    if (error != 0) return error;
    // Every key is read as it is: Ctrl-C, Ctrl-Z, Ctrl-S, Enter.
    hidden.c_lflag &= ~(tcflag_t)(ICANON | ISIG | IEXTEN);
    hidden.c_iflag &= ~(tcflag_t)(IXON | ICRNL | INLCR | IGNCR | ISTRIP | BRKINT);
    hidden.c_oflag &= ~(tcflag_t)OPOST;
    hidden.c_cc[VMIN] = 1;
    hidden.c_cc[VTIME] = 0;
    // Started in the background it waits for the foreground, as the terminal would make it.
    if (is_in_background()) stop_by(SIGTTOU);
    if (is_in_background()) return -EPERM;
    atomic_store(&has_mouse, mouse);
    atomic_store(&is_live, 1);
    atomic_store(&is_full_screen, 1);
    start();
    return 0;
}

static volatile pid_t guarded;

// A fault of this process itself is not for the child.
static void forward(int number, siginfo_t *cause, void *context) {
    (void)context;
    const int code = errno;
    const int is_fault = number == SIGSEGV || number == SIGBUS || number == SIGILL ||
                         number == SIGFPE || number == SIGTRAP || number == SIGSYS;
    if (is_fault && cause->si_code > 0) {
        signal(number, SIG_DFL);
    } else if (guarded > 0) {
        kill(guarded, number);
    }
    errno = code;
}

static const int forwarded[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGUSR1,
                                SIGUSR2, SIGALRM, SIGTSTP, SIGABRT, SIGSEGV,
                                SIGBUS,  SIGILL,  SIGFPE,  SIGTRAP, SIGSYS};

// What the child took and did not give back. In the background it is the shell's to set.
static void restore(int descriptor, const struct termios *before) {
    struct termios now;
    if (tcgetpgrp(descriptor) != getpgrp() || tcgetattr(descriptor, &now) != 0) return;
    if (now.c_lflag == before->c_lflag && now.c_iflag == before->c_iflag) return;
    (void)!write(descriptor, live_off, sizeof live_off - 1);
    tcsetattr(descriptor, TCSANOW, before);
    tcflush(descriptor, TCIFLUSH);
}

int dex_terminal_guard(int descriptor, int (*spawn)(void *), void *context) {
    struct termios before;
    if (tcgetattr(descriptor, &before) != 0) return -1;
    const pid_t child = spawn(context);
    if (child <= 0) return -1;
    guarded = child;
    struct sigaction action = {.sa_sigaction = forward, .sa_flags = SA_RESTART | SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    for (unsigned long i = 0; i < sizeof forwarded / sizeof forwarded[0]; i++) {
        sigaction(forwarded[i], &action, NULL);
    }
    int status = 0;
    for (;;) {
        if (waitpid(child, &status, WUNTRACED) < 0) {
            if (errno == EINTR) continue;
            status = 0;
            break;
        }
        if (!WIFSTOPPED(status)) break;
        restore(descriptor, &before);
        // The shell sees us stop, and continues both. Without one there is no stop.
        stop_by(SIGTSTP);
        int now = 0;
        const pid_t seen = waitpid(child, &now, WCONTINUED | WNOHANG);
        if (seen == child && !WIFCONTINUED(now)) {
            status = now;
            break;
        }
        // Continued already: twice would take the screen twice.
        if (seen != child) kill(child, SIGCONT);
    }
    guarded = 0;
    restore(descriptor, &before);
    return status;
}

int dex_die_with(int parent) {
    if (getppid() != parent || prctl(PR_SET_PDEATHSIG, SIGTERM) != 0) return -1;
    parent_before = parent;
    // It may have died in between.
    return getppid() == parent ? 0 : -1;
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
    atomic_store(&is_live, 0);
    for (int i = 0; i < ENDINGS; i++) sigaction(endings[i], &endings_before[i], NULL);
    sigaction(SIGTSTP, &stop_before, NULL);
    sigaction(SIGCONT, &continue_before, NULL);
}
