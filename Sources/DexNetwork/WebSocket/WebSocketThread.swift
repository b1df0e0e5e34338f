import CCurl

/// The thread of one WebSocket: libcurl's connection, the upgrade, and the frames.
///
/// libcurl makes the connection, with proxies and certificates as for HTTP, and carries bytes
/// (`CURLOPT_CONNECT_ONLY`); Debian's has no WebSocket of its own. Not Sendable: it stays on its
/// thread.
final class WebSocketThread {
    private let link: WebSocketLink
    private let address: WebSocketAddress
    private let options: CurlTransport.Options
    private let limits: WebSocketLimits
    /// Milliseconds of a monotonic clock.
    private let elapsed: @Sendable () -> UInt64
    private var handshake: WebSocketHandshake
    private var frames: WebSocketFrames
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)

    /// The bytes that are read before the reader and the clock get their turn.
    private static let maximumAtOnce = 1 << 20

    init(
        link: WebSocketLink,
        address: WebSocketAddress,
        options: CurlTransport.Options,
        limits: WebSocketLimits,
        elapsed: @escaping @Sendable () -> UInt64,
        random: @escaping @Sendable () -> UInt32
    ) {
        self.link = link
        self.address = address
        self.options = options
        self.limits = limits
        self.elapsed = elapsed
        let nonce = (0..<4).flatMap { _ in
            let word = random()
            return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
        }
        handshake = WebSocketHandshake(to: address, nonce: nonce)
        frames = WebSocketFrames(limits: limits, mask: random)
    }

    /// Runs until the WebSocket ends.
    func run() {
        CurlEngine.prepare()
        guard let multi = dex_curl_multi_init() else { return link.end(Self.noMemory) }
        defer { dex_curl_multi_cleanup(multi) }
        guard let handle = dex_curl_easy_init() else { return link.end(Self.noMemory) }
        defer { dex_curl_easy_cleanup(handle) }
        let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        defer { errorText.deallocate() }
        dex_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText)
        configure(handle)
        guard dex_curl_multi_add_handle(multi, handle) == CURLM_OK else {
            return link.end(Self.noMemory)
        }
        defer { dex_curl_multi_remove_handle(multi, handle) }
        link.setMulti(address: UInt(bitPattern: multi))
        defer { link.setMulti(address: 0) }
        do throws(WebSocketError) {
            try connect(handle, in: multi) { String(cString: errorText) }
            try converse(handle, in: multi)
        } catch {
            link.end(error)
        }
    }

    private static let noMemory = WebSocketError.noConnection(.other("libcurl has no memory left"))

    private func configure(_ handle: UnsafeMutableRawPointer) {
        CurlSetup.connection(handle, to: address.web, options)
        dex_curl_set_text(handle, CURLOPT_URL, address.url)
        dex_curl_set_long(handle, CURLOPT_CONNECT_ONLY, 1)
        dex_curl_set_long(handle, CURLOPT_FRESH_CONNECT, 1)
        // The upgrade is of HTTP/1.1, and a proxy has to pass the bytes on unread.
        dex_curl_set_long(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        dex_curl_set_long(handle, CURLOPT_HTTPPROXYTUNNEL, 1)
    }

    // MARK: Connecting

    private func connect(
        _ handle: UnsafeMutableRawPointer,
        in multi: UnsafeMutableRawPointer,
        words: () -> String
    ) throws(WebSocketError) {
        while true {
            guard !link.isClosing else { throw .cancelled }
            var running: CInt = 0
            dex_curl_multi_perform(multi, &running)
            var left: CInt = 0
            while let message = dex_curl_multi_info_read(multi, &left) {
                guard message.pointee.msg == CURLMSG_DONE else { continue }
                let code = dex_curl_result(message)
                guard code == CURLE_OK else {
                    throw .noConnection(failure(code, handle, words()))
                }
                return
            }
            guard running > 0 else { throw .noConnection(.cutOff) }
            dex_curl_multi_wait(multi, 1_000)
        }
    }

    private func failure(
        _ code: CURLcode,
        _ handle: UnsafeMutableRawPointer,
        _ words: String
    ) -> HTTPError {
        var status = 0
        dex_curl_get_long(handle, CURLINFO_HTTP_CONNECTCODE, &status)
        if status != 0, !(200..<300).contains(status) { return .refusedByProxy(status: status) }
        let host = "\(address.web.host):\(address.web.port)"
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: return .unknownHost(address.web.host)
        case CURLE_COULDNT_RESOLVE_PROXY: return .noConnection(host: "its proxy")
        case CURLE_COULDNT_CONNECT: return .noConnection(host: host)
        case CURLE_OPERATION_TIMEDOUT:
            return .connectTimedOut(host: host, milliseconds: options.connectTimeout)
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR:
            return .untrusted(words)
        default:
            return .other(words.isEmpty ? String(cString: dex_curl_easy_strerror(code)) : words)
        }
    }

    // MARK: The conversation

    private func converse(
        _ handle: UnsafeMutableRawPointer,
        in multi: UnsafeMutableRawPointer
    ) throws(WebSocketError) {
        var socket: curl_socket_t = -1
        guard dex_curl_get_socket(handle, &socket) == CURLE_OK, socket >= 0 else {
            throw .noConnection(.cutOff)
        }
        var unsent = handshake.request
        var isOpen = false
        let start = elapsed()
        var (heard, pinged) = (start, start)
        while true {
            let orders = link.takeOrders()
            if orders.isClosed {
                if isOpen { frames.close(1000) }
                try send(handle, &unsent)
                throw .cancelled
            }
            for text in orders.texts { frames.send(text) }
            try send(handle, &unsent)
            let reads = orders.reads || !isOpen
            let bytes = reads ? try receive(handle) : []
            let now = elapsed()
            if !bytes.isEmpty { heard = now }
            do throws(WebSocketError) {
                if isOpen {
                    try frames.receive(bytes) { link.put(.message($0)) }
                } else if !bytes.isEmpty, let rest = try handshake.receive(bytes) {
                    isOpen = true
                    pinged = now
                    link.put(.opened)
                    try frames.receive(rest) { link.put(.message($0)) }
                }
            } catch {
                // The server hears why, if it listens.
                if isOpen { try send(handle, &unsent) }
                throw error
            }
            if !isOpen, now - start >= limits.handshake {
                throw .silent(milliseconds: limits.handshake)
            }
            if !reads {
                // Silence is ours while we do not listen.
                heard = now
            } else if isOpen, now - heard >= limits.ping * 2 {
                throw .silent(milliseconds: limits.ping * 2)
            }
            if isOpen, now - pinged >= limits.ping {
                frames.ping()
                pinged = now
            }
            guard unsent.count + frames.outgoing.count <= limits.unsent else { throw .unread }
            guard bytes.count < Self.maximumAtOnce else { continue }
            dex_curl_multi_wait_for(
                multi,
                socket,
                reads,
                !unsent.isEmpty || isOpen && !frames.outgoing.isEmpty,
                CInt(clamping: min(limits.ping, 1_000))
            )
        }
    }

    /// Sends what the connection takes now.
    private func send(
        _ handle: UnsafeMutableRawPointer,
        _ unsent: inout [UInt8]
    ) throws(WebSocketError) {
        // Texts before the upgrade wait behind its request.
        if unsent.isEmpty {
            unsent = frames.outgoing
            frames.sent(unsent.count)
        }
        while !unsent.isEmpty {
            var count = 0
            let code = unsent.withUnsafeBytes { bytes in
                dex_curl_easy_send(handle, bytes.baseAddress, bytes.count, &count)
            }
            if code == CURLE_AGAIN { return }
            guard code == CURLE_OK, count > 0 else { throw .cutOff }
            unsent.removeFirst(min(count, unsent.count))
        }
    }

    /// Reads what has come.
    private func receive(_ handle: UnsafeMutableRawPointer) throws(WebSocketError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < Self.maximumAtOnce {
            var count = 0
            let code = buffer.withUnsafeMutableBytes { space in
                dex_curl_easy_recv(handle, space.baseAddress, space.count, &count)
            }
            if code == CURLE_AGAIN { break }
            guard code == CURLE_OK, count > 0 else {
                // The rest is read first; the end comes again.
                if bytes.isEmpty { throw .cutOff }
                break
            }
            bytes += buffer.prefix(count)
        }
        return bytes
    }
}
