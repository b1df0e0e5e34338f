package import Ethereum

/// The user's trading limits; docs/security.md explains the defaults.
package struct TradeSettings: Hashable, Sendable {
    /// The amount of a missing approval.
    package enum Approval: Hashable, Sendable {
        case exact
        case unlimited
    }

    /// The maximum deviation of a market order from its quote, in hundredths of a percent: 1 % unless
    /// the user chose another one.
    package var slippage: UInt64 {
        get { chosenSlippage ?? 100 }
        set { chosenSlippage = newValue }
    }
    private var chosenSlippage: UInt64?

    /// The slippage at a venue: half as much at pools, where everyone sees a trade before it is mined.
    func slippage(at venue: Venue) -> UInt64 { chosenSlippage ?? (venue == .pools ? 50 : 100) }

    /// More slippage needs a flag: 5 %, in hundredths of a percent.
    package static let maximumSlippage: UInt64 = 500
    /// Slippage above 5 % is allowed.
    package var allowsHighSlippage = false
    /// A limit price that crosses the book by more than 1 % is allowed.
    package var allowsCrossing = false
    /// A limit price that meets or crosses the book is refused: `--post-only`.
    package var postsOnly = false
    /// A price impact above 20 % is allowed.
    package var allowsHighImpact = false
    /// A price that can be compared with nothing is allowed, whatever is traded.
    package var allowsUncheckedPrice = false
    /// Orders that expire within these seconds are not taken.
    package var expiryMargin: UInt64 = 120
    /// Backup orders, in percent of the amount.
    package var backupPercent: UInt64 = 20
    package var approval = Approval.exact
    /// The most that a command's gas may cost; nil: by its gas (`FeeBounds.cap`).
    package var feeCap: Wei?
    /// Gas that costs more than the moved value is allowed.
    package var allowsHighGas = false
    package var fees = FeeOverrides()
    /// Blocks that a transaction needs to count as done, including its own.
    package var confirmations: UInt64 = 1
    /// Seconds to wait for a receipt.
    package var receiptTimeout: UInt64 = 180
    /// The highest relay fee as a share of the order, in hundredths of a percent.
    ///
    /// It applies to maker fees in one of the order's tokens, and to taker fees if the protocol has
    /// no fee token.
    package var relayFeeShare: UInt64 = 100
    /// The highest relay fee in base units of the protocol's fee token: 10 of 18 decimals.
    package var relayFeeCap: UInt256 = 10_000_000_000_000_000_000
    /// The highest taker fee of others' orders.
    package var takerFees = TakerFeeCap()
    /// A trade may be signed although an earlier one is pending, or its outcome is unreported.
    package var allowsPending = false
    /// A latest block that is older than the network's rule is signed on: `--allow-stale`.
    package var allowsStaleChain = false
    /// What is signed goes into a file, and is neither sent nor posted: `--no-send`.
    package var holds = false
    /// A transaction may be replaced more often and at a higher price than the usual limits.
    package var allowsBeyondLimits = false
    /// The user's own word for what is done.
    package var tag: TradeTag?
    /// An order may be signed although the balance does not cover it.
    package var allowsUnfundedOrders = false

    package init() {}

    var reading: ReadSettings {
        ReadSettings(expiryMargin: expiryMargin, takerFees: takerFees)
    }

    /// The usual maximum gas cost, whatever is sent: 0.5 ether.
    package static var usualFeeCap: Wei { FeeBounds.usualCap }

    /// The highest tip of a unit of gas without a price of the user's own, replacements included,
    /// in wei: 75 gwei.
    package static var highestTip: Wei {
        Wei(
            FeeBounds.highestTip.rawValue / 100 &* UInt256(ReplacementFees.maximumPercent)
        )
    }

    /// The highest price of a unit of gas without a price of the user's own, in wei: 500 gwei.
    package static var highestPrice: Wei { FeeBounds.usualPrice }

    /// A percentage in text form, such as `0.5` or `1%`, in hundredths of a percent.
    ///
    /// - Throws: `DexError` (`bad-percent`) for anything but 0 to 100 with at most two decimals.
    package static func basisPoints(_ text: String) throws(DexError) -> UInt64 {
        let digits = text.hasSuffix("%") ? String(text.dropLast()) : text
        let parsed: UInt256?
        do throws(DecimalTextError) {
            // A share of thousands is a typing error.
            parsed = digits.hasSuffix("k") ? nil : try DecimalNumber(digits).units(decimals: 2)
        } catch {
            parsed = nil
        }
        guard let value = parsed?.uint64, value <= 10_000 else {
            throw InputError.badPercent(text)
        }
        return value
    }

    /// Lowers the most that gas may cost to what an earlier plan allowed.
    mutating func capFees(at maximum: Wei) {
        feeCap = feeCap.map { min($0, maximum) } ?? maximum
    }
}
