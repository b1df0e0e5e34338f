import Ethereum
import ZeroEx

/// What every command needs to know of a chain before it reads anything else: the first round.
struct ChainSetup {
    /// The latest block.
    let block: Block
    let contracts: ExchangeContracts
    /// nil where no account was given.
    let pendingNonce: UInt64?
    /// nil where no account was given.
    let fees: FeeSnapshot?
    /// The answers to the questions that were sent along.
    let extra: [Result<ChainAnswer, ChainError>]

    /// Asks in one request, and checks that the node is on the network's chain and that the
    /// network's exchange is one.
    ///
    /// - Parameters:
    ///   - account: whose nonce is read, together with the price of gas.
    ///   - extra: further questions for the same request.
    static func read(
        _ session: Session,
        account: Address? = nil,
        extra: [ChainRead] = []
    ) async throws(DexError) -> ChainSetup {
        let network = session.network
        var batch = ReadBatch()
        let chainID = batch.add(.chainID)
        let block = batch.add(.block(.latest))
        let calls = session.exchangeProtocol.contractCalls(exchange: network.exchange)
        let contracts = batch.add(calls, at: .latest)
        var nonce: Int?
        var history: Int?
        var gasPrice: Int?
        if let account {
            nonce = batch.add(.transactionCount(account, .pending))
            history = batch.add(.feeHistory(blocks: 10, percentiles: [20]))
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
        return ChainSetup(
            block: latest,
            contracts: try exchangeContracts(session, answers, at: contracts),
            pendingNonce: pendingNonce,
            fees: account.map { _ in
                fees(block: latest, answers, history: history, gasPrice: gasPrice)
            },
            extra: Array(answers.results[first...])
        )
    }

    private static func exchangeContracts(
        _ session: Session,
        _ answers: ReadAnswers,
        at places: Range<Int>
    ) throws(DexError) -> ExchangeContracts {
        let exchange = session.network.exchange
        let reverted = places.contains { place in
            if case .failure(.reverted) = answers[place] { true } else { false }
        }
        if reverted { throw DexError(ExchangeError.notAnExchange(exchange)) }
        let bytes = try answers.bytes(places)
        do {
            return try session.exchangeProtocol.contracts(exchange: exchange, answers: bytes)
        } catch {
            throw DexError(error)
        }
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
            tips: history?.rewards.compactMap(\.first) ?? [],
            gasPrice: answers.optional(gasPrice) { answer throws(ChainError) in
                try answer.wei()
            }
        )
    }
}
