package import DexStore
package import Ethereum

/// `dex tx list`: the journal's transactions, and a node's view of the unsettled ones.
package struct TransactionsModel: Sendable {
    private let session: Session
    private let journal: Journal
    private let names: ContractNames

    /// - Parameter names: the addresses that the user knows by name.
    package init(session: Session, journal: Journal, names: KnownAddresses = KnownAddresses()) {
        self.session = session
        self.journal = journal
        self.names = ContractNames(
            network: session.network,
            tokens: session.tokens,
            known: names
        )
    }

    /// The network's transactions, newest first.
    ///
    /// If the node does not answer, they are as in the journal, with a warning.
    ///
    /// - Parameters:
    ///   - account: only its transactions; nil for all.
    ///   - onlyUnsettled: only those that `dex resume` reports.
    /// - Throws: `DexError`, exit 3, if the journal cannot be read or the node is on another
    ///   chain.
    package func load(
        account: Address?,
        limit: Int,
        onlyUnsettled: Bool
    ) async throws(DexError) -> TransactionsState {
        let chainID = session.network.chainID
        let unfinished = try journaled(try journal.unfinished(chainID: chainID))
        let maximum = onlyUnsettled ? Self.maximum : limit
        var all = try journaled(
            try journal.transactions(chainID: chainID, sender: account, limit: maximum)
        )
        var observed: [TransactionHash: ObservedTransaction] = [:]
        var head: UInt64?
        var gaps = NonceGaps()
        var warnings: [String] = []
        do throws(DexError) {
            let observer = TransactionObserver(session: session, journal: journal)
            let mined = all.filter(\.isMinedByJournal)
            let found =
                onlyUnsettled
                ? try await observer.unfinished(unfinished, mined: mined)
                : try await observer.observe(
                    // Transactions that are not shown hold nonces too.
                    unsettled: unfinished.transactions.filter { one in
                        all.contains { $0.sender == one.sender }
                    },
                    mined: mined,
                    held: unfinished.held(now: session.environment.now())
                )
            head = found.head
            gaps = found.gaps
            for one in found.transactions { observed[one.transaction.hash] = one }
            if onlyUnsettled { all = all.filter { observed[$0.hash] != nil } }
        } catch {
            guard error.kind == .unreachable else { throw error }
            warnings.append("It is shown as the journal has it: \(error.message)")
            if onlyUnsettled { all = all.filter { $0.stage.isUnsettled && $0.holdsNonce } }
        }
        let shown = all.prefix(limit)
        var screen = session
        // Without an answer the list says already that it is as the journal has it.
        if head != nil {
            let checked = await TokenResolver(session: session)
                .checkedSession(for: tokens(of: shown))
            screen = checked.session
            warnings += checked.warnings
        }
        return TransactionsState(
            rows: shown.map { row($0, observed[$0.hash], gap: gaps[$0.hash], screen) },
            block: head,
            warnings: warnings
        )
    }

    /// More than any account has in flight.
    private static let maximum = 10_000

    private func tokens(of transactions: some Sequence<JournalTransaction>) -> Set<Address> {
        transactions.compactMap { $0.signed(session)?.transaction }.reduce(into: []) { all, one in
            all.formUnion(
                TransactionCall.tokens(to: one.to, value: one.value, data: one.data, session)
            )
        }
    }

    private func row(
        _ transaction: JournalTransaction,
        _ observed: ObservedTransaction?,
        gap: NonceGap?,
        _ session: Session
    ) -> TransactionsState.Row {
        // A node's word about what is over changes nothing, unless it has it.
        let observed = observed?.isStillOver == true ? nil : observed
        let life = observed?.life ?? TransactionLife(transaction)
        let signed = transaction.signed(session)?.transaction
        let subject = signed.map {
            TransactionSubject($0, by: transaction.sender, session: session)
        }
        return TransactionsState.Row(
            hash: transaction.hash,
            account: transaction.sender,
            nonce: transaction.nonce,
            purpose: transaction.purpose,
            stage: observed?.stage ?? life.stage,
            isUnsettled: transaction.stage.isUnsettled || observed != nil,
            created: transaction.created,
            block: life.block,
            reorgedFromBlock: life.reorgedFromBlock,
            waitsFor: gap,
            successor: transaction.successor,
            predecessor: transaction.predecessor,
            price: signed?.maximumGasPrice,
            subject: subject,
            recipientName: subject?.recipient.flatMap { names.name(of: $0) }
        )
    }
}
