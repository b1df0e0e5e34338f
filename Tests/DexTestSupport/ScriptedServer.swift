import Foundation
import Synchronization

/// A server on 127.0.0.1 that does to its clients whatever a test wants, byte by byte.
package final class ScriptedServer: Sendable {
    package let port: UInt16
    private let listener: CInt
    private let count = Mutex(0)
    private let isStopped = Mutex(false)

    /// Listens and hands each connection to `serve` on a thread of its own; a connection is closed
    /// when `serve` returns.
    package convenience init(
        _ serve: @escaping @Sendable (ScriptedConnection) -> Void
    ) throws {
        try self.init { connection, _ in serve(connection) }
    }

    /// The same with a way for `serve` to stop the server.
    package init(
        _ serve: @escaping @Sendable (ScriptedConnection, _ stop: () -> Void) -> Void
    ) throws {
        signal(SIGPIPE, SIG_IGN)
        let (listener, port) = try Self.boundSocket()
        guard listen(listener, 128) == 0 else {
            let failure = SocketFailure("listen on \(port)")
            close(listener)
            throw failure
        }
        (self.listener, self.port) = (listener, port)
        Thread.detachNewThread { [self] in
            while true {
                let socket = accept(listener, nil, nil)
                // A child process that ended interrupts us, and nothing more.
                if socket < 0, errno == EINTR { continue }
                guard socket >= 0 else {
                    close(listener)
                    return
                }
                count.withLock { $0 += 1 }
                let connection = ScriptedConnection(socket: socket)
                Thread.detachNewThread {
                    serve(connection) { self.stop() }
                    connection.close()
                }
            }
        }
    }

    /// Answers every request of every connection, which it keeps open.
    package static func answering(
        _ answer: @escaping @Sendable (ScriptedRequest) -> ScriptedAnswer
    ) throws -> ScriptedServer {
        try ScriptedServer { connection in
            while let request = connection.readRequest() {
                guard connection.write(answer(request).bytes) else { return }
            }
        }
    }

    /// Where it listens.
    package var url: String { "http://127.0.0.1:\(port)" }

    /// How many connections it took.
    package var accepted: Int { count.withLock { $0 } }

    /// Stops listening.
    ///
    /// The thread that accepts closes the socket, so that its number cannot
    /// become another server's while it still accepts.
    package func stop() {
        // Once: afterwards the number of the socket may be another server's.
        let wasStopped = isStopped.withLock { isStopped in
            defer { isStopped = true }
            return isStopped
        }
        guard !wasStopped else { return }
        shutdown(listener, CInt(SHUT_RDWR))
    }

    /// A port at which nothing listens, as long as this process lives.
    ///
    /// A socket keeps it that does not listen: a free port would soon be the server of another test,
    /// which then takes what this one's clients send.
    package static func closedPort() throws -> UInt16 {
        try boundSocket().port
    }

    /// A socket of this process alone, on a free port of 127.0.0.1, which does not listen.
    private static func boundSocket() throws -> (socket: CInt, port: UInt16) {
        let made = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard made >= 0 else { throw SocketFailure("socket") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(made, pointer, length) == 0 && getsockname(made, pointer, &length) == 0
            }
        }
        guard isBound else {
            let failure = SocketFailure("bind to a free port")
            close(made)
            throw failure
        }
        return (made, UInt16(bigEndian: address.sin_port))
    }
}
