package import DexStore
package import Ethereum
import ZeroEx

/// Somebody who is told what happened.
package protocol WatchSink: Sendable {
    /// By which the journal remembers what it was told.
    var name: String { get }

    /// Tells it; ends within a bounded time, also when it is cancelled.
    func deliver(_ notice: WatchNotice) async -> WatchDelivery
}

/// What a sink did with a notice.
package enum WatchDelivery: Hashable, Sendable {
    case delivered
    /// It may take it later; seconds after which, where it told. The reason is a sentence.
    case later(String, after: UInt64? = nil)
    /// It will never take it. The reason is a sentence.
    case refused(String)
    /// Nobody is there any more to be told anything.
    case closed
}

/// What a sink is told: a message of the journal with everything that it takes to show it.
package struct WatchNotice: Hashable, Sendable {
    /// The network's name.
    package let network: String
    package let chainID: UInt64
    package let account: Address
    package let message: WatchMessage
    /// What the order gives, or what was moved; the event tells how much of it.
    package let currency: Currency
    /// What the order gets; nil of what is about no order.
    package let other: TokenAmount?

    package init(
        network: String,
        chainID: UInt64,
        account: Address,
        message: WatchMessage,
        currency: Currency,
        other: TokenAmount?
    ) {
        self.network = network
        self.chainID = chainID
        self.account = account
        self.message = message
        self.currency = currency
        self.other = other
    }

    package var event: WatchEvent { message.event }
}
