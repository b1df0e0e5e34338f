package import Ethereum
package import ZeroEx

/// What the relay wants for carrying an order: one rule for each pair, and one for the rest.
package struct FeeSchedule: Hashable, Sendable {
    /// Fees of one order, in base units of the token in which its fees are counted.
    package struct Rule: Hashable, Sendable {
        /// Whatever the order's size.
        package let makerFee: UInt256
        /// Whatever the order's size.
        package let takerFee: UInt256
        /// What comes to the taker's fee for the order's size: millionths of its taker amount, for
        /// protocols that count fees in that token.
        package let takerShare: UInt64

        package static let free = Rule(makerFee: 0, takerFee: 0)

        package init(makerFee: UInt256, takerFee: UInt256, takerShare: UInt64 = 0) {
            self.makerFee = makerFee
            self.takerFee = takerFee
            self.takerShare = takerShare
        }

        /// What the taker pays for the whole of an order, rounded down; never more than there are
        /// numbers.
        package func takerFee(of takerAmount: UInt256) -> UInt256 {
            guard takerShare > 0 else { return takerFee }
            let share = UInt256.mulDiv(takerAmount, UInt256(takerShare), 1_000_000)?.quotient
            return takerFee.addingSaturating(share ?? .max)
        }
    }

    /// Who gets the fees; an order without fees names nobody.
    package let recipient: Address
    package let standard: Rule
    private let rules: [PairDirection: Rule]

    /// No fees for anything.
    package static let free = FeeSchedule(recipient: .zero)

    /// A schedule; a rule for a pair holds for both of its directions.
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

    /// What an order of these tokens must offer, exactly.
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
