import CCurl

/// One transfer: libcurl's easy handle, its options and the data received so far.
///
/// Not Sendable: it stays on the engine's thread. libcurl's callbacks get an unretained pointer to
/// it. The engine's table keeps it alive until the handle has left the multi handle, and callbacks
/// run only while it is in there.
final class CurlTransfer {
    let handle: UnsafeMutableRawPointer
    let ticket: UInt64

    private let job: CurlJob
    private let options: CurlTransport.Options
    /// The wait for a connection in milliseconds, which counts towards its time limit.
    private let waited: Int
    private let errorText: UnsafeMutablePointer<CChar>
    private var headerLines: UnsafeMutablePointer<curl_slist>?
    private var headers: [HTTPHeader] = []
    private var headerBytes = 0
    private var body: [UInt8] = []
    /// Why the body or the headers were cut off.
    private var brokenBound: HTTPError?

    /// The limit of all headers, including those of interim answers (100 Continue).
    private static let maximumHeaderBytes = 256 << 10
    private static let slowBytesPerSecond = 10

    /// Prepares a transfer; nil if libcurl is out of memory.
    ///
    /// - Parameter waited: the wait for a connection in milliseconds, below the time limit of the
    ///   whole answer.
    init?(job: CurlJob, waited: Int, options: CurlTransport.Options) {
        guard let handle = dex_curl_easy_init() else { return nil }
        self.handle = handle
        self.job = job
        self.options = options
        self.waited = waited
        ticket = job.ticket
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        configureConnection()
        configureRequest()
        configureCallbacks()
    }

    deinit {
        dex_curl_easy_cleanup(handle)
        dex_curl_slist_free_all(headerLines)
        errorText.deallocate()
    }

    func answer(_ result: Result<HTTPResponse, HTTPError>) {
        job.continuation.resume(returning: result)
    }

    /// The time limit of the whole answer in milliseconds; for libcurl, 0 would mean no limit.
    private var timeout: Int {
        max(1, Self.timeout(of: job, options) - waited)
    }

    /// The time limit of a request's whole answer in milliseconds, including its wait for a
    /// connection.
    static func timeout(of job: CurlJob, _ options: CurlTransport.Options) -> Int {
        min(options.timeout, job.request.bounds.milliseconds ?? .max)
    }

    var server: TransferQueue<CurlJob>.Server { job.address.server }

    // MARK: Options for libcurl

    private func configureConnection() {
        CurlSetup.connection(handle, to: job.address, options)
        dex_curl_set_long(handle, CURLOPT_TIMEOUT_MS, timeout)
        dex_curl_set_long(handle, CURLOPT_LOW_SPEED_LIMIT, Self.slowBytesPerSecond)
        dex_curl_set_long(handle, CURLOPT_LOW_SPEED_TIME, options.stallTimeout)
        dex_curl_set_long(handle, CURLOPT_BUFFERSIZE, 64 << 10)
        dex_curl_set_long(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        // Waits to share the first connection, so that not every request opens its own.
        if job.address.scheme == "https" { dex_curl_set_long(handle, CURLOPT_PIPEWAIT, 1) }
        if !job.request.mayRepeat { dex_curl_set_long(handle, CURLOPT_FRESH_CONNECT, 1) }
    }

    private func configureRequest() {
        dex_curl_set_text(handle, CURLOPT_URL, job.request.url)
        dex_curl_set_text(handle, CURLOPT_USERAGENT, "dex")
        // Every compression that libcurl supports; within this machine it costs more than the bytes.
        let encodings = job.address.isLoopback ? "identity, gzip;q=0.5" : ""
        dex_curl_set_text(handle, CURLOPT_ACCEPT_ENCODING, encodings)
        // Without "Expect: 100-continue" a large body needs no extra round trip.
        var lines = ["Expect:"]
        for header in job.request.headers where Self.isSafe(header) {
            lines.append("\(header.name): \(header.value)")
        }
        for line in lines {
            if let longer = dex_curl_slist_append(headerLines, line) { headerLines = longer }
        }
        dex_curl_set_list(handle, CURLOPT_HTTPHEADER, headerLines)
        switch job.request.method {
        case .get: dex_curl_set_long(handle, CURLOPT_HTTPGET, 1)
        case .post:
            dex_curl_set_long(handle, CURLOPT_POST, 1)
            job.request.body.withUnsafeBytes { bytes in
                dex_curl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bytes.count))
                let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
                dex_curl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, start)
            }
        }
    }

    /// A line break in a header would let its value add further headers.
    private static func isSafe(_ header: HTTPHeader) -> Bool {
        !(header.name + header.value).utf8.contains { $0 < 0x20 || $0 == 0x7F }
    }

    private func configureCallbacks() {
        let pointer = Unmanaged.passUnretained(self).toOpaque()
        dex_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText)
        dex_curl_set_pointer(handle, CURLOPT_WRITEDATA, pointer)
        dex_curl_set_write(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, pointer in
            guard let bytes, let pointer else { return 0 }
            let transfer = Unmanaged<CurlTransfer>.fromOpaque(pointer).takeUnretainedValue()
            let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return transfer.take(body: buffer) ? size * count : 0
        }
        dex_curl_set_pointer(handle, CURLOPT_HEADERDATA, pointer)
        dex_curl_set_write(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, pointer in
            guard let bytes, let pointer else { return 0 }
            let transfer = Unmanaged<CurlTransfer>.fromOpaque(pointer).takeUnretainedValue()
            let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return transfer.take(headerLine: buffer) ? size * count : 0
        }
    }

    // MARK: Received data

    /// Takes a part of the body; false ends the transfer.
    private func take(body bytes: UnsafeRawBufferPointer) -> Bool {
        let bounds = job.request.bounds
        let maximum = min(options.maximumBody, bounds.maximumBody ?? .max)
        guard body.count + bytes.count <= maximum else {
            brokenBound = .tooLarge(bytes: maximum)
            return false
        }
        // All concurrent answers to one read share this budget.
        if let broken = bounds.budget?.take(bytes: bytes.count) {
            brokenBound = broken
            return false
        }
        if body.isEmpty { body.reserveCapacity(announcedBytes) }
        body.append(contentsOf: bytes)
        return true
    }

    /// The body size that the server declares, capped for the memory reserved in advance.
    private var announcedBytes: Int {
        var length: curl_off_t = 0
        dex_curl_get_size(handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length)
        return Int(min(max(length, 0), 1 << 20))
    }

    /// Takes one line of the headers; false ends the transfer.
    private func take(headerLine bytes: UnsafeRawBufferPointer) -> Bool {
        headerBytes += bytes.count
        guard headerBytes <= Self.maximumHeaderBytes else {
            brokenBound = .tooLarge(bytes: Self.maximumHeaderBytes)
            return false
        }
        if bytes.starts(with: "HTTP/".utf8) {
            headers = []
        } else if let colon = bytes.firstIndex(of: UInt8(ascii: ":")) {
            headers.append(
                HTTPHeader(
                    String(decoding: bytes[..<colon], as: UTF8.self),
                    Self.trimmed(bytes[(colon + 1)...])
                )
            )
        }
        return true
    }

    private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        var rest = bytes
        while let byte = rest.first, byte <= 0x20 { rest = rest.dropFirst() }
        while let byte = rest.last, byte <= 0x20 { rest = rest.dropLast() }
        return String(decoding: rest, as: UTF8.self)
    }

    // MARK: Outcome

    /// The answer, or why there is none.
    func outcome(of code: CURLcode) -> Result<HTTPResponse, HTTPError> {
        guard code == CURLE_OK else { return .failure(failure(code)) }
        var status = 0
        dex_curl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
        return .success(HTTPResponse(status: status, headers: headers, body: body))
    }

    private func failure(_ code: CURLcode) -> HTTPError {
        if let status = refusalByProxy { return .refusedByProxy(status: status) }
        let host = "\(job.address.host):\(job.address.port)"
        switch code {
        case CURLE_WRITE_ERROR:
            return brokenBound ?? .other(detail(code))
        case CURLE_URL_MALFORMAT: return .malformedURL
        case CURLE_COULDNT_RESOLVE_HOST: return .unknownHost(job.address.host)
        case CURLE_COULDNT_RESOLVE_PROXY: return .noConnection(host: "its proxy")
        case CURLE_COULDNT_CONNECT:
            return .noConnection(host: silentProxy.map { "its proxy, \($0)" } ?? host)
        case CURLE_OPERATION_TIMEDOUT: return timeout(host: host)
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR:
            return .untrusted(detail(code))
        case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_PARTIAL_FILE, CURLE_HTTP2,
            CURLE_HTTP2_STREAM:
            return .cutOff
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
            return .garbled(detail(code))
        // This libcurl's code for headers that are too long.
        case CURLE_OUT_OF_MEMORY: return .garbled("its headers are too long")
        default: return .other(detail(code))
        }
    }

    /// The status of a proxy that refused to connect; nil if there is none.
    private var refusalByProxy: Int? {
        var status = 0
        dex_curl_get_long(handle, CURLINFO_HTTP_CONNECTCODE, &status)
        return status == 0 || (200..<300).contains(status) ? nil : status
    }

    /// The proxy that accepts no connections, in its shown form; nil if it is the server itself.
    ///
    /// libcurl names the peer only in its message: `to PROXY port 3128`, and newer versions
    /// `to SERVER port 443 via PROXY`.
    private var silentProxy: String? {
        let own = job.address.scheme == "https" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        let setting = (own + ["all_proxy", "ALL_PROXY"]).lazy.compactMap(options.environment).first
        guard let proxy = setting.flatMap(WebAddress.init(proxy:)) else { return nil }
        let words = String(cString: errorText)
        let isOther = proxy.host != job.address.host || proxy.port != job.address.port
        let place = proxy.host == job.address.host ? "\(proxy.port) " : ""
        guard
            isOther && words.contains(" to \(proxy.host) port \(place)")
                || words.contains(" via \(proxy.host) ")
        else { return nil }
        return proxy.shownWithoutScheme
    }

    /// The error of the timer that ran out, of three.
    private func timeout(host: String) -> HTTPError {
        var sendingStarted: curl_off_t = 0
        var total: curl_off_t = 0
        dex_curl_get_size(handle, CURLINFO_PRETRANSFER_TIME_T, &sendingStarted)
        dex_curl_get_size(handle, CURLINFO_TOTAL_TIME_T, &total)
        let elapsed = Int(total / 1000)
        if sendingStarted == 0 {
            return .connectTimedOut(
                host: host,
                milliseconds: min(options.connectTimeout, timeout)
            )
        }
        guard elapsed >= timeout else { return .stalled(seconds: options.stallTimeout) }
        return .timedOut(milliseconds: Self.timeout(of: job, options))
    }

    /// libcurl's own words, which contain at most host names.
    private func detail(_ code: CURLcode) -> String {
        let words = String(cString: errorText)
        return words.isEmpty ? String(cString: dex_curl_easy_strerror(code)) : words
    }
}
