import DexSandbox
import DexTestSupport
import Ethereum
import Foundation
import Synchronization
import Testing

/// Stands between a sandbox's node and a machine that follows it: cuts it off, changes what it says,
/// or never comes to an end.
final class LeaderProxy: Sendable {
    enum Mode: Sendable {
        case honest
        /// Connections are closed without an answer.
        case cutOff
        /// A bit of the first block's state root is another one, and the hash is that of the header.
        case lying
        /// Answers without an end.
        case endless
    }

    private final class Switch: Sendable {
        let mode: Mutex<Mode>
        let cutPosts = Mutex(0)

        init(_ mode: Mode) { self.mode = Mutex(mode) }
    }

    private let current: Switch
    private let server: ScriptedServer

    /// - Parameter node: the sandbox's node: http://127.0.0.1:PORT.
    init(to node: String, _ mode: Mode = .honest) throws {
        let port = try #require(node.split(separator: ":").last.flatMap { UInt16($0) })
        let current = Switch(mode)
        self.current = current
        server = try ScriptedServer { client in
            while let request = client.readRequest() {
                let mode = current.mode.withLock { $0 }
                if case .cutOff = mode, request.method == "POST" {
                    current.cutPosts.withLock { $0 += 1 }
                }
                guard Self.serve(request, client, port, mode) else { return }
            }
        }
    }

    deinit { server.stop() }

    var url: String { server.url }

    /// The number of transactions that were cut off.
    var cutPosts: Int { current.cutPosts.withLock { $0 } }

    func set(_ mode: Mode) { current.mode.withLock { $0 = mode } }

    /// - Returns: false to close the connection.
    private static func serve(
        _ request: ScriptedRequest,
        _ client: ScriptedConnection,
        _ port: UInt16,
        _ mode: Mode
    ) -> Bool {
        switch mode {
        case .cutOff: return false
        case .endless:
            client.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = "10000\r\n" + String(repeating: " ", count: 65_536) + "\r\n"
            while client.write(chunk) {}
            return false
        case .honest, .lying:
            guard var answer = answer(request, port) else { return false }
            if mode == .lying { lie(&answer, about: request) }
            client.write(answer)
            // The sandbox has closed its connection, and says so in the answer.
            return false
        }
    }

    /// The sandbox's whole answer; nil if it is not there.
    private static func answer(_ request: ScriptedRequest, _ port: UInt16) -> [UInt8]? {
        guard let upstream = try? ScriptedConnection(toPort: port) else { return nil }
        defer { upstream.close() }
        let headers = request.lines.filter {
            !$0.isEmpty && !$0.lowercased().hasPrefix("connection:")
        }
        upstream.write((headers + ["Connection: close"]).joined(separator: "\r\n") + "\r\n\r\n")
        upstream.write(request.body)
        return upstream.readToEnd()
    }

    private static func lie(_ answer: inout [UInt8], about request: ScriptedRequest) {
        guard request.target.hasPrefix("/copy/blocks"),
            let end = answer.firstRange(of: Array("\r\n\r\n".utf8))
        else { return }
        guard var batch = BlockBatch(Array(answer[end.upperBound...])), !batch.blocks.isEmpty else {
            return
        }
        // In a header: its list's head (3 bytes), parent and uncles (33 each), producer (21), and the
        // head of the root (1).
        let root = 3 + 33 + 33 + 21 + 1
        batch.blocks[0].header[root] ^= 1
        batch.blocks[0].hash = BlockHash(Keccak256.hash(batch.blocks[0].header))
        // As long as before, so that the headers of the answer stay.
        answer.replaceSubrange(end.upperBound..., with: batch.encoded)
    }
}
