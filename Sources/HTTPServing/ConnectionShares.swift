package import NIOCore
import Synchronization

/// Counts connections by client: a flood of one leaves room for all others.
package final class ConnectionShares: Sendable {
    private let maximum: @Sendable () -> Int
    private let client: @Sendable (String) -> [UInt8]?
    private let refused: @Sendable (String) -> Void
    private let counts = Mutex<[[UInt8]: Int]>([:])

    /// - Parameters:
    ///   - maximum: the connections of one client, asked for each.
    ///   - client: the bytes that name whom an address belongs to; nil if it stands for many
    ///     clients, such as a proxy's.
    ///   - refused: gets the address of each connection that is ended at once.
    package init(
        maximum: @escaping @Sendable () -> Int,
        client: @escaping @Sendable (String) -> [UInt8]?,
        refused: @escaping @Sendable (String) -> Void
    ) {
        self.maximum = maximum
        self.client = client
        self.refused = refused
    }

    /// What goes into a connection's pipeline, before everything else.
    package var handler: any ChannelInboundHandler { ConnectionShareHandler(self) }

    fileprivate enum Entry {
        /// The client it counts for; it has to leave again.
        case counted([UInt8])
        case exempt
        case refused
    }

    fileprivate func enter(_ address: String) -> Entry {
        guard let client = client(address) else { return .exempt }
        let maximum = maximum()
        let isIn = counts.withLock { counts in
            let count = counts[client] ?? 0
            guard count < maximum else { return false }
            counts[client] = count + 1
            return true
        }
        if !isIn { refused(address) }
        return isIn ? .counted(client) : .refused
    }

    fileprivate func leave(_ client: [UInt8]) {
        counts.withLock { counts in
            let left = (counts[client] ?? 1) - 1
            counts[client] = left > 0 ? left : nil
        }
    }
}

/// Ends a connection at once whose client has too many.
private final class ConnectionShareHandler: ChannelInboundHandler {
    typealias InboundIn = NIOAny
    typealias InboundOut = NIOAny

    private let shares: ConnectionShares
    /// The client that this connection counts for.
    private var client: [UInt8]?

    init(_ shares: ConnectionShares) {
        self.shares = shares
    }

    func channelActive(context: ChannelHandlerContext) {
        guard let address = context.channel.remoteAddress?.ipAddress else {
            return context.fireChannelActive()
        }
        switch shares.enter(address) {
        case .refused: context.close(promise: nil)
        case .exempt: context.fireChannelActive()
        case .counted(let client):
            self.client = client
            context.fireChannelActive()
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let client { shares.leave(client) }
        client = nil
        context.fireChannelInactive()
    }
}
