#define _GNU_SOURCE
#include "CPostgres.h"

#include <CLibrary.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

// libpq's header is not needed for a build. Where there is one, what is declared here is compared
// with it.
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#define HAS_HEADER 1
#elif __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#define HAS_HEADER 1
#else
#define HAS_HEADER 0
#endif

// PQconninfoOption, whose layout is a part of the ABI.
struct conninfo_option {
    char *keyword, *envvar, *compiled, *val, *label, *dispchar;
    int dispsize;
};

// PGnotify, as far as it is public.
struct notification {
    char *relname;
    int be_pid;
    char *extra;
};

#if HAS_HEADER
typedef PQconninfoOption option_list;
typedef PGnotify notice;
typedef ConnStatusType connection_status;
typedef PostgresPollingStatusType polling_status;
typedef ExecStatusType result_status;
typedef PGVerbosity verbosity;
#define SAME_MEMBER(ours, theirs, member)                                                          \
    _Static_assert(offsetof(struct ours, member) == offsetof(theirs, member), #member)
SAME_MEMBER(conninfo_option, PQconninfoOption, keyword);
SAME_MEMBER(conninfo_option, PQconninfoOption, val);
SAME_MEMBER(notification, PGnotify, extra);
_Static_assert(sizeof(struct conninfo_option) == sizeof(PQconninfoOption), "PQconninfoOption");
#else
typedef struct conninfo_option option_list;
typedef struct notification notice;
// Enumerations of the header, passed as int by its ABI.
typedef int connection_status, polling_status, result_status, verbosity;
enum { CONNECTION_OK = 0, PQERRORS_VERBOSE = 2 };
#endif

typedef void (*notice_receiver)(void *context, const dex_pq_result *result);

enum { BINARY = 1 };

// Every libpq function in use: its result, its name, its parameters.
#define FUNCTIONS(X)                                                                               \
    X(option_list *, conninfoParse, (const char *, char **))                                       \
    X(void, conninfoFree, (option_list *))                                                         \
    X(void, freemem, (void *))                                                                     \
    X(dex_pq_connection *, connectStartParams,                                                     \
      (const char *const *, const char *const *, int))                                             \
    X(polling_status, connectPoll, (dex_pq_connection *))                                          \
    X(void, finish, (dex_pq_connection *))                                                         \
    X(connection_status, status, (const dex_pq_connection *))                                      \
    X(int, connectionNeedsPassword, (const dex_pq_connection *))                                   \
    X(char *, errorMessage, (const dex_pq_connection *))                                           \
    X(int, socket, (const dex_pq_connection *))                                                    \
    X(int, serverVersion, (const dex_pq_connection *))                                             \
    X(char *, db, (const dex_pq_connection *))                                                     \
    X(char *, user, (const dex_pq_connection *))                                                   \
    X(char *, host, (const dex_pq_connection *))                                                   \
    X(int, backendPID, (const dex_pq_connection *))                                                \
    X(verbosity, setErrorVerbosity, (dex_pq_connection *, verbosity))                              \
    X(notice_receiver, setNoticeReceiver, (dex_pq_connection *, notice_receiver, void *))          \
    X(int, setnonblocking, (dex_pq_connection *, int))                                             \
    X(int, sendQuery, (dex_pq_connection *, const char *))                                         \
    X(int, sendPrepare,                                                                            \
      (dex_pq_connection *, const char *, const char *, int, const unsigned int *))                \
    X(int, sendQueryParams,                                                                        \
      (dex_pq_connection *, const char *, int, const unsigned int *, const char *const *,          \
       const int *, const int *, int))                                                             \
    X(int, sendQueryPrepared,                                                                      \
      (dex_pq_connection *, const char *, int, const char *const *, const int *, const int *,      \
       int))                                                                                       \
    X(int, flush, (dex_pq_connection *))                                                           \
    X(int, consumeInput, (dex_pq_connection *))                                                    \
    X(int, isBusy, (dex_pq_connection *))                                                          \
    X(dex_pq_result *, getResult, (dex_pq_connection *))                                           \
    X(notice *, notifies, (dex_pq_connection *))                                                   \
    X(result_status, resultStatus, (const dex_pq_result *))                                        \
    X(char *, resultErrorField, (const dex_pq_result *, int))                                      \
    X(int, ntuples, (const dex_pq_result *))                                                       \
    X(int, nfields, (const dex_pq_result *))                                                       \
    X(char *, getvalue, (const dex_pq_result *, int, int))                                         \
    X(int, getlength, (const dex_pq_result *, int, int))                                           \
    X(int, getisnull, (const dex_pq_result *, int, int))                                           \
    X(void, clear, (dex_pq_result *))

#if HAS_HEADER
#define COMPARE(type, name, parameters)                                                            \
    _Static_assert(__builtin_types_compatible_p(__typeof__(PQ##name), type parameters), #name);
FUNCTIONS(COMPARE)
#endif

#define DECLARE(type, name, parameters) type(*name) parameters;
struct functions {
    FUNCTIONS(DECLARE)
};

static struct functions pq;

// dlsym's object pointer is not a function type in C; POSIX guarantees the conversion.
#define FIND(type, name, parameters)                                                               \
    found.name = (type(*) parameters)dlsym(library, "PQ" #name);                                   \
    if (!found.name) return false;

static bool find_functions(void *library) {
    struct functions found;
    FUNCTIONS(FIND)
    pq = found;
    return true;
}

static struct dex_library system_library = {
    .find = find_functions,
    .loading = PTHREAD_MUTEX_INITIALIZER,
};

bool dex_pq_load(const char *name, const char **problem) {
    return dex_library_load(&system_library, name, problem);
}

bool dex_pq_parse(const char *text, char **problem, void *context,
                  void (*part)(void *context, const char *keyword, const char *value)) {
    option_list *options = pq.conninfoParse(text, problem);
    if (!options) return false;
    for (option_list *option = options; option->keyword; option++) {
        if (option->val) part(context, option->keyword, option->val);
    }
    pq.conninfoFree(options);
    return true;
}

void dex_pq_free(void *memory) { pq.freemem(memory); }

static void ignore_notice(void *context, const dex_pq_result *result) {
    (void)context;
    (void)result;
}

dex_pq_connection *dex_pq_connect(const char *const *keywords, const char *const *values) {
    dex_pq_connection *connection = pq.connectStartParams(keywords, values, 0);
    if (!connection) return NULL;
    pq.setErrorVerbosity(connection, PQERRORS_VERBOSE);
    pq.setNoticeReceiver(connection, ignore_notice, NULL);
    return connection;
}

int dex_pq_connect_poll(dex_pq_connection *connection) { return pq.connectPoll(connection); }

void dex_pq_finish(dex_pq_connection *connection) { pq.finish(connection); }

bool dex_pq_is_alive(const dex_pq_connection *connection) {
    return pq.status(connection) == CONNECTION_OK;
}

bool dex_pq_needs_password(const dex_pq_connection *connection) {
    return pq.connectionNeedsPassword(connection);
}

const char *dex_pq_message(const dex_pq_connection *connection) {
    return pq.errorMessage(connection);
}

int dex_pq_socket(const dex_pq_connection *connection) { return pq.socket(connection); }

int dex_pq_server_version(const dex_pq_connection *connection) {
    return pq.serverVersion(connection);
}

const char *dex_pq_database(const dex_pq_connection *connection) { return pq.db(connection); }

const char *dex_pq_user(const dex_pq_connection *connection) { return pq.user(connection); }

const char *dex_pq_host(const dex_pq_connection *connection) { return pq.host(connection); }

int dex_pq_backend(const dex_pq_connection *connection) { return pq.backendPID(connection); }

bool dex_pq_set_nonblocking(dex_pq_connection *connection) {
    return pq.setnonblocking(connection, 1) == 0;
}

bool dex_pq_send(dex_pq_connection *connection, const char *text) {
    return pq.sendQuery(connection, text);
}

bool dex_pq_send_prepare(dex_pq_connection *connection, const char *name, const char *text) {
    return pq.sendPrepare(connection, name, text, 0, NULL);
}

bool dex_pq_send_query(dex_pq_connection *connection, const char *text, int count,
                       const char *const *values, const int *lengths, const int *formats) {
    return pq.sendQueryParams(connection, text, count, NULL, values, lengths, formats, BINARY);
}

bool dex_pq_send_prepared(dex_pq_connection *connection, const char *name, int count,
                          const char *const *values, const int *lengths, const int *formats) {
    return pq.sendQueryPrepared(connection, name, count, values, lengths, formats, BINARY);
}

int dex_pq_flush(dex_pq_connection *connection) { return pq.flush(connection); }

bool dex_pq_consume(dex_pq_connection *connection) { return pq.consumeInput(connection); }

bool dex_pq_is_busy(dex_pq_connection *connection) { return pq.isBusy(connection); }

dex_pq_result *dex_pq_next_result(dex_pq_connection *connection) {
    return pq.getResult(connection);
}

bool dex_pq_take_notification(dex_pq_connection *connection, char *payload, size_t size) {
    notice *found = pq.notifies(connection);
    if (!found) return false;
    if (size > 0) {
        strncpy(payload, found->extra ? found->extra : "", size - 1);
        payload[size - 1] = 0;
    }
    pq.freemem(found);
    return true;
}

int dex_pq_status(const dex_pq_result *result) { return pq.resultStatus(result); }

const char *dex_pq_error_field(const dex_pq_result *result, int field) {
    return pq.resultErrorField(result, field);
}

int dex_pq_rows(const dex_pq_result *result) { return pq.ntuples(result); }

int dex_pq_columns(const dex_pq_result *result) { return pq.nfields(result); }

const char *dex_pq_value(const dex_pq_result *result, int row, int column) {
    return pq.getvalue(result, row, column);
}

int dex_pq_length(const dex_pq_result *result, int row, int column) {
    return pq.getlength(result, row, column);
}

bool dex_pq_is_null(const dex_pq_result *result, int row, int column) {
    return pq.getisnull(result, row, column);
}

void dex_pq_clear(dex_pq_result *result) { pq.clear(result); }

bool dex_pq_make_pipe(int ends[2]) {
    return pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0;
}

void dex_pq_wake(int writing_end) {
    // A full pipe wakes as well.
    ssize_t written = write(writing_end, "", 1);
    (void)written;
}

void dex_pq_close(int descriptor) { close(descriptor); }

int dex_pq_wait(int socket, int pipe, int events, int milliseconds) {
    struct pollfd waited[2] = {{.fd = socket}, {.fd = pipe, .events = POLLIN}};
    if (events & DEX_PQ_READABLE) waited[0].events |= POLLIN;
    if (events & DEX_PQ_WRITABLE) waited[0].events |= POLLOUT;
    int count = poll(waited, 2, milliseconds);
    if (count < 0) return errno == EINTR ? 0 : -1;
    int happened = 0;
    if (waited[0].revents & ~POLLOUT) happened |= DEX_PQ_READABLE;
    if (waited[0].revents & ~POLLIN) happened |= DEX_PQ_WRITABLE;
    if (waited[1].revents) happened |= DEX_PQ_WOKEN;
    return happened;
}
