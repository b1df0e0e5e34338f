#pragma once
#include <curl/curl.h>
#include <stdbool.h>

// libcurl, loaded by the first request. It loads some thirty libraries, which would take as much
// time as the rest of a command's start, even for commands without a request.
//
// Call its functions only through those below. Swift cannot call C functions with variable
// arguments, so each kind of argument has its own function; the option must be of the kind in the
// function's name.

/// libcurl's file name, unchanged with its ABI since 2006.
#if defined(__APPLE__)
#define DEX_CURL_LIBRARY "libcurl.4.dylib"
#else
#define DEX_CURL_LIBRARY "libcurl.so.4"
#endif

/// Loads a libcurl, from any thread and any number of times; true if there is one.
///
/// Call this first. On failure, `problem` points to the dynamic linker's words until this thread
/// loads another library.
bool dex_curl_load(const char *library, const char **problem);

/// Initialises libcurl for the whole process.
CURLcode dex_curl_global_init(void);

CURL *dex_curl_easy_init(void);
void dex_curl_easy_cleanup(CURL *handle);
const char *dex_curl_easy_strerror(CURLcode code);

CURLcode dex_curl_set_long(CURL *handle, CURLoption option, long value);
CURLcode dex_curl_set_size(CURL *handle, CURLoption option, curl_off_t value);
CURLcode dex_curl_set_text(CURL *handle, CURLoption option, const char *value);
CURLcode dex_curl_set_pointer(CURL *handle, CURLoption option, void *value);
CURLcode dex_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value);
CURLcode dex_curl_set_write(CURL *handle, CURLoption option, curl_write_callback value);

/// Only http and https, whatever else libcurl supports.
CURLcode dex_curl_allow_only_http(CURL *handle);
/// Does not wait for a pending name look-up when its transfer is abandoned.
CURLcode dex_curl_never_wait_for_lookups(CURL *handle);

CURLcode dex_curl_get_long(CURL *handle, CURLINFO info, long *value);
CURLcode dex_curl_get_size(CURL *handle, CURLINFO info, curl_off_t *value);

/// The socket of a connection that was made with CURLOPT_CONNECT_ONLY.
CURLcode dex_curl_get_socket(CURL *handle, curl_socket_t *value);
/// Reads what such a connection has; CURLE_AGAIN if it has nothing now.
CURLcode dex_curl_easy_recv(CURL *handle, void *buffer, size_t size, size_t *count);
/// Sends what such a connection takes; CURLE_AGAIN if it takes nothing now.
CURLcode dex_curl_easy_send(CURL *handle, const void *buffer, size_t size, size_t *count);

struct curl_slist *dex_curl_slist_append(struct curl_slist *list, const char *text);
void dex_curl_slist_free_all(struct curl_slist *list);

CURLU *dex_curl_url(void);
void dex_curl_url_cleanup(CURLU *url);
CURLUcode dex_curl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned int flags);
CURLUcode dex_curl_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags);
void dex_curl_free(void *text);

/// Seconds since 1970 for a date in HTTP's formats; -1 for anything else.
time_t dex_curl_getdate(const char *text);

CURLM *dex_curl_multi_init(void);
void dex_curl_multi_cleanup(CURLM *multi);
const char *dex_curl_multi_strerror(CURLMcode code);
CURLMcode dex_curl_multi_set_long(CURLM *multi, CURLMoption option, long value);
CURLMcode dex_curl_multi_add_handle(CURLM *multi, CURL *handle);
CURLMcode dex_curl_multi_remove_handle(CURLM *multi, CURL *handle);
CURLMcode dex_curl_multi_perform(CURLM *multi, int *running);
CURLMsg *dex_curl_multi_info_read(CURLM *multi, int *left);
/// Waits for an event, at most this many milliseconds.
CURLMcode dex_curl_multi_wait(CURLM *multi, int milliseconds);
/// Waits for an event, or until a socket can be read or written, at most this many milliseconds.
CURLMcode dex_curl_multi_wait_for(CURLM *multi, curl_socket_t socket, bool reads, bool writes,
                                  int milliseconds);
CURLMcode dex_curl_multi_wakeup(CURLM *multi);

/// The result of a finished transfer; only for a message of the kind CURLMSG_DONE.
CURLcode dex_curl_result(const CURLMsg *message);
