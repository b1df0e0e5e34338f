import Ethereum
import ZeroEx

/// An order's remaining life against the margin in the settings.
struct ExpiryMargin {
    /// Seconds until it expires.
    private let left: UInt64
    /// The margin of our takers in seconds.
    private let margin: UInt64

    /// - Parameter block: the block of the read; its time counts if it is later than ours.
    init(
        of order: any SignedOrder,
        at block: Block,
        _ session: Session,
        _ settings: ReadSettings
    ) {
        let now = max(block.timestamp, session.environment.now())
        let expiry = order.expiry.uint64 ?? .max
        left = expiry > now ? expiry - now : 0
        margin = settings.expiryMargin
    }

    /// It has no more left than the margin.
    var isReached: Bool { left <= margin }

    /// How soon it expires, such as `expires in 60 s`.
    var expiry: String { "expires in \(left) s" }

    /// The same with the setting.
    ///
    /// Example: `expires in 60 s, which is within your margin of 120 s (trade.expiry_margin)`.
    var words: String {
        "\(expiry), which is within your margin of \(margin) s (trade.expiry_margin)"
    }

    /// The command that makes it takeable, for half of the remaining time.
    var remedy: String { "dex config set trade.expiry_margin \(left / 2)" }
}
