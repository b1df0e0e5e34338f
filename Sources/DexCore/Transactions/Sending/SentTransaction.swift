package import DexStore
package import Ethereum

/// A sent transaction and its known state.
package struct SentTransaction: Hashable, Sendable {
    package let purpose: TransactionPurpose
    package let hash: TransactionHash
    /// The coin of its cost.
    package let coin: CoinSymbol
    /// `confirmed` at the requested depth, `mined` below it.
    package let stage: TransactionStage
    /// Also of a pending one, if it is in a block without enough confirmations.
    package let block: UInt64?
    package let gasUsed: UInt64?
    /// gasUsed x price, and what a rollup took beside it; nil while pending.
    package let cost: Wei?
    /// Why a pending one waits, or a reverted one failed, if known; a sentence.
    package var reason: String?
    /// Why no node has it; nil if one may.
    package var declined: DeclinedSend?
    /// What a run on this machine said of it before it was signed; nil if there was none.
    package var simulation: SimulationReport?
}

extension SentTransaction {
    /// A signed transaction as the journal has it; nil if a later version wrote it.
    package init?(of transaction: JournalTransaction, _ coin: CoinSymbol) {
        guard let purpose = transaction.knownPurpose else { return nil }
        self.init(
            purpose: purpose,
            hash: transaction.hash,
            coin: coin,
            stage: transaction.stage,
            block: transaction.block,
            gasUsed: nil,
            cost: nil
        )
    }

    /// A transaction that is on its way.
    static func pending(_ purpose: TransactionPurpose, _ hash: TransactionHash, _ coin: CoinSymbol)
        -> Self
    {
        Self(
            purpose: purpose,
            hash: hash,
            coin: coin,
            stage: .pooled,
            block: nil,
            gasUsed: nil,
            cost: nil
        )
    }

    /// The report of a transaction that did not get through, as a sentence.
    ///
    /// - Parameters:
    ///   - subject: its noun: `the transfer`.
    ///   - nothing: what did not happen: `nothing was moved`.
    ///   - confirmations: the requested number.
    func ending(_ subject: String, nothing: String, confirmations: UInt64) -> String {
        let start = subject.prefix(1).uppercased() + subject.dropFirst()
        return switch stage {
        case .reverted:
            "\(start) was mined and reverted: \(nothing)." + (reason.map { " \($0)" } ?? "")
        // What the other one did is not known here: it may have done the same.
        case .replaced:
            "Another transaction with the same nonce was mined, and not \(subject). See what became "
                + "of it before you repeat it: `dex status \(hash)`."
        case .dropped: "The node no longer knows \(subject); it is in the journal."
        case .planned, .signed, .held, .broadcast, .pooled, .mined, .confirmed, .reorganized,
            .refused, .forgotten:
            pendingWords(start, confirmations: confirmations)
        }
    }

    /// Why a pending transaction is not done, and how to follow it.
    ///
    /// - Parameter confirmations: the requested number.
    func pendingWords(_ subject: String, confirmations: UInt64) -> String {
        guard let block else {
            if let declined {
                return declined.sentence(subject.prefix(1).lowercased() + subject.dropFirst())
            }
            return "\(subject) is not mined yet: follow it with `dex status \(hash) --wait`."
                + (reason.map { " \($0)" } ?? "")
        }
        let count = confirmations > 1 ? "its \(confirmations) confirmations" : "its confirmation"
        let flag = confirmations > 1 ? " --confirmations \(confirmations)" : ""
        return "\(subject) is in block \(block) and does not have \(count) yet, so what it did is "
            + "not final: follow it with `dex status \(hash) --wait\(flag)`."
    }
}
