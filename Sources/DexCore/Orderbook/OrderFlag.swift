/// The reason why an order in the book should not be taken, or only with care.
package enum OrderFlag: String, Sendable, CaseIterable {
    /// Expires within the margin (120 s).
    case expiring = "expiring"
    /// Only another taker may fill it.
    case otherTaker = "other-taker"
    /// The maker's balance or allowance covers none of it.
    case unfunded = "unfunded"
    /// The maker's balance or allowance could not be read.
    case unreadable = "unreadable"
    /// The maker's balance or allowance covers only a part.
    case partlyFunded = "partly-funded"
    /// A part is filled or cancelled.
    case partlyFilled = "partly-filled"
    /// Filled as a whole.
    case filled = "filled"
    /// What was not filled is cancelled.
    case cancelled = "cancelled"
    /// At or past its expiry.
    case expired = "expired"
    /// Its fill cannot pay its own gas.
    case dust = "dust"
    /// Its taker fee is above the cap.
    case takerFee = "taker-fee"
    /// It is ours.
    case own = "own"
    /// Nothing was checked (`--raw`).
    case unverified = "unverified"

    /// The flags of an order that is shown but not taken.
    package static let notForTaking: Set<OrderFlag> = [
        .expiring, .otherTaker, .unfunded, .unreadable, .filled, .cancelled, .expired, .dust,
        .takerFee, .own,
    ]
}
