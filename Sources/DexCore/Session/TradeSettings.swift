package import Ethereum

/// What a trader allows; the defaults are those of docs/security.md.
package struct TradeSettings: Hashable, Sendable {
    /// How much is approved where an approval is missing.
    package enum Approval: Hashable, Sendable {
        case exact
        case unlimited
    }

    /// The most that a market order may cost beyond its quote, in hundredths of a percent.
    package var slippage: UInt64 = 100
    /// Slippage above 5 % was asked for on purpose.
    package var allowsHighSlippage = false
    /// A limit price that crosses the book by more than 1 % was asked for on purpose.
    package var allowsCrossing = false
    /// A price impact above 20 % was asked for on purpose.
    package var allowsHighImpact = false
    /// Orders that expire within so many seconds are not taken.
    package var expiryMargin: UInt64 = 120
    /// Backup orders, in percent of the amount.
    package var sparePercent: UInt64 = 20
    package var approval = Approval.exact
    /// The most that the gas of one command may cost; nil: by what it sends (`FeeBounds.cap`).
    package var feeCap: Wei?
    /// Gas that costs more than what is moved was asked for on purpose.
    package var allowsHighGas = false
    /// What a unit of gas shall cost.
    package var fees = FeeOverrides()
    /// Blocks that must hold a transaction before it counts as done, its own included.
    package var confirmations: UInt64 = 1
    /// Seconds that a receipt is waited for.
    package var receiptTimeout: UInt64 = 180
    /// The most that a relay's maker fee may be, in hundredths of a percent of the order, where the
    /// fee token is one of the order's tokens; and a taker fee, where the protocol has no token of
    /// fees.
    package var relayFeeShare: UInt64 = 100
    /// The most that a relay's maker or taker fee may be, in base units of the protocol's token of
    /// fees: 10 of a token with 18 decimals.
    package var relayFeeCap: UInt256 = 10_000_000_000_000_000_000
    /// The most that takers of others' orders are charged.
    package var takerFees = TakerFeeCap()
    /// A trade may be signed although an earlier one is pending, or its outcome is unreported.
    package var allowsPending = false
    /// A transaction may be replaced more often, and paid more for, than the limits of replacing
    /// allow.
    package var allowsBeyondLimits = false
    /// An order may be signed although the balance does not cover it.
    package var allowsUnfundedOrders = false

    package init() {}

    /// How the book of a trade is read.
    var reading: ReadSettings {
        ReadSettings(expiryMargin: expiryMargin, takerFees: takerFees)
    }

    /// The most that gas may cost by itself, whatever is sent: 0.5 ether.
    package static var usualFeeCap: Wei { FeeBounds.usualCap }

    /// A percentage in text form, such as `0.5` or `1%`, in hundredths of a percent.
    ///
    /// - Throws: `DexError` (`bad-percent`) for anything but 0 to 100 with at most two digits
    ///   behind the point.
    package static func basisPoints(_ text: String) throws(DexError) -> UInt64 {
        let digits = text.hasSuffix("%") ? String(text.dropLast()) : text
        let parsed: UInt256?
        do throws(DecimalTextError) {
            parsed = try DecimalText.parse(digits, decimals: 2)
        } catch {
            parsed = nil
        }
        guard let value = parsed?.uint64, value <= 10_000 else {
            throw DexError(InputError.badPercent(text))
        }
        return value
    }
}
