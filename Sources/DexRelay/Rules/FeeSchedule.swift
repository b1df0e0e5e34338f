package import Ethereum
package import ZeroEx

/// The relay's fees for carrying an order: one rule for each pair, and one for the rest.
package struct FeeSchedule: Hashable, Sendable {
    /// The fees of one order, in base units of its fee token.
    package struct Rule: Hashable, Sendable {
        /// Independent of the order's size.
        package let makerFee: UInt256
        /// Independent of the order's size.
        package let takerFee: UInt256
        /// Added to the taker's fee by order size: millionths of its taker amount, for protocols
        /// whose fees are in that token.
        package let takerShare: UInt64

        package static let free = Rule(makerFee: 0, takerFee: 0)

        package init(makerFee: UInt256, takerFee: UInt256, takerShare: UInt64 = 0) {
            self.makerFee = makerFee
            self.takerFee = takerFee
            self.takerShare = takerShare
        }

        /// The taker's fee for a whole order, rounded down; it saturates at the maximum number.
        package func takerFee(of takerAmount: UInt256) -> UInt256 {
            guard takerShare > 0 else { return takerFee }
            let share = UInt256.mulDiv(takerAmount, UInt256(takerShare), 1_000_000)?.quotient
            return takerFee.addingSaturating(share ?? .max)
        }
    }

    /// The recipient of the fees; an order without fees has none.
    package let recipient: Address
    package let standard: Rule
    private let rules: [PairDirection: Rule]

    package static let free = FeeSchedule(recipient: .zero)

    /// A schedule; a pair's rule applies to both directions.
    package init(
        recipient: Address,
        standard: Rule = .free,
        rules: [PairDirection: Rule] = [:]
    ) {
        self.recipient = recipient
        self.standard = standard
        self.rules = Dictionary(
            rules.map { ($0.key.unordered, $0.value) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The exact fees that an order of these tokens must have.
    ///
    /// - Parameter takerAmount: base units of the taker token, for the whole order.
    package func fees(_ direction: PairDirection, takerAmount: UInt256) -> OrderFees {
        let rule = rules[direction.unordered] ?? standard
        guard rule != .free, recipient != .zero else { return .none }
        return OrderFees(
            recipient: recipient,
            makerFee: rule.makerFee,
            takerFee: rule.takerFee(of: takerAmount)
        )
    }
}
