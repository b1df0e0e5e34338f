package import Ethereum
package import ZeroEx

/// An amount of base units that may be below zero: a profit or a loss.
package struct SignedAmount: Hashable, Sendable {
    package let isNegative: Bool
    package let magnitude: UInt256

    package static let zero = SignedAmount(magnitude: .zero, isNegative: false)

    /// Zero has no sign.
    package init(magnitude: UInt256, isNegative: Bool) {
        self.magnitude = magnitude
        self.isNegative = isNegative && magnitude != .zero
    }

    /// `plus - minus`.
    package init(_ plus: UInt256, minus: UInt256) {
        if plus >= minus {
            self.init(magnitude: plus - minus, isNegative: false)
        } else {
            self.init(magnitude: minus - plus, isNegative: true)
        }
    }

    /// The sum, saturating at 256 bits.
    package static func + (left: SignedAmount, right: SignedAmount) -> SignedAmount {
        guard left.isNegative == right.isNegative else {
            let (plus, minus) = left.isNegative ? (right, left) : (left, right)
            return SignedAmount(plus.magnitude, minus: minus.magnitude)
        }
        return SignedAmount(
            magnitude: left.magnitude.addingSaturating(right.magnitude),
            isNegative: left.isNegative
        )
    }

    package static func - (left: SignedAmount, right: UInt256) -> SignedAmount {
        left + SignedAmount(magnitude: right, isNegative: true)
    }
}

extension SignedAmount {
    /// At a price, rounded down: a profit is never overstated, a loss never understated.
    ///
    /// nil beyond 256 bits.
    package func value(at price: Price) -> SignedAmount? {
        guard let (quotient, remainder) = UInt256.mulDiv(magnitude, price.quote, price.base) else {
            return nil
        }
        let isCut = isNegative && remainder != .zero
        return SignedAmount(
            magnitude: isCut ? quotient.addingSaturating(1) : quotient,
            isNegative: isNegative
        )
    }
}

extension UInt256 {
    /// The difference, or zero if it is negative.
    func subtractingSaturating(_ other: UInt256) -> UInt256 {
        let (rest, isBelow) = subtractingReportingOverflow(other)
        return isBelow ? .zero : rest
    }
}

extension SignedAmount: Comparable {
    package static func < (left: SignedAmount, right: SignedAmount) -> Bool {
        guard left.isNegative == right.isNegative else { return left.isNegative }
        return left.isNegative
            ? left.magnitude > right.magnitude : left.magnitude < right.magnitude
    }
}
