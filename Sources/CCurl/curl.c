#include "CCurl.h"

#include <CLibrary.h>
#include <dlfcn.h>

// Every libcurl function in use: a pointer of the type that curl.h declares.
#define FUNCTIONS(X)                                                                               \
    X(global_init)                                                                                 \
    X(easy_init)                                                                                   \
    X(easy_cleanup)                                                                                \
    X(easy_strerror)                                                                               \
    X(easy_setopt)                                                                                 \
    X(easy_getinfo)                                                                                \
    X(easy_recv)                                                                                   \
    X(easy_send)                                                                                   \
    X(slist_append)                                                                                \
    X(slist_free_all)                                                                              \
    X(url)                                                                                         \
    X(url_cleanup)                                                                                 \
    X(url_set)                                                                                     \
    X(url_get)                                                                                     \
    X(free)                                                                                        \
    X(getdate)                                                                                     \
    X(multi_init)                                                                                  \
    X(multi_cleanup)                                                                               \
    X(multi_strerror)                                                                              \
    X(multi_setopt)                                                                                \
    X(multi_add_handle)                                                                            \
    X(multi_remove_handle)                                                                         \
    X(multi_perform)                                                                               \
    X(multi_info_read)                                                                             \
    X(multi_poll)                                                                                  \
    X(multi_wakeup)

#define DECLARE(name) __typeof__(&curl_##name) name;
struct functions {
    FUNCTIONS(DECLARE)
};

static struct functions curl;

// dlsym's object pointer is not a function type in C; POSIX guarantees the conversion.
#define FIND(name)                                                                                 \
    found.name = (__typeof__(&curl_##name))dlsym(library, "curl_" #name);                          \
    if (!found.name) return false;

static bool find_functions(void *library) {
    struct functions found;
    FUNCTIONS(FIND)
    curl = found;
    return true;
}

static struct dex_library system_library = {
    .find = find_functions,
    .loading = PTHREAD_MUTEX_INITIALIZER,
};

bool dex_curl_load(const char *name, const char **problem) {
    return dex_library_load(&system_library, name, problem);
}

CURLcode dex_curl_global_init(void) { return curl.global_init(CURL_GLOBAL_DEFAULT); }

CURL *dex_curl_easy_init(void) { return curl.easy_init(); }

void dex_curl_easy_cleanup(CURL *handle) { curl.easy_cleanup(handle); }

const char *dex_curl_easy_strerror(CURLcode code) { return curl.easy_strerror(code); }

CURLcode dex_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl.easy_setopt(handle, option, value);
}

CURLcode dex_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return curl.easy_setopt(handle, option, value);
}

CURLcode dex_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl.easy_setopt(handle, option, value);
}

CURLcode dex_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl.easy_setopt(handle, option, value);
}

CURLcode dex_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl.easy_setopt(handle, option, value);
}

CURLcode dex_curl_set_write(CURL *handle, CURLoption option, curl_write_callback value) {
    return curl.easy_setopt(handle, option, value);
}

CURLcode dex_curl_allow_only_http(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl.easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    return curl.easy_setopt(handle, CURLOPT_PROTOCOLS, CURLPROTO_HTTP | CURLPROTO_HTTPS);
#endif
}

CURLcode dex_curl_never_wait_for_lookups(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075700
    return curl.easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
#else
    (void)handle;
    return CURLE_OK;
#endif
}

CURLcode dex_curl_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl.easy_getinfo(handle, info, value);
}

CURLcode dex_curl_get_size(CURL *handle, CURLINFO info, curl_off_t *value) {
    return curl.easy_getinfo(handle, info, value);
}

CURLcode dex_curl_get_socket(CURL *handle, curl_socket_t *value) {
    return curl.easy_getinfo(handle, CURLINFO_ACTIVESOCKET, value);
}

CURLcode dex_curl_easy_recv(CURL *handle, void *buffer, size_t size, size_t *count) {
    return curl.easy_recv(handle, buffer, size, count);
}

CURLcode dex_curl_easy_send(CURL *handle, const void *buffer, size_t size, size_t *count) {
    return curl.easy_send(handle, buffer, size, count);
}

struct curl_slist *dex_curl_slist_append(struct curl_slist *list, const char *text) {
    return curl.slist_append(list, text);
}

void dex_curl_slist_free_all(struct curl_slist *list) { curl.slist_free_all(list); }

CURLU *dex_curl_url(void) { return curl.url(); }

void dex_curl_url_cleanup(CURLU *url) { curl.url_cleanup(url); }

CURLUcode dex_curl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned int flags) {
    return curl.url_set(url, part, text, flags);
}

CURLUcode dex_curl_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags) {
    return curl.url_get(url, part, text, flags);
}

void dex_curl_free(void *text) { curl.free(text); }

time_t dex_curl_getdate(const char *text) { return curl.getdate(text, NULL); }

CURLM *dex_curl_multi_init(void) { return curl.multi_init(); }

void dex_curl_multi_cleanup(CURLM *multi) { curl.multi_cleanup(multi); }

const char *dex_curl_multi_strerror(CURLMcode code) { return curl.multi_strerror(code); }

CURLMcode dex_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl.multi_setopt(multi, option, value);
}

CURLMcode dex_curl_multi_add_handle(CURLM *multi, CURL *handle) {
    return curl.multi_add_handle(multi, handle);
}

CURLMcode dex_curl_multi_remove_handle(CURLM *multi, CURL *handle) {
    return curl.multi_remove_handle(multi, handle);
}

CURLMcode dex_curl_multi_perform(CURLM *multi, int *running) {
    return curl.multi_perform(multi, running);
}

CURLMsg *dex_curl_multi_info_read(CURLM *multi, int *left) {
    return curl.multi_info_read(multi, left);
}

CURLMcode dex_curl_multi_wait(CURLM *multi, int milliseconds) {
    return curl.multi_poll(multi, NULL, 0, milliseconds, NULL);
}

CURLMcode dex_curl_multi_wait_for(CURLM *multi, curl_socket_t socket, bool reads, bool writes,
                                  int milliseconds) {
    struct curl_waitfd other = {
        .fd = socket,
        .events = (short)((reads ? CURL_WAIT_POLLIN : 0) | (writes ? CURL_WAIT_POLLOUT : 0)),
    };
    return curl.multi_poll(multi, &other, 1, milliseconds, NULL);
}

CURLMcode dex_curl_multi_wakeup(CURLM *multi) { return curl.multi_wakeup(multi); }

CURLcode dex_curl_result(const CURLMsg *message) { return message->data.result; }
