import Ethereum
import ZeroEx

/// A chain's own state, read in every first round.
enum ChainHead {
    /// Adds reads of the latest block and the node's chain.
    ///
    /// - Returns: the latest block; throws `DexError`, exit 3, if the node is on another chain.
    static func ask(_ session: Session, in batch: inout ReadBatch) -> JointRead<Block> {
        let network = session.network
        let chainID = batch.add(.chainID)
        let block = batch.add(.latestBlock)
        return JointRead { answers throws(DexError) in
            let node = try answers.value(chainID)
            guard node == network.chainID else {
                throw NetworkError.wrongChain(node: node, network)
            }
            return try answers.value(block)
        }
    }

    static func read(_ session: Session) async throws(DexError) -> Block {
        var batch = ReadBatch()
        let head = ask(session, in: &batch)
        return try await batch.send(to: session.chain).value(head)
    }
}

struct AccountHead: Sendable {
    let address: Address
    let block: Block
    /// The nonce after all transactions in the node's pool, and at least after all mined ones: the
    /// two counts may be of servers of which one lags.
    let pendingNonce: UInt64
    let fees: FeeSnapshot

    /// Adds the reads of `ChainHead`, the account's nonce and the gas price.
    static func ask(
        _ session: Session,
        _ account: Address,
        in batch: inout ReadBatch
    ) -> JointRead<AccountHead> {
        let head = ChainHead.ask(session, in: &batch)
        let nonce = batch.add(.transactionCount(account, .pending))
        let mined = batch.add(.transactionCount(account, .latest))
        let history = batch.add(FeePriority.read)
        let gasPrice = batch.add(.gasPrice)
        return JointRead { answers throws(DexError) in
            let block = try answers.value(head)
            let pendingNonce = max(try answers.value(nonce), try answers.value(mined))
            var fees = FeeSnapshot(
                coin: session.network.coin,
                baseFee: block.baseFeePerGas,
                history: answers[history],
                gasPrice: answers[gasPrice],
                rules: session.network.fees
            )
            fees.privateNode = session.network.privateName
            return AccountHead(
                address: account,
                block: block,
                pendingNonce: pendingNonce,
                fees: fees
            )
        }
    }
}

extension FeeSnapshot {
    /// - Parameter baseFee: of the latest block.
    fileprivate init(
        coin: CoinSymbol,
        baseFee: Wei?,
        history: Result<FeeHistory, ChainError>,
        gasPrice: Result<Wei, ChainError>,
        rules: FeeRules
    ) {
        // nil: many nodes have none, or an unusable one; the gas price then stands for the tips.
        let known = try? history.get()
        let tips = known.map(FeePriority.tips) ?? [:]
        let next = known?.baseFeePerGas.last
        var unread: ChainError?
        if baseFee != nil, rules.market != .base, case .failure(let error) = history,
            !error.meansNone
        {
            // It may have tips and does not say them now: as if nobody paid any would be wrong.
            unread = error
        } else if baseFee == nil || tips.isEmpty && rules.market != .base,
            case .failure(let error) = gasPrice
        {
            unread = error
        }
        self.init(
            coin: coin,
            baseFee: baseFee.map { max($0, next ?? $0) },
            tips: tips,
            gasPrice: try? gasPrice.get(),  // nil: see `unread`
            unread: unread,
            rules: rules
        )
    }
}
