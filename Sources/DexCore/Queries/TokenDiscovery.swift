package import DexStore
package import Ethereum
import ZeroEx

/// `dex balance --discover`: finds the tokens of an account by the logs of its transfers.
///
/// Any contract can log a transfer to any account, so nothing that is found is priced or added.
package struct TokenDiscovery: Sendable {
    private let session: Session
    private let journal: Journal
    /// The most contracts whose balances are read.
    static let maximumContracts = 2_000
    /// The balances in one batch.
    private static let batchSize = 250

    package init(session: Session, journal: Journal) {
        self.session = session
        self.journal = journal
    }

    /// The tokens outside the map of which the account has a balance, all at one block.
    ///
    /// - Parameters:
    ///   - first: the first block whose logs are read.
    ///   - block: the last one, at which the balances are read.
    /// - Throws: `DexError`: exit 2, `block-ahead`; exit 3 if the journal cannot be read or written;
    ///   exit 4, `logs-refused` if the node does not have the logs, or its failure.
    package func find(
        of owner: Address,
        from first: UInt64,
        at block: UInt64
    ) async throws(DexError) -> DiscoveredTokens {
        guard first <= block else {
            throw InputError.blockAhead(first, latest: block, option: "--from-block")
        }
        let found = try await contracts(of: owner, blocks: first...block)
        let unknown = found.received.filter { session.tokens.known($0) == nil }.sorted()
        // A flood of tokens that came unasked leaves out none that the account sent, too.
        let looked = Array(
            (unknown.filter(found.sent.contains) + unknown.filter { !found.sent.contains($0) })
                .prefix(Self.maximumContracts)
        )
        session.environment.progress("reading the balances of \(looked.count) tokens")
        var rows: [DiscoveredTokens.Row] = []
        for start in stride(from: 0, to: looked.count, by: Self.batchSize) {
            let part = Array(looked[start..<min(start + Self.batchSize, looked.count)])
            rows += try await self.rows(part, of: owner, sent: found.sent, at: block)
        }
        return DiscoveredTokens(
            blocks: first...block,
            rows: rows.sorted { Self.order($0) < Self.order($1) },
            contracts: found.received.count,
            isCut: looked.count < unknown.count
        )
    }

    private static func order(_ row: DiscoveredTokens.Row) -> (Int, String, Address) {
        (row.isSpam ? 1 : 0, row.token.symbol.uppercased(), row.token.address)
    }

    // MARK: Logs

    /// The contracts that reported transfers to the account, and those that reported its own.
    private typealias Contracts = (received: Set<Address>, sent: Set<Address>)

    /// No log stays in memory, so that a long history takes no more of it than its contracts.
    private func contracts(
        of owner: Address,
        blocks: ClosedRange<UInt64>
    ) async throws(DexError) -> Contracts {
        var pager = LogPager(
            session: session,
            blocks: blocks,
            store: EventStore(journal, head: blocks.upperBound),
            filters: { from, to in TransferLog.filters(of: owner, from: from, to: to) }
        )
        var found: Contracts = ([], [])
        while true {
            let piece: LogPager.Page?
            do throws(DexError) {
                piece = try await pager.next()
            } catch {
                guard error.concerns(.refusedLogs) else { throw error }
                throw error.adding("Or read only later blocks with --from-block.")
            }
            guard let piece else { return found }
            for log in piece.logs {
                guard let transfer = try reported(ExchangeError.self, try TransferLog(log)),
                    transfer.amount != .zero
                else { continue }
                if transfer.to == owner { found.received.insert(transfer.token) }
                if transfer.from == owner { found.sent.insert(transfer.token) }
            }
        }
    }

    // MARK: Balances

    private struct Slots {
        let token: Address
        let balance: ReadSlot<[UInt8]>
        let symbol: ReadSlot<[UInt8]>
        let name: ReadSlot<[UInt8]>
        let decimals: ReadSlot<[UInt8]>
    }

    private func rows(
        _ tokens: [Address],
        of owner: Address,
        sent: Set<Address>,
        at block: UInt64
    ) async throws(DexError) -> [DiscoveredTokens.Row] {
        var batch = ReadBatch()
        var slots: [Slots] = []
        for token in tokens {
            func ask(_ data: [UInt8]) -> ReadSlot<[UInt8]> {
                batch.add(.call(CallRequest(to: token, data: data), .number(block)))
            }
            slots.append(
                Slots(
                    token: token,
                    balance: ask(ERC20.balanceOf(owner)),
                    symbol: ask(ERC20.symbol),
                    name: ask(ERC20.name),
                    decimals: ask(ERC20.decimals)
                )
            )
        }
        let answers = try await batch.send(to: session.chain)
        var rows: [DiscoveredTokens.Row] = []
        var balances: [Address: UInt256] = [:]
        for slot in slots { balances[slot.token] = try answers.word(slot.balance) }
        // A contract that is gone holds nothing; one that does not answer may hold something.
        let silent = tokens.filter { balances[$0] == nil }
        let absent = silent.isEmpty ? [] : try await session.absent(silent, at: block)
        for slot in slots {
            let balance = balances[slot.token]
            guard balance != .zero, !absent.contains(slot.token) else { continue }
            rows.append(
                row(
                    slot.token,
                    balance,
                    symbol: TokenAnswers.text(try answers.returned(slot.symbol), limit: 20),
                    name: TokenAnswers.text(try answers.returned(slot.name), limit: 60),
                    decimals: TokenAnswers.decimals(try answers.returned(slot.decimals))
                        .flatMap { $0 <= TokenContract.maximumDecimals ? $0 : nil },
                    wasSent: sent.contains(slot.token)
                )
            )
        }
        return rows
    }

    private func row(
        _ address: Address,
        _ balance: UInt256?,
        symbol: String?,
        name: String?,
        decimals: UInt8?,
        wasSent: Bool
    ) -> DiscoveredTokens.Row {
        let imitated = symbol.flatMap { session.tokens.copied(by: $0).first?.token }
        var marks: [DiscoveredTokens.Mark] = []
        if symbol == nil { marks.append(.noSymbol) }
        if decimals == nil { marks.append(.noDecimals) }
        if imitated != nil || symbol.map(session.tokens.isCoin) == true { marks.append(.lookAlike) }
        if [symbol, name].compactMap(\.self).contains(where: Self.hasLink) { marks.append(.link) }
        if session.tokens.spoofWarning(at: address, symbol: symbol ?? "") != nil {
            marks.append(.knownSpoof)
        }
        if !wasSent { marks.append(.neverSent) }
        if balance == nil { marks.append(.unreadable) }
        return DiscoveredTokens.Row(
            token: Token(
                address: address,
                symbol: symbol ?? address.shortened,
                name: name ?? "",
                decimals: decimals
            ),
            balance: balance,
            marks: marks,
            imitates: imitated
        )
    }

    /// The names of web addresses in symbols and names of spam.
    private static let domains = [
        ".com", ".org", ".net", ".io", ".xyz", ".app", ".finance", ".site", ".online", ".top",
        ".link", ".live", ".vip", ".club", ".info", ".gift", ".claim", ".cc", ".me", ".dev",
        ".eth.", "t.me", "www.", "http", "://",
    ]

    /// The text names a page of the web, as that of spam does.
    static func hasLink(_ text: String) -> Bool {
        let text = text.lowercased()
        return domains.contains { text.contains($0) }
    }
}
