import DexSigning
import Ethereum

/// Proves the state that a plan rests on, while nothing of it is signed.
struct PlanProver {
    let session: Session

    /// What is proven of the state that the first transaction of a plan reads: a later one can be run
    /// only once that is mined.
    ///
    /// - Returns: nil where no proofs are asked for, and for a plan without a transaction.
    /// - Throws: `DexError`, as `StateProver`.
    func prove(
        _ signatures: [SigningRequest.Content],
        of account: Address
    ) async throws(DexError) -> StateProof? {
        guard session.network.provesState else { return nil }
        let transactions = signatures.compactMap { content -> Transaction? in
            if case .transaction(let transaction) = content { transaction } else { nil }
        }
        guard let transaction = transactions.first, let to = transaction.to else { return nil }
        let call = CallRequest(
            from: account,
            to: to,
            data: transaction.data,
            value: transaction.value,
            accessList: transaction.accessList
        )
        let simulator = TransactionSimulator(session: session)
        var batch = ReadBatch()
        let head = ChainHead.ask(session, in: &batch)
        let reads = simulator.ask(call, in: &batch)
        let answers = try await batch.send(to: session.chain)
        let block = try answers.value(head)
        return try await simulator.report(
            SimulatedTransaction(
                call: call,
                account: account,
                gasLimit: transaction.gasLimit,
                fee: transaction.fee
            ),
            reads,
            in: answers,
            within: nil,
            head: block,
            baseFee: block.baseFeePerGas
        ).proof
    }

    /// What is proven of an order's backing, which an approval of the same plan may still lack.
    ///
    /// - Returns: nil where no proofs are asked for.
    /// - Throws: `DexError`, as `FundingProver`.
    func prove(_ prover: FundingProver) async throws(DexError) -> StateProof? {
        guard session.network.provesState else { return nil }
        var batch = ReadBatch()
        let head = ChainHead.ask(session, in: &batch)
        let asked = prover.ask(in: &batch)
        let answers = try await batch.send(to: session.chain)
        return try await prover.prove(asked, in: answers, head: try answers.value(head))
    }
}
