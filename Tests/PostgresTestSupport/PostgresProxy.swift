import Foundation
import Synchronization

/// A TCP proxy before a server's socket, which delays, holds, cuts and refuses as a test wants.
package final class PostgresProxy: Sendable {
    package enum Mode: Sendable, Equatable {
        case pass
        /// Every piece waits so long.
        case delay(milliseconds: UInt32)
        /// Nothing gets through; connections stay open.
        case hold
        /// Connections are closed at once.
        case refuse
        /// Cuts the connection over which the client sends this, before or after it is passed on.
        case cut(at: String, before: Bool)
    }

    package let port: UInt16
    private let listener: CInt
    private let target: String
    private let state = Mutex(State())
    private let changed = NSCondition()

    private struct State {
        var mode = Mode.pass
        var sockets: Set<CInt> = []
        var cuts = 0
        /// New connections that are still to be cut.
        var openingCuts = 0
        var isEnded = false
    }

    package init(to target: String) throws {
        self.target = target
        listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard isListening else {
            throw GuardedProcess.Failure(description: "the proxy cannot listen: errno \(errno)")
        }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0, let self else { return }
                self.serve(client)
            }
        }
    }

    deinit {
        end()
    }

    package func end() {
        let isFirst = state.withLock { state in
            defer { state.isEnded = true }
            return !state.isEnded
        }
        guard isFirst else { return }
        shutdown(listener, CInt(SHUT_RDWR))
        close(listener)
        cutAll()
        signal()
    }

    package func set(_ mode: Mode) {
        state.withLock { $0.mode = mode }
        signal()
    }

    /// Breaks every connection.
    package func cutAll() {
        state.withLock { state in
            for socket in state.sockets { shutdown(socket, CInt(SHUT_RDWR)) }
        }
    }

    /// Cuts the next connections as soon as the client begins to speak; those that stand go on.
    package func cutOpening(_ count: Int) {
        state.withLock { $0.openingCuts = count }
    }

    /// How many connections were cut because of what the client sent.
    package var cuts: Int { state.withLock { $0.cuts } }

    private var mode: Mode { state.withLock { $0.isEnded ? .refuse : $0.mode } }

    private func signal() {
        changed.lock()
        changed.broadcast()
        changed.unlock()
    }

    private func waitWhileHeld() {
        changed.lock()
        while mode == .hold { changed.wait() }
        changed.unlock()
    }

    private func serve(_ client: CInt) {
        guard mode != .refuse, let server = connectToTarget() else {
            close(client)
            return
        }
        state.withLock { state in
            state.sockets.formUnion([client, server])
        }
        let pair = Pair(client: client, server: server)
        Thread.detachNewThread { [self] in
            pump(from: client, to: server, isClient: true)
            finish(pair)
        }
        Thread.detachNewThread { [self] in
            pump(from: server, to: client, isClient: false)
            finish(pair)
        }
    }

    private final class Pair: Sendable {
        /// The directions that go on.
        let open = Mutex(2)
        let client, server: CInt

        init(client: CInt, server: CInt) {
            self.client = client
            self.server = server
        }
    }

    /// The second direction to end closes both sockets.
    private func finish(_ pair: Pair) {
        shutdown(pair.client, CInt(SHUT_RDWR))
        shutdown(pair.server, CInt(SHUT_RDWR))
        let isLast = pair.open.withLock { open in
            open -= 1
            return open == 0
        }
        guard isLast else { return }
        state.withLock { state in
            state.sockets.subtract([pair.client, pair.server])
            close(pair.client)
            close(pair.server)
        }
    }

    private func pump(from source: CInt, to target: CInt, isClient: Bool) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var isOpening = isClient
        while true {
            let count = read(source, &buffer, buffer.count)
            guard count > 0 else { return }
            if isOpening, takeOpeningCut() { return }
            isOpening = false
            waitWhileHeld()
            switch mode {
            case .refuse: return
            case .delay(let milliseconds): usleep(milliseconds * 1_000)
            case .cut(let text, let isBefore) where isClient && has(text, buffer.prefix(count)):
                state.withLock { $0.cuts += 1 }
                if !isBefore {
                    guard send(buffer.prefix(count), to: target) else { return }
                    // The server has answered: it has done what it was told. The answer is lost.
                    var one = pollfd(fd: target, events: Int16(POLLIN), revents: 0)
                    poll(&one, 1, 10_000)
                }
                return
            case .pass, .hold, .cut: break
            }
            guard send(buffer.prefix(count), to: target) else { return }
        }
    }

    /// Whether a new connection is to be cut.
    private func takeOpeningCut() -> Bool {
        state.withLock { state in
            guard state.openingCuts > 0 else { return false }
            state.openingCuts -= 1
            state.cuts += 1
            return true
        }
    }

    private func has(_ text: String, _ bytes: ArraySlice<UInt8>) -> Bool {
        String(decoding: bytes, as: UTF8.self).contains(text)
    }

    private func send(_ bytes: ArraySlice<UInt8>, to target: CInt) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(target, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private func connectToTarget() -> CInt? {
        let server = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { path in
            path.copyBytes(from: target.utf8.prefix(path.count - 1))
        }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(server, $0, length) == 0
            }
        }
        guard isConnected else {
            close(server)
            return nil
        }
        return server
    }
}
