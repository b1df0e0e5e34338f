#pragma once
#include <stdbool.h>
#include <stddef.h>

// libpq, PostgreSQL's client library, loaded by the first connection: neither a build nor a relay
// on SQLite needs it. Its functions are declared here, since its ABI has been stable for longer
// than the oldest supported server; its header is not needed.
//
// Call its functions only through those below, and those of one connection from one thread at a
// time.

/// libpq's file name, unchanged with its ABI since 2006.
#if defined(__APPLE__)
#define DEX_PQ_LIBRARY "libpq.5.dylib"
#else
#define DEX_PQ_LIBRARY "libpq.so.5"
#endif

/// A connection of libpq (PGconn).
typedef struct pg_conn dex_pq_connection;
/// A result of libpq (PGresult).
typedef struct pg_result dex_pq_result;

/// PostgresPollingStatusType.
enum { DEX_PQ_POLL_FAILED = 0, DEX_PQ_POLL_READING = 1, DEX_PQ_POLL_WRITING = 2, DEX_PQ_POLL_OK = 3 };
/// ExecStatusType, as far as it is used.
enum { DEX_PQ_COMMAND_OK = 1, DEX_PQ_TUPLES_OK = 2 };
/// Codes of an error's fields.
enum { DEX_PQ_SQLSTATE = 'C', DEX_PQ_PRIMARY_MESSAGE = 'M' };

/// Loads a libpq, from any thread and any number of times; true if there is one.
///
/// Call this first. On failure, `problem` points to the dynamic linker's words until this thread
/// loads another library.
bool dex_pq_load(const char *library, const char **problem);

/// The parts of a connection string: calls `part` with each keyword that has a value there.
///
/// On failure it returns false and `problem` gets libpq's words; free them with `dex_pq_free`.
bool dex_pq_parse(const char *text, char **problem, void *context,
                  void (*part)(void *context, const char *keyword, const char *value));
void dex_pq_free(void *memory);

/// Begins to connect without waiting; the two lists end with NULL. NULL: there is no memory.
///
/// Notices are ignored, and messages begin with their SQLSTATE.
dex_pq_connection *dex_pq_connect(const char *const *keywords, const char *const *values);
int dex_pq_connect_poll(dex_pq_connection *connection);
void dex_pq_finish(dex_pq_connection *connection);
/// The connection is usable, as far as this side knows.
bool dex_pq_is_alive(const dex_pq_connection *connection);
bool dex_pq_needs_password(const dex_pq_connection *connection);
const char *dex_pq_message(const dex_pq_connection *connection);
int dex_pq_socket(const dex_pq_connection *connection);
int dex_pq_server_version(const dex_pq_connection *connection);
const char *dex_pq_database(const dex_pq_connection *connection);
const char *dex_pq_user(const dex_pq_connection *connection);
const char *dex_pq_host(const dex_pq_connection *connection);
int dex_pq_backend(const dex_pq_connection *connection);

/// Later calls queue what they send; false on failure.
bool dex_pq_set_nonblocking(dex_pq_connection *connection);
/// One or more statements without parameters.
bool dex_pq_send(dex_pq_connection *connection, const char *text);
bool dex_pq_send_prepare(dex_pq_connection *connection, const char *name, const char *text);
/// A statement with parameters in binary format; its result is in binary format too.
bool dex_pq_send_query(dex_pq_connection *connection, const char *text, int count,
                       const char *const *values, const int *lengths, const int *formats);
/// The same for a prepared statement.
bool dex_pq_send_prepared(dex_pq_connection *connection, const char *name, int count,
                          const char *const *values, const int *lengths, const int *formats);
/// 0: all is sent. 1: more is to be sent. -1: failed.
int dex_pq_flush(dex_pq_connection *connection);
bool dex_pq_consume(dex_pq_connection *connection);
bool dex_pq_is_busy(dex_pq_connection *connection);
/// NULL: there is no further result.
dex_pq_result *dex_pq_next_result(dex_pq_connection *connection);
/// Takes a notification out of the queue; false if there is none. At most `size` bytes of its
/// payload, with a zero at the end, are copied.
bool dex_pq_take_notification(dex_pq_connection *connection, char *payload, size_t size);

int dex_pq_status(const dex_pq_result *result);
/// NULL: the error has no such field.
const char *dex_pq_error_field(const dex_pq_result *result, int field);
int dex_pq_rows(const dex_pq_result *result);
int dex_pq_columns(const dex_pq_result *result);
const char *dex_pq_value(const dex_pq_result *result, int row, int column);
int dex_pq_length(const dex_pq_result *result, int row, int column);
bool dex_pq_is_null(const dex_pq_result *result, int row, int column);
void dex_pq_clear(dex_pq_result *result);

/// A pipe that wakes `dex_pq_wait`: [0] is waited for, [1] is written to. false: there is none.
bool dex_pq_make_pipe(int ends[2]);
void dex_pq_wake(int writing_end);
void dex_pq_close(int descriptor);

enum { DEX_PQ_READABLE = 1, DEX_PQ_WRITABLE = 2, DEX_PQ_WOKEN = 4 };
/// Waits for some of these events of the socket, for the pipe, or for so many milliseconds; a broken
/// socket is readable and writable. It returns what happened, 0 for nothing, -1 on failure.
int dex_pq_wait(int socket, int pipe, int events, int milliseconds);
