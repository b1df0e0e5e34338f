package import Ethereum
package import ZeroEx

/// What the relay wants for carrying an order: one rule for each pair, and one for the rest.
package struct FeeSchedule: Hashable, Sendable {
    /// Fees of one order, whatever its size, in base units of the fee token.
    package struct Rule: Hashable, Sendable {
        package let makerFee: UInt256
        package let takerFee: UInt256

        package static let free = Rule(makerFee: 0, takerFee: 0)

        package init(makerFee: UInt256, takerFee: UInt256) {
            self.makerFee = makerFee
            self.takerFee = takerFee
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
    package func fees(_ direction: PairDirection) -> OrderFees {
        let rule = rules[direction.unordered] ?? standard
        guard rule != .free, recipient != .zero else { return .none }
        return OrderFees(recipient: recipient, makerFee: rule.makerFee, takerFee: rule.takerFee)
    }
}
