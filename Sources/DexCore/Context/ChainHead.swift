import Ethereum
import ZeroEx

/// What a chain says of itself, whatever is traded on it: part of every first round.
struct ChainHead {
    /// The latest block.
    let block: Block
    /// nil where no account was given.
    let pendingNonce: UInt64?
    /// nil where no account was given.
    let fees: FeeSnapshot?
    /// The answers to the questions that were sent along.
    let extra: [Result<ChainAnswer, ChainError>]

    /// Asks in one request, and checks that the node is on the network's chain.
    ///
    /// - Parameters:
    ///   - account: whose nonce is read, together with the price of gas.
    ///   - extra: further questions for the same request.
    static func read(
        _ session: Session,
        account: Address? = nil,
        extra: [ChainRead] = []
    ) async throws(DexError) -> ChainHead {
        let network = session.network
        var batch = ReadBatch()
        let chainID = batch.add(.chainID)
        let block = batch.add(.block(.latest))
        var nonce: Int?
        var history: Int?
        var gasPrice: Int?
        if let account {
            nonce = batch.add(.transactionCount(account, .pending))
            history = batch.add(FeePriority.question)
            gasPrice = batch.add(.gasPrice)
        }
        let first = batch.reads.count
        for read in extra { _ = batch.add(read) }

        let answers = try await batch.send(to: session.chain)
        let node = try answers.value(chainID) { answer throws(ChainError) in
            try answer.number()
        }
        guard node == network.chainID else { throw .wrongChain(node: node, network: network) }
        let latest = try answers.value(block) { answer throws(ChainError) in
            guard let block = try answer.block() else {
                throw ChainError.nonsense("the node has no latest block")
            }
            return block
        }
        let pendingNonce: UInt64? =
            if let nonce {
                try answers.value(nonce) { answer throws(ChainError) in try answer.number() }
            } else {
                nil
            }
        return ChainHead(
            block: latest,
            pendingNonce: pendingNonce,
            fees: account.map { _ in
                fees(block: latest, answers, history: history, gasPrice: gasPrice)
            },
            extra: Array(answers.results[first...])
        )
    }

    /// Nodes from before EIP-1559 know no fee history; what is missing is nil or empty.
    private static func fees(
        block: Block,
        _ answers: ReadAnswers,
        history: Int?,
        gasPrice: Int?
    ) -> FeeSnapshot {
        let history = answers.optional(history) { answer throws(ChainError) in
            try answer.feeHistory()
        }
        let next = history?.baseFeePerGas.last
        return FeeSnapshot(
            baseFee: block.baseFeePerGas.map { max($0, next ?? $0) },
            tips: history.map(FeePriority.tips) ?? [:],
            gasPrice: answers.optional(gasPrice) { answer throws(ChainError) in
                try answer.wei()
            }
        )
    }
}
