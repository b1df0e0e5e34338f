import Logging
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import HTTPServing

@Suite("Connections of one client")
struct ConnectionShareTests {
    private final class Refused: Sendable {
        let addresses = Mutex<[String]>([])
    }

    private let refused = Refused()

    private func shares(_ maximum: Int) -> ConnectionShares {
        ConnectionShares(
            maximum: { maximum },
            client: { address in
                guard address != "192.0.2.9" else { return nil }
                // Two addresses of one client.
                return Array((address == "192.0.2.8" ? "192.0.2.1" : address).utf8)
            },
            refused: { [refused] address in refused.addresses.withLock { $0.append(address) } }
        )
    }

    private func connect(_ shares: ConnectionShares, _ address: String) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(shares.handler)
        channel.connect(to: try SocketAddress(ipAddress: address, port: 1), promise: nil)
        return channel
    }

    @Test("one above the share is ended at once, others stay, and an ended one makes room")
    func share() throws {
        let shares = shares(2)
        let first = try connect(shares, "192.0.2.1")
        let second = try connect(shares, "192.0.2.1")
        let third = try connect(shares, "192.0.2.1")
        let other = try connect(shares, "192.0.2.2")
        #expect([first, second, third, other].map(\.isActive) == [true, true, false, true])
        #expect(refused.addresses.withLock { $0 } == ["192.0.2.1"])
        first.close(promise: nil)
        let fourth = try connect(shares, "192.0.2.1")
        let fifth = try connect(shares, "192.0.2.1")
        #expect([fourth, fifth].map(\.isActive) == [true, false])
    }

    @Test("addresses of one client share")
    func client() throws {
        let shares = shares(2)
        let first = try connect(shares, "192.0.2.1")
        let second = try connect(shares, "192.0.2.8")
        let third = try connect(shares, "192.0.2.8")
        #expect([first, second, third].map(\.isActive) == [true, true, false])
        #expect(refused.addresses.withLock { $0 } == ["192.0.2.8"])
        first.close(promise: nil)
        #expect(try connect(shares, "192.0.2.8").isActive)
    }

    @Test("an exempt address has no share")
    func exempt() throws {
        let shares = shares(1)
        let channels = try (0..<5).map { _ in try connect(shares, "192.0.2.9") }
        #expect(channels.map(\.isActive) == Array(repeating: true, count: 5))
        #expect(refused.addresses.withLock { $0 } == [])
    }

    @Test("a warning that comes again and again is one line a minute, with the number before it")
    func warnings() {
        let lines = Lines()
        let time = Mutex(0.0)
        let logger = Logger(label: "test") { _ in LineHandler(lines: lines) }
        let warning = RepeatedWarning(logger: logger) { time.withLock { $0 } }
        for _ in 0..<1_000 { warning.warn("A flood.", client: "192.0.2.1") }
        warning.warn("Another.", client: "192.0.2.2")
        time.withLock { $0 = 59.9 }
        warning.warn("A flood.", client: "192.0.2.3")
        #expect(lines.all == ["A flood. 192.0.2.1", "Another. 192.0.2.2"])
        time.withLock { $0 = 60 }
        warning.warn("A flood.", client: "192.0.2.4")
        warning.warn("Another.", client: "192.0.2.5")
        #expect(lines.all.suffix(2) == ["A flood. 192.0.2.4 1000", "Another. 192.0.2.5"])
    }
}

private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }

    func add(_ line: String) {
        lines.withLock { $0.append(line) }
    }
}

private struct LineHandler: LogHandler {
    let lines: Lines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let values = ["client", "before"].compactMap { event.metadata?[$0].map { "\($0)" } }
        lines.add(([event.message.description] + values).joined(separator: " "))
    }
}
