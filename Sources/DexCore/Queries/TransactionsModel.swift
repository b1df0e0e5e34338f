package import DexStore
package import Ethereum

/// `dex tx list`: the journal's transactions, with what a node shows of those that are unsettled.
package struct TransactionsModel: Sendable {
    private let session: Session
    private let journal: Journal

    package init(session: Session, journal: Journal) {
        self.session = session
        self.journal = journal
    }

    /// The newest transactions of the network first; a node that cannot be asked leaves them as
    /// the journal has them, with a warning.
    ///
    /// - Parameters:
    ///   - account: only its; nil for all.
    ///   - onlyUnsettled: only what `dex resume` tells of.
    /// - Throws: `DexError`, exit 3, where the journal cannot be read or the node is on another
    ///   chain.
    package func load(
        account: Address?,
        limit: Int,
        onlyUnsettled: Bool
    ) async throws(DexError) -> TransactionsState {
        var all: [JournalTransaction]
        let unfinished: JournalUnfinished
        do {
            unfinished = try journal.unfinished(chainID: session.network.chainID)
            all = try journal.transactions(
                chainID: session.network.chainID,
                sender: account,
                limit: onlyUnsettled ? Self.most : limit
            )
        } catch {
            throw DexError(error)
        }
        var seen: [TransactionHash: LifeReader.Seen] = [:]
        var head: UInt64?
        var gaps = NonceGaps()
        var warnings: [String] = []
        do throws(DexError) {
            let reader = LifeReader(session: session)
            let mined = all.filter(\.isMinedByJournal)
            let looked =
                onlyUnsettled
                ? try await reader.unfinished(unfinished, mined: mined)
                : try await reader.look(
                    // Those that are not shown hold nonces too.
                    unsettled: unfinished.transactions.filter { one in
                        all.contains { $0.sender == one.sender }
                    },
                    mined: mined,
                    held: unfinished.held(now: session.environment.now())
                )
            head = looked.head
            gaps = looked.gaps
            for one in looked.seen { seen[one.transaction.hash] = one }
            if onlyUnsettled { all = all.filter { seen[$0.hash] != nil } }
        } catch {
            guard error.exit == .unreachable else { throw error }
            warnings.append("It is shown as the journal has it: \(error.message)")
            if onlyUnsettled { all = all.filter { $0.isUnsettled && $0.holdsNonce } }
        }
        return TransactionsState(
            rows: all.prefix(limit).map { row($0, seen[$0.hash], gap: gaps[$0.hash]) },
            block: head,
            warnings: warnings
        )
    }

    /// More than anybody has in flight.
    private static let most = 10_000

    private func row(
        _ transaction: JournalTransaction,
        _ seen: LifeReader.Seen?,
        gap: UInt64?
    ) -> TransactionsState.Row {
        let life = seen?.life ?? TransactionLife(transaction)
        let signed = try? SignedTransaction(raw: transaction.raw, recoverer: session.recoverer)
        return TransactionsState.Row(
            hash: transaction.hash,
            account: transaction.sender,
            nonce: transaction.nonce,
            purpose: transaction.purpose,
            status: (seen?.stage ?? life.stage).word,
            isUnsettled: transaction.isUnsettled || seen != nil,
            created: transaction.created,
            block: life.block,
            reorgedFromBlock: life.reorgedFromBlock,
            waitsFor: gap,
            successor: transaction.successor,
            predecessor: transaction.predecessor,
            price: signed?.transaction.maximumGasPrice
        )
    }
}

extension JournalTransaction {
    /// It may still be mined.
    var isUnsettled: Bool {
        switch status {
        case .signed, .sent, .dropped, .reorganized, .refused: true
        case .mined, .reverted, .replaced, .forgotten: false
        }
    }
}

extension TransactionLife.Stage {
    /// For people and scripts: what is in a block is mined, however deep.
    var word: String { self == .confirmed ? Self.mined.rawValue : rawValue }
}
