import Ethereum

/// `dex block`: a block with its transactions and their receipts.
package struct BlockModel: Sendable {
    private let scope: ChainScope
    private var session: Session { scope.session }

    package init(_ scope: ChainScope) { self.scope = scope }

    /// The block, in two requests: the block itself, then the receipts of its transactions.
    ///
    /// - Parameters:
    ///   - first: the index of the first transaction that is shown.
    ///   - maximum: the most transactions that are shown.
    /// - Throws: `DexError`: `block-ahead`, `unknown-block` (exit 2), `block-not-found` (exit 4), or
    ///   the error of a read.
    package func load(
        _ reference: BlockReference,
        first: Int = 0,
        maximum: Int = .max
    ) async throws(DexError) -> BlockState {
        var batch = ReadBatch()
        let asked = ChainHead.ask(session, in: &batch)
        let slot = batch.add(.fullBlock(reference.tag))
        let answers = try await batch.send(to: session.chain)
        let head = try answers.value(asked)
        guard let full = try block(slot, in: answers) else {
            throw missing(reference, latest: head.number)
        }
        let shown = full.transactions.dropFirst(max(0, first)).prefix(max(0, maximum))
        return BlockState(
            network: session.network.name,
            block: full.block,
            latest: max(head.number, full.block.number),
            count: full.transactions.count,
            rows: try await TransactionRows(scope: scope).load(shown.map { (full.block, $0) })
        )
    }

    /// The requested block; nil if the node has none, in its answer or by its error.
    private func block(
        _ slot: ReadSlot<FullBlock?>,
        in answers: ReadAnswers
    ) throws(DexError) -> FullBlock? {
        do {
            return try answers[slot].get()
        } catch {
            if case .missingBlock = error { return nil }
            throw DexError(error)
        }
    }

    private func missing(_ reference: BlockReference, latest: UInt64) -> DexError {
        switch reference {
        case .latest: BlockError.missing(latest)
        case .hash(let hash): BlockError.unknownHash(hash, network: session.network.name)
        case .number(let number):
            number > latest
                ? BlockError.ahead(number, latest: latest) : BlockError.missing(number)
        }
    }
}
