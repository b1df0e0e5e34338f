package import Ethereum
import ZeroEx

/// Finds tokens: symbols from the map only, unknown addresses by their contracts.
package struct TokenResolver: Sendable {
    let session: Session

    package init(session: Session) {
        self.session = session
    }

    /// A pair from `BASE/QUOTE`, each a symbol or an address.
    ///
    /// One node batch if an address is not in the map, else no request.
    ///
    /// - Throws: `DexError`: `malformed-pair`, `same-token`, `unknown-token`, `ambiguous-token`,
    ///   `bad-address` (exit 2), or the node's failure (exit 4).
    package func pair(_ text: String) async throws(DexError) -> Pair {
        let sides = text.split(separator: "/", omittingEmptySubsequences: false)
        guard sides.count == 2, let base = sides.first, let quote = sides.last, !base.isEmpty,
            !quote.isEmpty
        else {
            throw TokenError.malformedPair(text: text, meant: session.tokens.pair(meantBy: text))
        }
        let tokens = try await self.tokens([String(base), String(quote)])
        guard tokens[0].address != tokens[1].address else {
            throw TokenError.sameToken(pair: text, tokens[0].address)
        }
        return Pair(base: tokens[0], quote: tokens[1])
    }

    package func token(_ text: String) async throws(DexError) -> Token {
        try await tokens([text])[0]
    }

    private func tokens(_ texts: [String]) async throws(DexError) -> [Token] {
        var found: [Token?] = []
        var unknown: [Address] = []
        for text in texts {
            if let address = try TokenMap.address(text), session.tokens.known(address) == nil {
                try session.tokens.refuseReserved(address)
                found.append(nil)
                unknown.append(address)
            } else {
                found.append(try session.tokens.resolve(text))
            }
        }
        guard !unknown.isEmpty else { return found.compactMap(\.self) }
        let read = try await self.tokens(at: unknown)
        var rest = unknown[...]
        return found.compactMap { token in token ?? rest.popFirst().flatMap { read[$0] } }
    }

    /// The tokens at these addresses, from the map, else all in one node batch.
    ///
    /// Without valid token data, its symbol is the shortened address and it has no decimals. The
    /// same goes for a symbol that looks like a listed one, since a plan would show it as that
    /// token.
    ///
    /// - Throws: `DexError`, exit 4, if the node does not answer.
    package func tokens(at addresses: [Address]) async throws(DexError) -> [Address: Token] {
        var tokens: [Address: Token] = [:]
        var asked: [Address: (symbol: Slot, name: Slot, decimals: Slot)] = [:]
        var batch = ReadBatch()
        for address in addresses where tokens[address] == nil {
            if let token = session.tokens.known(address) {
                tokens[address] = token
            } else if asked[address] == nil {
                func ask(_ data: [UInt8]) -> Slot {
                    batch.add(.call(CallRequest(to: address, data: data), .latest))
                }
                asked[address] = (ask(ERC20.symbol), ask(ERC20.name), ask(ERC20.decimals))
            }
        }
        let answers = try await batch.send(to: session.chain)
        for address in addresses {
            guard let slots = asked[address] else { continue }
            tokens[address] = token(
                at: address,
                symbol: TokenAnswers.text(try answers.returned(slots.symbol), limit: 20),
                name: TokenAnswers.text(try answers.returned(slots.name), limit: 60),
                decimals: TokenAnswers.decimals(try answers.returned(slots.decimals))
            )
        }
        return tokens
    }

    /// The tokens at these addresses, with their decimals compared with those of the contracts.
    ///
    /// One node batch. A token that contradicts the map has no decimals, so that its amounts are
    /// shown in base units.
    ///
    /// - Returns: the tokens, and sentences about those that contradict or do not answer.
    /// - Throws: as `tokens(at:)`.
    package func checkedTokens(
        at addresses: [Address]
    ) async throws(DexError) -> (tokens: [Address: Token], warnings: [String]) {
        var batch = ReadBatch()
        let listed = Set(addresses).filter { session.tokens.known($0) != nil }.sorted()
        let slots = listed.map { address in
            (
                address,
                batch.add(.call(CallRequest(to: address, data: ERC20.decimals), .latest))
            )
        }
        async let naming = Result { () async throws(DexError) in
            try await self.tokens(at: addresses)
        }
        async let reading = Result { [batch] () async throws(DexError) in
            try await batch.send(to: session.chain)
        }
        var tokens = try await naming.get()
        let answers = try await reading.get()
        var audit = DecimalsAudit()
        for (address, slot) in slots {
            let decimals = try answers.word(slot)
            tokens[address] = tokens[address].map { audit.token($0, onChain: decimals) }
        }
        return (tokens, audit.warnings)
    }

    /// The session for screens: the listed ones of these tokens are compared with their contracts, and
    /// have no decimals where they are contradicted.
    ///
    /// A node that does not answer hides nothing: that is a sentence, and the map's decimals stay.
    func checkedSession(
        for addresses: Set<Address>
    ) async -> (session: Session, warnings: [String]) {
        let listed = addresses.filter { session.tokens.known($0) != nil }.sorted()
        guard !listed.isEmpty else { return (session, []) }
        do throws(DexError) {
            let read = try await checkedTokens(at: listed)
            var session = session
            session.tokens = session.tokens.marking(read.tokens)
            return (session, read.warnings)
        } catch {
            return (
                session, ["The decimals of its tokens could not be checked: \(error.message)"]
            )
        }
    }

    /// A pair whose decimals are those of the contracts.
    ///
    /// One node batch; one more if an address is not in the map.
    ///
    /// - Throws: as `pair`; `DexError`, exit 6, `decimals-mismatch`.
    func confirmedPair(_ text: String) async throws(DexError) -> Pair {
        try await confirmed(try await pair(text))
    }

    /// A pair with the decimals that its contracts report, in one node batch.
    ///
    /// - Throws: `DexError`, the node's failure; exit 6, `decimals-mismatch`.
    func confirmed(_ pair: Pair) async throws(DexError) -> Pair {
        var batch = ReadBatch()
        func ask(_ token: Token) -> Slot? {
            token.isNativeCoin
                ? nil
                : batch.add(.call(CallRequest(to: token.address, data: ERC20.decimals), .latest))
        }
        let (base, quote) = (ask(pair.base), ask(pair.quote))
        let answers = try await batch.send(to: session.chain)
        func confirmed(_ token: Token, _ slot: Slot?) throws(DexError) -> Token {
            guard let slot else { return token }
            return try token.confirmed(by: try answers.word(slot))
        }
        return Pair(base: try confirmed(pair.base, base), quote: try confirmed(pair.quote, quote))
    }

    /// The token at one address, asked only if it is none of those at hand.
    func token(at address: Address, among atHand: [Token]) async throws(DexError) -> Token {
        if let token = atHand.first(where: { $0.address == address }) { return token }
        return try await tokens(at: [address])[address] ?? .unknown(address)
    }

    /// The pair of an order's two tokens, in its usual direction.
    func pair(of order: any SignedOrder) async throws(DexError) -> Pair {
        let found = try await tokens(at: [order.makerToken, order.takerToken])
        return QuoteRank(session: session).pair(
            found[order.makerToken] ?? .unknown(order.makerToken),
            found[order.takerToken] ?? .unknown(order.takerToken)
        )
    }

    private typealias Slot = ReadSlot<[UInt8]>

    private func token(
        at address: Address,
        symbol: String?,
        name: String?,
        decimals: UInt8?
    ) -> Token {
        let isTaken = symbol.map { !session.tokens.lookAlikes($0).isEmpty } ?? false
        let shown = symbol.flatMap { isTaken ? nil : SymbolShape.fold($0) == nil ? nil : $0 }
        let claim = symbol.map { "calls itself \($0)" } ?? "unknown token"
        return Token(
            address: address,
            symbol: shown ?? address.shortened,
            name: shown == nil ? claim : name ?? claim,
            decimals: decimals
        )
    }
}
