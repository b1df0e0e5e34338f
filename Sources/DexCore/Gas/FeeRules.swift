package import Ethereum

/// How a chain prices a transaction, charges it and limits it, by its id.
///
/// Operators move these numbers: they are bounds on what a node reports, and what a call of the
/// chain returns wins. The defaults are Ethereum's rules without any floor.
package struct FeeRules: Hashable, Sendable {
    /// What decides how soon a transaction is mined.
    package enum Market: String, CaseIterable, Sendable {
        /// A base fee and a tip, as on Ethereum.
        case tips
        /// The base fee alone: tips are dropped or burnt, so none is paid.
        case base
        /// The node prices each transaction by its bytes (`linea_estimateGas`).
        case estimate
    }

    /// The gas that is paid, of the gas limit and the gas used.
    package enum Charge: String, CaseIterable, Sendable {
        case used
        /// At least half of the limit.
        case half
        /// The whole limit.
        case limit
        /// The gas used and a tenth of the rest.
        case tenth
    }

    /// What is taken beside gas, from the same balance; no gas limit and no price bounds it.
    package enum RollupFee: String, CaseIterable, Sendable {
        case none
        /// The data fee and the operator fee of the OP Stack's oracle.
        case optimism
        /// The same with Mantle's token ratio.
        case mantle
        /// The data fee of Scroll's oracle.
        case scroll
        /// Not known: the OP Stack's oracle is asked, where there is one.
        case asked
    }

    /// What gas is paid in.
    package enum Payment: String, CaseIterable, Sendable {
        /// The chain's coin.
        case coin
        /// A token of six decimals; the chain has no coin, and transactions carry no value.
        case tokens
    }

    package var market = Market.tips
    package var charged = Charge.used
    package var rollupFee = RollupFee.none
    package var paidIn = Payment.coin
    /// The least base fee that the chain has had, in wei per gas.
    package var minimumBaseFee = Wei.zero
    /// The least tip that nodes take, in wei per gas.
    package var minimumTip = Wei.zero
    /// The least that nodes take as the highest price of a unit of gas, in percent of the base fee.
    package var minimumCapPercent: UInt64 = 100
    /// The most gas of one transaction; nil: its revision's, or what a block holds.
    package var gasCap: UInt64?

    /// What an account keeps, in wei: a payment that leaves less waits or fails while another
    /// transaction of the account is in the last blocks; zero: no such rule.
    package var reserve = Wei.zero
    /// The bytes of a block by which a transaction's size decides its least gas limit; nil: no such
    /// rule.
    package var blockBytes: UInt64?
    /// The most transactions of an account that may wait for a block; nil: no such rule.
    package var maximumWaiting: UInt64?
    /// An address at which the coin leaves the chain for another place; nil: none.
    package var bridge: Address?

    /// The chain's id, which decides its revision; nil: not known.
    package var chain: UInt64?

    package init() {}

    /// Each transaction pays a fee beside its gas, which the chain's receipts name.
    package var hasRollupFee: Bool {
        switch rollupFee {
        case .optimism, .mantle, .scroll: true
        case .none, .asked: false
        }
    }

    /// Of a chain that the bundled list does not have.
    package static let unknown: FeeRules = {
        var rules = FeeRules()
        rules.rollupFee = .asked
        return rules
    }()
}
