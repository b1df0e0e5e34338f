import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import Synchronization

/// Connections that are closed if the server drops them before they have a task.
///
/// A cancelled server drops what it has accepted and not yet handled, and NIO's channel traps where
/// it is dropped unused.
struct DroppableConnections<Handler: ServerChildChannel>: ServerChildChannel
where Handler.Value == NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart> {
    let handler: Handler

    /// An accepted connection; closed at its end unless it was taken.
    final class Value: ServerChildChannelValue {
        private let connection: Handler.Value
        private let isTaken = Atomic(false)

        init(_ connection: Handler.Value) { self.connection = connection }

        var channel: any Channel { connection.channel }

        func take() -> Handler.Value {
            isTaken.store(true, ordering: .relaxed)
            return connection
        }

        deinit {
            guard !isTaken.load(ordering: .relaxed) else { return }
            Task { [connection] in
                try? await connection.executeThenClose { _, _ in }  // its other end may be gone
            }
        }
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        handler.setup(channel: channel, logger: logger).map { Value($0) }
    }

    func handle(value: Value, logger: Logger) async {
        await handler.handle(value: value.take(), logger: logger)
    }
}
