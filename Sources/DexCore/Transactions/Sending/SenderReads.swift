import EVM
import Ethereum

/// Reads the account before each of its signatures, in one batch with what its call needs.
struct SenderReads {
    private let askedHead: JointRead<AccountHead>
    private let balance: ReadSlot<Wei>
    /// Of the state that the call reads, for a run on this machine; nil without one.
    var state: StateReads?

    /// Asks for the account's head, then for what its call's contracts are, and then for its ether.
    static func ask<Contracts>(
        _ session: Session,
        of account: Address,
        in batch: inout ReadBatch,
        with contracts: (inout ReadBatch) -> Contracts
    ) -> (reads: SenderReads, contracts: Contracts) {
        let head = AccountHead.ask(session, account, in: &batch)
        let asked = contracts(&batch)
        let balance = batch.add(.balance(account, .latest))
        return (SenderReads(askedHead: head, balance: balance), asked)
    }

    /// - Throws: `DexError`: exit 3 for another chain; exit 4 if the node does not say it.
    func head(in answers: ReadAnswers) throws(DexError) -> AccountHead {
        try answers.value(askedHead)
    }

    /// - Throws: `DexError`, exit 4, if the node does not say it.
    func ether(in answers: ReadAnswers) throws(DexError) -> Wei { try answers.value(balance) }
}
