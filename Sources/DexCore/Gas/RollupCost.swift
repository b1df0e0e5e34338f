package import Ethereum

/// What a rollup takes beside gas for the transactions of a plan: the data fee of the chain below
/// it, and the operator's fee, in wei of the coin.
///
/// It is taken when the transaction is mined, and no field of the transaction bounds it.
package struct RollupCost: Hashable, Sendable {
    /// By the chain's oracle now.
    package let present: Wei
    /// With headroom for a higher data fee when it is mined.
    package let maximum: Wei

    package static let none = RollupCost(present: .zero, maximum: .zero)

    /// The headroom of the data fee, in percent.
    static let headroom: UInt64 = 15

    init(present: Wei, maximum: Wei) {
        self.present = present
        self.maximum = maximum
    }

    /// - Parameters:
    ///   - dataFee: by the oracle, for the bytes of the transaction.
    ///   - operatorFee: for the whole gas limit.
    init(dataFee: Wei, operatorFee: Wei) {
        let share = UInt256.mulDiv(dataFee.rawValue, UInt256(100 + Self.headroom), 100)
        let raised = share.map { $0.quotient.addingSaturating($0.remainder == .zero ? 0 : 1) }
        self.init(
            present: dataFee.adding(operatorFee) ?? Wei(.max),
            maximum: Wei(raised ?? .max).adding(operatorFee) ?? Wei(.max)
        )
    }

    func adding(_ other: RollupCost) -> RollupCost {
        RollupCost(
            present: present.adding(other.present) ?? Wei(.max),
            maximum: maximum.adding(other.maximum) ?? Wei(.max)
        )
    }

    /// The warning of a mined transaction whose receipt lacks a part of what it cost.
    static func unread(by hash: TransactionHash) -> String {
        "What \(hash) cost is unknown: the chain takes a fee beside gas, and the node's receipt "
            + "does not name it."
    }
}
