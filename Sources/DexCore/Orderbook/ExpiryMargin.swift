import Ethereum
import ZeroEx

/// How an order that expires soon stands to the setting by which it is not taken.
struct ExpiryMargin {
    /// Seconds until it expires.
    private let left: UInt64
    /// Seconds that takers of ours keep.
    private let margin: UInt64

    /// - Parameter block: where the order was read; its time counts where it is later than ours.
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

    /// How soon it expires, such as `expires in 60 s`.
    var expiry: String { "expires in \(left) s" }

    /// The same with the setting, such as `expires in 60 s, which is within your margin of 120 s
    /// (trade.expiry_margin)`.
    var words: String {
        "\(expiry), which is within your margin of \(margin) s (trade.expiry_margin)"
    }

    /// The command after which it can be taken, for half of the time that is left.
    var remedy: String { "dex config set trade.expiry_margin \(left / 2)" }
}
