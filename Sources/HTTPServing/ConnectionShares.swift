package import NIOCore
import Synchronization

/// Counts connections by address: a flood of one address leaves room for all others.
package final class ConnectionShares: Sendable {
    private let most: @Sendable () -> Int
    private let isExempt: @Sendable (String) -> Bool
    private let refused: @Sendable (String) -> Void
    private let counts = Mutex<[String: Int]>([:])

    /// - Parameters:
    ///   - most: the connections of one address, asked for each.
    ///   - isExempt: an address that stands for many clients, such as a proxy's.
    ///   - refused: gets the address of each connection that is ended at once.
    package init(
        most: @escaping @Sendable () -> Int,
        isExempt: @escaping @Sendable (String) -> Bool,
        refused: @escaping @Sendable (String) -> Void
    ) {
        self.most = most
        self.isExempt = isExempt
        self.refused = refused
    }

    /// What goes into a connection's pipeline, before everything else.
    package var handler: any ChannelInboundHandler { ConnectionShareHandler(self) }

    fileprivate enum Entry {
        /// It has to leave again.
        case counted
        case exempt
        case refused
    }

    fileprivate func enter(_ address: String) -> Entry {
        if isExempt(address) { return .exempt }
        let most = most()
        let isIn = counts.withLock { counts in
            let count = counts[address] ?? 0
            guard count < most else { return false }
            counts[address] = count + 1
            return true
        }
        if !isIn { refused(address) }
        return isIn ? .counted : .refused
    }

    fileprivate func leave(_ address: String) {
        counts.withLock { counts in
            let left = (counts[address] ?? 1) - 1
            counts[address] = left > 0 ? left : nil
        }
    }
}

/// Ends a connection at once whose address has too many.
private final class ConnectionShareHandler: ChannelInboundHandler {
    typealias InboundIn = NIOAny
    typealias InboundOut = NIOAny

    private let shares: ConnectionShares
    /// The address that this connection counts for.
    private var address: String?

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
        case .counted:
            self.address = address
            context.fireChannelActive()
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let address { shares.leave(address) }
        address = nil
        context.fireChannelInactive()
    }
}
