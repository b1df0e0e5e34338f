package import DexStore
package import Ethereum
import ZeroEx

/// A receiver of reports.
package protocol WatchSink: Sendable {
    /// The name under which the journal records its deliveries.
    var name: String { get }

    /// Delivers a notice within a bounded time, also when cancelled.
    func deliver(_ notice: WatchNotice) async -> WatchDelivery
}

/// The outcome of a delivery.
package enum WatchDelivery: Hashable, Sendable {
    case delivered
    /// It may accept it later; the seconds to wait, if it named them. The reason is a sentence.
    case later(String, after: UInt64? = nil)
    /// It will never accept it. The reason is a sentence.
    case refused(String)
    /// No reader is left.
    case closed
}

/// A report to a sink: a journal message with all data needed to show it.
package struct WatchNotice: Hashable, Sendable {
    package let network: String
    package let chainID: UInt64
    package let account: Address
    /// The account's name or address, if several are watched at once.
    package var accountName: String?
    package let message: WatchMessage
    /// What the order or trade gives, or what moved; the event has its amount.
    package let currency: Currency
    /// What the order or trade brings; nil if it is about neither.
    package let other: TokenAmount?

    package var event: WatchEvent { message.event }
}
