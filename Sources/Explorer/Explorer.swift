package import DexCore
package import Ethereum
import ZeroEx

/// A block explorer of one chain: its blocks, transactions, accounts, orders and markets as pages.
///
/// It reads through the sessions' node and relays, and changes nothing. The work for a page is
/// bounded: newest blocks are searched, never the whole chain.
package struct Explorer: Sendable {
    private let scope: ChainScope
    /// One for each network.
    private let fills: [RecentFills]
    let layout: Layout

    /// - Parameters:
    ///   - name: stands at the top of each page.
    ///   - note: stands at the end of each page.
    package init(_ scope: ChainScope, name: String, note: String) {
        let sessions = scope.sessions.map { session in
            var session = session
            session.relay = session.relay.map { BestOrdersRelay(relay: $0) }
            return session
        }
        let scope = ChainScope(
            sessions.first ?? scope.session,
            others: Array(sessions.dropFirst()),
            known: scope.known
        )
        self.scope = scope
        fills = sessions.map { RecentFills($0, in: scope) }
        layout = Layout(name: name, note: note)
    }

    private var now: UInt64 { scope.session.environment.now() }
    private var networks: [String] { scope.sessions.map(\.network.name) }

    /// The hash of the latest block; nil if the node does not answer.
    package func head() async -> BlockHash? {
        // The page itself says why a node does not answer.
        try? await scope.session.chain.read(.latestBlock).hash
    }

    /// The answer for a path and the values of its query.
    package func answer(path: String, query: [String: String] = [:]) async -> ExplorerAnswer {
        let parts = path.split(separator: "/").map(String.init)
        if parts == ["search"] { return await search(query["q"] ?? "") }
        do throws(DexError) {
            return .page(try await page(parts, query))
        } catch {
            return .page(ProblemPage.failure(error))
        }
    }

    private func page(
        _ parts: [String],
        _ query: [String: String]
    ) async throws(DexError) -> Page {
        switch (parts.first, parts.count) {
        case (nil, 0): return try await home(query)
        case ("block"?, 2): return try await block(parts[1], query)
        case ("tx"?, 2): return try await transaction(parts[1])
        case ("address"?, 2): return try await address(parts[1], query)
        case ("order"?, 2): return try await order(parts[1])
        case ("market"?, 2): return try await market(parts[1], query)
        default: return ProblemPage.notFound("This explorer has no such page.")
        }
    }

    // MARK: Pages

    private func home(_ query: [String: String]) async throws(DexError) -> Page {
        let overview = try await ChainOverviewModel(scope).load(
            upTo: query["to"].flatMap { UInt64($0) }
        )
        var markets: [MarketList] = []
        for (session, recent) in zip(scope.sessions, fills) where session.relay != nil {
            markets.append(await MarketOverviewModel(session, recent).list())
        }
        return HomePage(overview: overview, markets: markets, now: now).page
    }

    private func block(
        _ text: String,
        _ query: [String: String]
    ) async throws(DexError) -> Page {
        let first = query["from"].flatMap { Int($0) }.map { max(0, $0) } ?? 0
        let state = try await BlockModel(scope).load(
            try BlockReference(text),
            first: first,
            maximum: BlockPage.maximum
        )
        return BlockPage(state: state, first: first, now: now).page
    }

    private func transaction(_ text: String) async throws(DexError) -> Page {
        guard let hash = TransactionHash(ifHex: text) else {
            return ProblemPage.notFound("A transaction's hash is 0x and 64 hexadecimal digits.")
        }
        guard let details = try await TransactionOverviewModel(scope).load(hash) else {
            return ProblemPage.notFound("The node does not know the transaction \(hash.hex).")
        }
        return TransactionPage(details: details, name: scope.named, now: now).page
    }

    private func address(
        _ text: String,
        _ query: [String: String]
    ) async throws(DexError) -> Page {
        guard let address = Address(ifHex: text) else {
            return ProblemPage.notFound("An address is 0x and 40 hexadecimal digits.")
        }
        let state = try await AccountOverviewModel(scope).load(
            address,
            upTo: query["to"].flatMap { UInt64($0) }
        )
        return AddressPage(state: state, networks: networks, now: now).page
    }

    private func order(_ text: String) async throws(DexError) -> Page {
        guard let hash = OrderHash(ifHex: text) else {
            return ProblemPage.notFound("An order's hash is 0x and 64 hexadecimal digits.")
        }
        guard let details = try await OrderDetailsModel(scope).load(hash) else {
            return ProblemPage.notFound(
                "No relay has the order \(hash.hex), and the newest blocks have no event of it."
            )
        }
        return OrderPage(details: details, name: scope.named, now: now).page
    }

    private func market(
        _ text: String,
        _ query: [String: String]
    ) async throws(DexError) -> Page {
        guard let pair = MarketPath.pair(text) else {
            return ProblemPage.notFound("A market is BASE-QUOTE, such as ZRX-WETH.")
        }
        let name = query["network"] ?? scope.session.network.name
        guard let index = scope.sessions.firstIndex(where: { $0.network.name == name }) else {
            return ProblemPage.notFound("This chain has no such network.")
        }
        let market = try await MarketOverviewModel(scope.sessions[index], fills[index]).load(
            pairText: pair,
            interval: query["interval"].flatMap { UInt64($0) }
        )
        return MarketPage(market: market, networks: networks, now: now).page
    }

    // MARK: Search

    /// The page of what was typed: a block, a hash, an address, an account's name, or a pair.
    private func search(_ text: String) async -> ExplorerAnswer {
        let text = String(text.prefix(100)).trimmingSpaces
        if let address = Address(ifHex: text) {
            return .redirect("/address/\(address.checksummed)")
        }
        if let hash = Bytes32(ifHex: text) { return .redirect(await path(of: hash)) }
        // Digits alone, so nothing else comes into the path.
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        if text == "latest" || isNumber {
            return .redirect("/block/\(text)")
        }
        if let known = scope.known.entries.first(where: { $0.name == text }) {
            return .redirect("/address/\(known.address.checksummed)")
        }
        if let token = try? scope.session.tokens.resolve(text) {  // nil: not a symbol
            return .redirect("/address/\(token.address.checksummed)")
        }
        let sides = text.split(whereSeparator: { "/-".contains($0) }).map(String.init)
        if sides.count == 2,
            // nil: other words
            let base = try? scope.session.tokens.resolve(sides[0]),
            // nil: other words
            let quote = try? scope.session.tokens.resolve(sides[1])
        {
            let pair = Pair(base: base, quote: quote)
            return .redirect(MarketPath.text(pair, network: scope.session.network.name))
        }
        return .page(
            ProblemPage.notFound(
                "Nothing is called \"\(text)\". Search for a block's number, the hash of a block, a "
                    + "transaction or an order, an address, the name of an account or a token, or a "
                    + "pair such as ZRX/WETH."
            )
        )
    }

    /// A transaction or a block of the chain with this hash, else an order.
    private func path(of word: Bytes32) async -> String {
        var batch = ReadBatch()
        let transaction = batch.add(.transaction(TransactionHash(word)))
        let block = batch.add(.block(.hash(BlockHash(word))))
        // Without an answer, the page of the order says so.
        guard let answers = try? await scope.session.chain.read(batch) else {
            return "/order/\(word.hex)"
        }
        // A node that does not have a block may answer with an error.
        if (try? answers[transaction].get()) ?? nil != nil { return "/tx/\(word.hex)" }
        // As above.
        if (try? answers[block].get()) ?? nil != nil { return "/block/\(word.hex)" }
        return "/order/\(word.hex)"
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
