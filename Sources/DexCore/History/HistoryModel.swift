package import DexStore
package import Ethereum
import ZeroEx

/// `dex history`: trades as maker and taker, and their result.
package struct HistoryModel: Sendable {
    private let session: Session
    private let journal: Journal

    package init(session: Session, journal: Journal) {
        self.session = session
        self.journal = journal
    }

    /// The whole journal after an update to the latest block; the old one, with a warning, if the
    /// node does not answer.
    ///
    /// - Parameter since: seconds since 1970; earlier trades count for costs but are not shown.
    /// - Throws: `DexError`: the journal cannot be read.
    package func load(
        _ account: Address,
        since: UInt64? = nil
    ) async throws(DexError) -> HistoryState {
        var warnings: [String] = []
        var block: UInt64?
        do {
            block = try await TradeSync(session: session, journal: journal)
                .catchUp(account).number
        } catch {
            warnings.append(
                "Only what the journal has is shown; the chain could not be read: "
                    + error.message
            )
        }
        let network = session.network
        let swaps = try journaled(try journal.swapTrades(of: account, network: network))
        let mined = try journaled(try journal.trades(of: account, network: network)).merging(swaps)
        let unbooked = try journaled(
            try journal.unbooked("swap", chainID: network.chainID, sender: account)
        )
        if let first = unbooked.first {
            warnings.append(
                (unbooked.count == 1
                    ? "One swap is not in it" : "\(unbooked.count) swaps are not in it")
                    + ": what it moved of the coin could not be told from other payments in its block. "
                    + "See `dex status \(first)`."
            )
        }
        let otherGas = try journaled(
            try journal.otherGas(
                chainID: network.chainID,
                sender: account,
                since: since,
                hasRollupFee: network.fees.hasRollupFee
            )
        )
        let names = await names(of: mined, isOffline: block == nil)
        warnings += names.warnings
        var ledger = Ledger(
            account: account,
            session: session,
            tokens: names.tokens,
            contracts: names.contracts,
            since: since
        )
        let tags = try journaled(try journal.tags(chainID: network.chainID))
        for transaction in mined { ledger.add(transaction) }
        let unknown = otherGas.unknown + ledger.unknownCosts
        if unknown > 0 {
            warnings.append(
                "What \(unknown == 1 ? "one transaction" : "\(unknown) transactions") cost is unknown: "
                    + "the node does not report it. The sums of gas with it are unknown too."
            )
        }
        if mined.contains(where: { $0.time == nil }), since != nil {
            warnings.append(
                "The time of some trades is not known yet; they are shown whenever they were."
            )
        }
        return HistoryState(
            account: account,
            coin: network.coin,
            block: block,
            since: since,
            rows: ledger.rows.map { $0.tagged(by: tags) },
            positions: ledger.positions,
            otherGas: otherGas.total,
            warnings: warnings
        )
    }

    private struct Names {
        var tokens: [Address: Token] = [:]
        /// nil if the node did not report them.
        var contracts: ExchangeContracts?
        var warnings: [String] = []
    }

    /// Tokens by address; an unreadable name must not hide a trade.
    private func names(of mined: [MinedTrades], isOffline: Bool) async -> Names {
        var names = Names()
        var addresses: Set<Address> = []
        for trade in mined.flatMap(\.trades) {
            switch trade.event {
            case .fill(let fill): addresses.formUnion([fill.makerToken, fill.takerToken])
            case .cancel(let cancel): addresses.formUnion([cancel.makerToken, cancel.takerToken])
            }
        }
        if addresses.remove(Token.nativeCoinAddress) != nil {
            names.tokens[Token.nativeCoinAddress] = .nativeCoin(session.network.coin)
        }
        guard !addresses.isEmpty else { return names }
        do throws(DexError) {
            let contracts =
                session.network.hasExchange ? try await ChainSetup.read(session).contracts : nil
            let all = addresses.union([contracts?.feeToken].compactMap { $0 })
            let read = try await TokenResolver(session: session).checkedTokens(at: all.sorted())
            names.tokens.merge(read.tokens) { known, _ in known }
            names.contracts = contracts
            names.warnings = read.warnings
        } catch {
            for address in addresses { names.tokens[address] = session.tokens.known(address) }
            let unknown = addresses.count { names.tokens[$0] == nil }
            if unknown == 0, !isOffline {
                names.warnings.append(
                    "The decimals of its tokens could not be checked: \(error.message)"
                )
            } else if unknown > 0 {
                names.warnings.append(
                    "\(unknown == 1 ? "One token's name" : "The names of \(unknown) tokens") could "
                        + "not be read: \(error.message)"
                )
            }
        }
        return names
    }
}

extension HistoryState.Row {
    /// The row with the tag of the account's own transaction, or of its order that others filled.
    ///
    /// A journal has several accounts: the other side's tag is not the account's.
    fileprivate func tagged(by tags: JournalTags) -> Self {
        var row = self
        row.tag =
            switch (kind, role) {
            case (.fill, .maker): tags.orders[orderHash]
            case (.fill, .taker): tags.transactions[transaction]
            case (.fill, .own), (.cancel, _):
                tags.transactions[transaction] ?? tags.orders[orderHash]
            }
        return row
    }
}

extension [MinedTrades] {
    /// Both lists in the order of the chain.
    fileprivate func merging(_ others: [MinedTrades]) -> [MinedTrades] {
        guard !others.isEmpty else { return self }
        return (self + others).sorted {
            ($0.block, $0.trades.first?.logIndex ?? 0) < ($1.block, $1.trades.first?.logIndex ?? 0)
        }
    }
}
