package import DexStore
package import Ethereum
import ZeroEx

/// `dex activity`: what an account sent, received, wrapped, approved, traded, cancelled and called.
package struct ActivityModel: Sendable {
    private let session: Session
    private let journal: Journal
    private let names: ContractNames

    /// Seconds that are shown unless told.
    package static let usualSpan: UInt64 = 30 * 86_400
    /// More rows are not shown.
    private static let maximumRows = 200_000

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

    /// What happened from a time on, the latest first; what is kept, with a warning, if the node
    /// does not answer.
    ///
    /// - Parameters:
    ///   - since: seconds since 1970; nil is 30 days before the latest block.
    ///   - before: only what is behind this place of an earlier list.
    ///   - showsAll: also tokens that may be forged, and transfers of nothing.
    /// - Throws: `DexError`: another chain, or the journal cannot be read.
    package func load(
        _ account: Address,
        since: UInt64? = nil,
        before: ActivityCursor? = nil,
        showsAll: Bool = false
    ) async throws(DexError) -> ActivityState {
        var warnings: [String] = []
        var outcome: ActivitySync.Outcome?
        do throws(DexError) {
            outcome = try await ActivitySync(session: session, account: account, journal: journal)
                .catchUp(from: since.map { .time($0) } ?? .span(Self.usualSpan))
        } catch {
            guard error.kind == .unreachable else { throw error }
            warnings.append(
                "Only what the journal has is shown; the chain could not be read: \(error.message)"
            )
        }
        let place = ActivityPlace(chainID: session.network.chainID, account: account)
        let now = session.environment.now()
        let first = outcome?.time ?? since ?? (now - min(now, Self.usualSpan))
        let records = try journaled(
            try journal.activity(
                place,
                since: first,
                limit: Self.maximumRows + 1
            )
        )
        guard records.count <= Self.maximumRows else {
            throw ReadError.tooManyRows(maximum: Self.maximumRows)
        }
        let trusted = try TrustedTokens(session: session, journal: journal, account: account)
        let listed = records.filter { record in before.map { ActivityCursor(record) < $0 } ?? true }
        let shown = showsAll ? listed : listed.filter { !isDeceptive($0, trusted) }
        // Compared with all records: one of the same transaction may be before the cursor.
        var screen = session
        let own = try await journaledOnly(account, since: first, records).filter { row in
            before.map { before in row.cursor.map { $0 < before } ?? false } ?? true
        }
        let gaps = try await gaps(outcome, place, &warnings)
        // Without an answer the list says already that it is as the journal has it.
        if outcome != nil {
            let tokens =
                shown.flatMap { [$0.token, $0.otherToken] }.compactMap(\.self)
                + own.flatMap { [$0.currency.token?.address, $0.other?.address] }
                .compactMap(\.self)
            let checked = await TokenResolver(session: session).checkedSession(for: Set(tokens))
            screen = checked.session
            warnings += checked.warnings
        }
        return ActivityState(
            coin: session.network.coin,
            account: account,
            block: outcome?.head.number,
            since: first,
            rows: Self.merged(own.map { $0.named(screen) }, shown.map { row($0, screen) }),
            hidden: listed.count - shown.count,
            firstKnown: outcome?.start?.block,
            etherFrom: gaps,
            next: nil,
            warnings: warnings
        )
    }

    /// Anybody can make a token log such an event; only the account sends its own transactions.
    private func isDeceptive(_ record: ActivityRecord, _ trusted: TrustedTokens) -> Bool {
        guard !record.isOwn, let token = record.token else { return false }
        switch record.kind {
        case .sent, .received, .approved:
            return record.amount == .zero || !trusted.contains(token)
        case .wrapped, .unwrapped, .trade, .cancel, .call: return false
        }
    }

    /// The first block with complete ether, and the sentences about what the node does not know.
    private func gaps(
        _ outcome: ActivitySync.Outcome?,
        _ place: ActivityPlace,
        _ warnings: inout [String]
    ) async throws(DexError) -> UInt64? {
        guard let outcome else { return nil }
        if let start = outcome.start {
            warnings.append(
                "The first block that the node knows is \(start.block), and what happened before "
                    + "it is not shown: \(start.reason) Name a node that keeps old blocks with "
                    + "--rpc."
            )
        }
        let gaps = try journaled(try journal.activityGaps(place))
        let span = outcome.firstBlock...max(outcome.firstBlock, outcome.head.number)
        guard let last = gaps.blocks.clamped(to: span).ranges.last?.upperBound else { return nil }
        let first = last.addingSaturating(1)
        warnings.append(
            "What others sent in \(session.network.coin.noun) is shown from block \(first) on. The "
                + "node does not have the state of earlier blocks: \(gaps.reason ?? "") Name a node "
                + "that keeps it with --rpc."
        )
        return first
    }

    // MARK: Rows

    private func row(_ record: ActivityRecord, _ session: Session) -> ActivityState.Row {
        ActivityState.Row(
            kind: record.kind,
            isOwn: record.isOwn,
            stage: record.succeeded ? .mined : .reverted,
            currency: record.token.map { .of($0, session) } ?? .coin(session.network.coin),
            amount: record.amount,
            other: record.otherToken.map { .of($0, session) },
            otherAmount: record.otherAmount,
            counterparty: record.counterparty,
            counterpartyName: record.counterparty.flatMap { names.name(of: $0) },
            function: record.function,
            gas: record.gas,
            orderHash: record.orderHash,
            transaction: record.transaction,
            block: record.block.number,
            time: record.time,
            cursor: ActivityCursor(record)
        )
    }

    /// The account's transactions in the journal that the chain's records do not have.
    ///
    /// Those that were replaced or never sent did nothing, and are left out.
    private func journaledOnly(
        _ account: Address,
        since: UInt64,
        _ records: [ActivityRecord]
    ) async throws(DexError) -> [ActivityState.Row] {
        let known = Set(records.compactMap(\.transaction))
        let own = try await TransactionsModel(session: session, journal: journal)
            .load(account: account, limit: Self.maximumUnmined, onlyUnsettled: false)
        var rows: [ActivityState.Row] = []
        for row in own.rows where !known.contains(row.hash) && row.created >= since {
            switch row.stage {
            case .planned, .replaced, .refused, .forgotten: break
            case .signed, .held, .broadcast, .pooled, .dropped, .reorganized, .mined, .confirmed,
                .reverted:
                if let waiting = try waiting(row) { rows.append(waiting) }
            }
        }
        return rows
    }

    /// Of older ones of the journal the blocks have been read, and they are in its records.
    private static let maximumUnmined = 200

    private func waiting(
        _ row: TransactionsState.Row
    ) throws(DexError) -> ActivityState.Row? {
        guard
            let signed = try journaled(try journal.transaction(row.hash))?
                .signed(session)?.transaction
        else { return nil }
        let movement = Movement(
            from: row.account,
            to: signed.to,
            value: signed.value,
            data: signed.data,
            session
        )
        return ActivityState.Row(
            kind: movement.kind,
            isOwn: true,
            stage: row.stage,
            currency: movement.token.map { .of($0, session) } ?? .coin(session.network.coin),
            amount: movement.amount,
            other: movement.other.map { .of($0.token, session) },
            otherAmount: nil,
            counterparty: movement.party,
            counterpartyName: movement.party.flatMap { names.name(of: $0) },
            function: movement.function,
            gas: nil,
            orderHash: nil,
            transaction: row.hash,
            block: row.block,
            time: row.created,
            cursor: row.block.map { ActivityCursor(block: $0, nonce: row.nonce) }
        )
    }

    /// What is in no block first, then the latest place.
    private static func merged(
        _ own: [ActivityState.Row],
        _ rows: [ActivityState.Row]
    ) -> [ActivityState.Row] {
        guard !own.isEmpty else { return rows }
        let mined = (own.filter { $0.cursor != nil } + rows).sorted { first, second in
            guard let first = first.cursor, let second = second.cursor else { return false }
            return first > second
        }
        return own.filter { $0.cursor == nil } + mined
    }
}

extension Token {
    fileprivate static func of(_ address: Address, _ session: Session) -> Token {
        address == Token.nativeCoinAddress
            ? .nativeCoin(session.network.coin) : session.tokens.token(at: address)
    }
}

extension Currency {
    fileprivate static func of(_ address: Address, _ session: Session) -> Currency {
        Currency(Token.of(address, session))
    }
}

extension ActivityState.Row {
    /// The row with its tokens as a session knows them.
    fileprivate func named(_ session: Session) -> ActivityState.Row {
        var row = self
        row.currency = currency.token.map { .of($0.address, session) } ?? currency
        row.other = other.map { .of($0.address, session) }
        return row
    }
}
