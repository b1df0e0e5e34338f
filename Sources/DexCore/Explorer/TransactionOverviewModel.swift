package import Ethereum
import ZeroEx

/// Reads a transaction, its call and its events.
package struct TransactionOverviewModel: Sendable {
    private let scope: ChainScope

    /// The most events that are shown.
    package static let maximumEvents = 200

    package init(_ scope: ChainScope) { self.scope = scope }

    /// The transaction; nil if the node does not know it.
    ///
    /// - Throws: `DexError`, the error of a read; `reorganized` if its block left the chain meanwhile.
    package func load(_ hash: TransactionHash) async throws(DexError) -> TransactionOverview? {
        let session = scope.session
        var batch = ReadBatch()
        let asked = ChainHead.ask(session, in: &batch)
        let infoSlot = batch.add(.transaction(hash))
        let receiptSlot = batch.add(.receipt(hash))
        let answers = try await batch.send(to: session.chain)
        let head = try answers.value(asked)
        guard let info = try answers.value(infoSlot) else { return nil }
        let receipt = try answers.value(receiptSlot)
        let block = try await block(of: receipt)
        let logs = receipt?.logs ?? []
        let shown = Array(logs.prefix(Self.maximumEvents))
        let reader = EventReader(scope: scope)
        let tokens = try await TokenResolver(session: session)
            .checkedTokens(at: reader.tokens(in: shown).sorted()).tokens
        let called = info.to.flatMap(scope.session(ofExchange:)) ?? session
        let naming = await TokenResolver(session: called).checkedSession(
            for: TransactionCall.tokens(to: info.to, value: info.value, data: info.data, called)
        ).session
        return TransactionOverview(
            hash: hash,
            outcome: await outcome(info, receipt),
            from: scope.named(info.from),
            to: info.to.map(scope.named),
            nonce: info.nonce,
            coin: session.network.coin,
            value: info.value,
            gasLimit: info.gasLimit,
            data: info.data,
            call: TransactionCall(
                to: info.to,
                value: info.value,
                data: info.data,
                by: info.from,
                session: naming
            ),
            delegations: info.authorizations.compactMap { SignedDelegation($0, session) },
            block: block,
            latest: max(head.number, block?.number ?? 0),
            gasUsed: receipt?.gasUsed,
            gasPrice: receipt?.effectiveGasPrice,
            cost: receipt?.networkFee(hasRollupFee: session.network.fees.hasRollupFee),
            events: shown.map { reader.event($0, tokens) },
            omitted: logs.count - shown.count
        )
    }

    private func block(of receipt: TransactionReceipt?) async throws(DexError) -> Block? {
        guard let receipt else { return nil }
        var batch = ReadBatch()
        let slot = batch.add(.block(.number(receipt.blockNumber)))
        let block = try await batch.send(to: scope.session.chain).value(slot)
        guard let block, block.hash == receipt.blockHash else {
            throw ReadError.reorganized
        }
        return block
    }

    private func outcome(
        _ info: TransactionInfo,
        _ receipt: TransactionReceipt?
    ) async -> TransactionOverview.Outcome {
        guard let receipt else { return .pending }
        guard !receipt.succeeded else { return .succeeded }
        guard let to = info.to else { return .reverted(nil) }
        let session = scope.session(ofExchange: to) ?? scope.session
        let call = CallRequest(from: info.from, to: to, data: info.data, value: info.value)
        return .reverted(await RevertReason.read(of: call, in: receipt.blockNumber, session))
    }
}
