import DexCore
import DexTestSupport
import Ethereum
import ZeroEx

/// What a maker tries with one order of a hostile book.
enum HostileTrick: String, CaseIterable, Sendable {
    /// A tiny order at a fraction of the price.
    case crumb
    /// Numbers such as 2^200 : 2^189 of a maker who has next to nothing.
    case absurdRatio
    /// A better price, and a fee to the maker itself that takes it back and more.
    case takerFee
    /// Amounts of which most parts are refused for their rounding.
    case roundingTrap
    /// It expires before a block can have it, or has expired.
    case expiry
    /// Its maker owns nothing.
    case unfunded
    /// The terms of an honest order with a signature that does not fit.
    case forgedSignature
    /// An honest order's signature under better terms.
    case forgedTerms
    /// Only somebody else may fill it.
    case otherTaker
    /// An honest order once more.
    case copy
    /// Ten times the price, with a funded maker.
    case overpriced
    /// A little better than the honest ones; the funds may be gone when the fill is mined.
    case drained
    /// Several orders that each offer all that the maker has.
    case sharedFunds
}

/// Amounts and terms of an order before it is signed.
struct HostileTerms: Sendable {
    var maker: Party
    /// Base units of the two tokens of the pair.
    var base: UInt256
    var quote: UInt256
    var taker: Party?
    /// Base units of the token that the version charges fees in.
    var takerFee = UInt256.zero
    /// Seconds from now; negative: expired.
    var expires = 86_400
    var salt: UInt64
}

/// An order of a scenario: honest terms, or a trick.
struct ScenarioOrder: Sendable {
    let terms: HostileTerms
    /// nil for an honest maker.
    var trick: HostileTrick?
    /// What the maker really signed, where that is something else.
    var signed: HostileTerms?
}
