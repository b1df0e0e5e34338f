import HummingbirdCore
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Synchronization
import Testing

@testable import HTTPServing

/// A connection that a server has accepted, and then is cancelled.
@Suite("Connections that are dropped")
struct DroppableConnectionTests {
    /// NIO's channel as it is, and what is handled.
    private struct Plain: ServerChildChannel {
        let handled = Counter()

        func setup(
            channel: any Channel,
            logger: Logger
        ) -> EventLoopFuture<NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>> {
            channel.eventLoop.submit {
                try NIOAsyncChannel(wrappingChannelSynchronously: channel)
            }
        }

        func handle(
            value: NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>,
            logger: Logger
        ) async {
            handled.count.withLock { $0 += 1 }
            // The channel of the test closes with it.
            try? await value.executeThenClose { _, _ in }
        }
    }

    private final class Counter: Sendable {
        let count = Mutex(0)
    }

    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    @Test("one that nobody took is closed; without this NIO traps")
    func dropped() async throws {
        let channel = NIOAsyncTestingChannel()
        let plain = Plain()
        let connections = DroppableConnections(handler: plain)
        _ = try await connections.setup(channel: channel, logger: logger).get()
        try await channel.closeFuture.get()
        #expect(plain.handled.count.withLock { $0 } == 0)
    }

    @Test("one that is taken is the handler's alone")
    func taken() async throws {
        let channel = NIOAsyncTestingChannel()
        let plain = Plain()
        let connections = DroppableConnections(handler: plain)
        let value = try await connections.setup(channel: channel, logger: logger).get()
        #expect(value.channel === channel)
        await connections.handle(value: value, logger: logger)
        try await channel.closeFuture.get()
        #expect(plain.handled.count.withLock { $0 } == 1)
    }
}
