package import Ethereum

/// What a handed-over transaction does, read from its signed bytes alone.
package struct BroadcastPlan: Sendable {
    /// Base units of a token or of ether.
    package struct Payment: Hashable, Sendable {
        package let currency: Currency
        package let amount: UInt256
    }

    package struct Approval: Hashable, Sendable {
        package let token: Token
        package let spender: Address
        /// Base units.
        package let amount: UInt256
    }

    /// The place where the transaction is.
    package enum Place: Hashable, Sendable {
        /// No node that was asked has it.
        case new
        /// In a node's pool, so sending it again changes nothing.
        case pooled
        /// In a block: there is nothing to send.
        case mined
    }

    package let place: Place
    package let hash: TransactionHash
    package let account: Address
    package let nonce: UInt64
    package let purpose: TransactionPurpose
    package let to: Address
    /// The contract function, or `(data)` if unknown; nil without a call.
    package let function: String?
    /// Bytes of call data.
    package let dataCount: Int
    package let coin: CoinSymbol
    package let value: Wei
    /// The most that leaves the account, without gas.
    package let pays: [Payment]
    /// The tokens that come in.
    package let receives: [Token]
    package let approvals: [Approval]
    /// Receivers of ether or tokens.
    package let recipients: [Address]
    package let gasLimit: UInt64
    /// Wei per unit of gas.
    package let maxFeePerGas: Wei
    /// Wei per unit of gas; nil on a chain without a base fee.
    package let maxPriorityFeePerGas: Wei?
    /// The most that gas may cost.
    package let maxCost: Wei
    /// The most ether that leaves the account.
    package let total: Wei
    package let block: UInt64
    /// By the file, which nothing proves; seconds since 1970.
    package let madeAt: UInt64
    /// By the file, which nothing proves; seconds since 1970, nil if it names no end.
    package let validUntil: UInt64?
    package internal(set) var warnings: [String]
    /// What it changes, by a run on this machine; nil if there is nothing to send.
    package var simulation: SimulationReport?
    /// What it does beyond what its bytes say, each as a sentence.
    package var differences: [String] = []
}

/// What became of a handed-over transaction.
package struct BroadcastOutcome: TransactionOutcome {
    package let plan: BroadcastPlan
    /// Empty if it was mined before.
    package let transactions: [SentTransaction]
    /// Its outcome by its receipt; nil if it is not mined, or cannot be read.
    package let mined: TransactionStatus?
    package let warnings: [String]
    package let ending: Ending
}

extension BroadcastOutcome {
    package var subject: OutcomeSubject? {
        OutcomeSubject(
            hash: plan.hash,
            block: mined?.block ?? transactions.last?.block,
            reason: mined?.revertReason ?? transactions.last?.reason
        )
    }

    package var allWarnings: [String] { warnings + (mined?.notes ?? []) }
}

/// A file whose bytes were checked against it and against the chain.
package struct PlannedBroadcast: Sendable {
    package let plan: BroadcastPlan
    let file: SignedFile
    let signed: SignedTransaction
    /// Of one that is mined already.
    let mined: TransactionStatus?

    /// The outcome if there is nothing to send; nil if there is.
    package var settled: BroadcastOutcome? {
        mined.map {
            BroadcastOutcome(
                plan: plan,
                transactions: [],
                mined: $0,
                warnings: ["It is mined already: nothing was sent."],
                ending: $0.ending
            )
        }
    }
}
