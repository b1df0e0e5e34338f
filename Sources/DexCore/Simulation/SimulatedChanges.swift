package import Ethereum

/// What a transaction does to its account, by a run of it on this machine, on a node's state.
///
/// Amounts are balances before and after, as the contracts themselves answer; what a contract logs is
/// only its claim.
package struct SimulatedChanges: Hashable, Sendable {
    /// A value before and after the transaction, in base units.
    package struct Change: Hashable, Sendable {
        package let before: UInt256
        package let after: UInt256

        package var falls: UInt256 { before.subtractingSaturating(after) }
        package var rises: UInt256 { after.subtractingSaturating(before) }
        var isNone: Bool { before == after }
    }

    /// The account's balance of a token.
    package struct TokenChange: Hashable, Sendable {
        package let token: Token
        package let balance: Change
        /// What the token's events say that came and went; nil without one about the account.
        package let logged: Logged?

        /// Its events say something else than its balances.
        package var isMislogged: Bool {
            guard let logged else { return false }
            let (came, went) = (balance.rises, balance.falls)
            return logged.came.subtractingSaturating(logged.went) != came
                || logged.went.subtractingSaturating(logged.came) != went
        }
    }

    /// The sums of a token's events about the account, in base units.
    package struct Logged: Hashable, Sendable {
        package let came: UInt256
        package let went: UInt256
    }

    /// What a spender may move of the account's token.
    package struct AllowanceChange: Hashable, Sendable {
        package let token: Token
        package let spender: Address
        package let amount: Change
        /// It is Permit2 that keeps it.
        package let isInPermit2: Bool
    }

    /// Who may move a collection's items.
    package struct OperatorChange: Hashable, Sendable {
        package let collection: Address
        package let `operator`: Address
        package let isAllowed: Bool
        /// The one that it may move; nil for all that the account has.
        package var item: UInt256?

        /// `all items`, or `the item 7`.
        package var what: String { item.map { "the item \($0)" } ?? "all items" }
    }

    /// An item of a collection.
    package struct ItemChange: Hashable, Sendable {
        package let collection: Address
        package let id: UInt256
        /// It leaves the account; else it arrives.
        package let leaves: Bool
    }

    /// A contract that the account owned, and its next owner.
    package struct OwnerChange: Hashable, Sendable {
        package let contract: Address
        package let owner: Address
    }

    /// A value of its block or its transaction that code can read.
    package enum ReadValue: String, CaseIterable, Sendable {
        case timestamp, number, coinbase, random, blockHash, baseFee, gasPrice, origin, gasLimit
    }

    /// The block on whose state it ran.
    package let block: UInt64
    /// Why it would fail, in the contract's words; nil if it succeeds.
    package let failure: String?
    package let gasUsed: UInt64
    /// The account's coin, without what the gas costs.
    package let coin: Change
    /// Those that change, or that an event names; in the order of the addresses.
    package let tokens: [TokenChange]
    package let allowances: [AllowanceChange]
    package let operators: [OperatorChange]
    package let items: [ItemChange]
    /// Its events name more items than are compared: what happens to the others is not known.
    package let isCut: Bool
    /// The contracts that it creates.
    package let created: [Address]
    package let owners: [OwnerChange]
    /// The account gets code of its own, or another one's (EIP-7702).
    package let changesCode: Bool
    /// What the code read of its block and its transaction: it can behave otherwise in another one.
    package let reads: [ReadValue]
}

/// The result of a run on this machine.
package struct SimulationReport: Hashable, Sendable {
    package enum Result: Hashable, Sendable {
        case ran(SimulatedChanges)
        /// It says nothing about the transaction; the reason is a clause.
        case notRun(String)
    }

    package let result: Result
    /// What is proven of the state that it ran on; nil where no proofs are asked for.
    package var proof: StateProof?

    package static func ran(_ changes: SimulatedChanges) -> SimulationReport {
        SimulationReport(result: .ran(changes))
    }

    package static func notRun(_ reason: String) -> SimulationReport {
        SimulationReport(result: .notRun(reason))
    }

    package var changes: SimulatedChanges? {
        if case .ran(let changes) = result { changes } else { nil }
    }

    /// Why there was no run, as a clause; nil if there was one.
    package var reason: String? {
        if case .notRun(let reason) = result { reason } else { nil }
    }
}
