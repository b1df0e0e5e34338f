package import ZeroEx

/// The reason why an order of the relay is not in the book.
package enum DropReason: Error, Hashable, Sendable {
    /// It does not hold by itself.
    case rejected(OrderRejection)
    /// It is no order.
    case malformed(OrderError)
    /// So many more are no orders, beyond the examples.
    case moreMalformed(Int)
    case duplicate
    case expired
    case cancelled
    /// The taker's fee is at least the order's payout.
    case feeTooHigh
    /// Amount and fee together exceed 256 bits.
    case feeTooLarge
    case usedUp
    case unfunded
    case unreadable
    case rounding
    /// The contract's arithmetic exceeds 256 bits for what is left of it.
    case tooLarge
    /// Only relays that are left out show it.
    case leftOutRelay

    /// A stable word: `bad-signature`, `expired`, `malformed`.
    package var code: String {
        switch self {
        case .rejected(let rejection): rejection.code
        case .malformed, .moreMalformed: "malformed"
        case .duplicate: "duplicate"
        case .expired: "expired"
        case .cancelled: "cancelled"
        case .feeTooHigh: "fee-too-high"
        case .feeTooLarge, .tooLarge: "too-large"
        case .usedUp: "filled-or-cancelled"
        case .unfunded: "unfunded"
        case .unreadable: "unreadable"
        case .rounding: "rounding"
        case .leftOutRelay: "relay-left-out"
        }
    }

    /// A sentence about the order.
    package var words: String {
        switch self {
        case .rejected(let rejection): rejection.description
        case .malformed(let error): PlainText.clean(error.description)
        case .moreMalformed(let count):
            "\(count) more \(count == 1 ? "entry" : "entries") cannot be read either."
        case .duplicate: "The relay sent it more than once."
        case .expired: "It has expired."
        case .cancelled: "Its maker cancelled it."
        case .feeTooHigh: "The taker's fee is as much as it pays out, or more."
        case .feeTooLarge: "Its amount and fee together are more than a token can have."
        case .usedUp: "It is filled or cancelled as a whole."
        case .unfunded:
            "Its maker's balance or allowance covers none of it, or is taken up by the maker's "
                + "better orders."
        case .unreadable: "The token's contract does not return the maker's balance."
        case .rounding: "What is left is too small for the contract's rounding rule."
        case .tooLarge:
            "Its amounts are too large for the contract's arithmetic: a fill of what is left "
                + "reverts."
        case .leftOutRelay:
            "Only a relay shows it whose other orders are mostly false, so it is left out."
        }
    }
}

extension DropReason {
    /// A verified order that the exchange reports as ended.
    ///
    /// nil if it has not ended, is filled, or its cancel shows only in its amounts.
    init?(_ status: OrderStatus) {
        switch status {
        case .open, .filled: return nil
        case .cancelled: self = .cancelled
        case .expired: self = .expired
        case .rejected(let rejection): self = .rejected(rejection)
        }
    }
}
