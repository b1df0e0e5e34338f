import Ethereum
import ZeroEx

/// Ether, balances and allowances of an account, read in one request after the first round.
struct AccountHoldings {
    let contracts: ExchangeContracts
    let block: Block
    let ether: Wei
    /// An unread amount is nil, never zero.
    let rows: [BalanceState.Row]
    /// What could not be read, and whose decimals are wrong; sentences.
    let warnings: [String]

    private typealias Row = BalanceState.Row

    /// - Parameter texts: tokens that are shown even if zero; empty is every known token whose
    ///   balance or allowance is not zero, or could not be read.
    /// - Throws: as `BalanceModel.load`.
    static func read(
        _ session: Session,
        of owner: Address,
        tokens texts: [String]
    ) async throws(DexError) -> AccountHoldings {
        let asked = try await resolve(texts, session)
        let setup = try await ChainSetup.read(session, needsExchange: false)
        // An unknown token could have any name: only those of the map.
        let tokens = texts.isEmpty ? session.tokens.search(nil) : asked
        let reads = try await FundingReads.read(
            FundingReads.Question(
                contracts: setup.contracts,
                holdings: Set(tokens.map { HoldingKey(owner: owner, token: $0.address) }),
                decimals: tokens.map(\.address),
                account: owner,
                checksReadiness: false
            ),
            at: setup.block,
            session: session
        )
        guard let ether = reads.ether else {
            throw DexError(ChainError.nonsense("answers to other questions"))
        }
        var audit = DecimalsAudit()
        var rows: [Row] = []
        for token in tokens {
            let holding = reads.holdings[HoldingKey(owner: owner, token: token.address)]
            let (balance, allowance) = (holding?.balance, holding?.allowance)
            if texts.isEmpty, balance == .zero, allowance == .zero { continue }
            rows.append(
                Row(
                    token: balance == nil && allowance == nil
                        ? token : audit.token(token, onChain: reads.decimals[token.address]),
                    balance: balance,
                    allowance: allowance
                )
            )
        }
        rows = try await existing(rows, areNamed: !texts.isEmpty, at: reads.block, session)
        return AccountHoldings(
            contracts: setup.contracts,
            block: reads.block,
            ether: ether,
            rows: rows,
            warnings: rows.unread + audit.warnings
        )
    }

    /// The rows without those of addresses that have no code, where nothing can be held.
    ///
    /// A contract that does not answer stays: what it holds is unknown.
    ///
    /// - Throws: `DexError`, `not-a-token`, if such an address was named, or one that is in no list
    ///   and answers nothing that a token answers.
    private static func existing(
        _ rows: [Row],
        areNamed: Bool,
        at block: Block,
        _ session: Session
    ) async throws(DexError) -> [Row] {
        let silent = rows.filter { $0.balance == nil && $0.allowance == nil }
        guard !silent.isEmpty else { return rows }
        let absent = try await session.absent(silent.map(\.token.address), at: block.number)
        guard areNamed else {
            if !absent.isEmpty {
                session.environment.progress(
                    "\(absent.count) token\(absent.count == 1 ? "" : "s") of the token map "
                        + "\(absent.count == 1 ? "has" : "have") no contract on this chain."
                )
            }
            return rows.filter { !absent.contains($0.token.address) }
        }
        for row in silent {
            let token = row.token
            if absent.contains(token.address)
                || session.tokens.known(token.address) == nil && token.decimals == nil
            {
                throw TokenError.notAToken(token.address)
            }
        }
        return rows
    }

    /// Ether is always read, so its name in the token list adds nothing.
    private static func resolve(
        _ texts: [String],
        _ session: Session
    ) async throws(DexError) -> [Token] {
        let resolver = TokenResolver(session: session)
        var tokens: [Token] = []
        for text in texts {
            if try session.tokens.namesCoin(text) { continue }
            let token = try await resolver.token(text)
            if !tokens.contains(token) { tokens.append(token) }
        }
        return tokens
    }
}

extension Session {
    /// The addresses that have no code at a block; an unread code is not absent.
    ///
    /// - Throws: `DexError`, exit 4, if the node did not answer at all.
    func absent(_ addresses: [Address], at block: UInt64) async throws(DexError) -> Set<Address> {
        var batch = ReadBatch()
        let slots = addresses.map { ($0, batch.add(.code($0, .number(block)))) }
        let answers = try await batch.send(to: chain)
        return Set(slots.filter { answers.optional($0.1)?.isEmpty == true }.map(\.0))
    }
}

extension [BalanceState.Row] {
    /// The symbols, cleaned, at most eight: `ZRX, WETH and 3 others`.
    var names: String {
        let names = map { PlainText.name($0.token.symbol) }
        guard names.count > 8 else { return names.joined(separator: ", ") }
        return names.prefix(8).joined(separator: ", ") + " and "
            + (names.count == 9 ? "1 other" : "\(names.count - 8) others")
    }

    /// Sentences about the balances and allowances that could not be read.
    fileprivate var unread: [String] {
        var sentences: [String] = []
        let balances = filter { $0.balance == nil }
        if !balances.isEmpty {
            sentences.append(
                "The balance\(balances.count == 1 ? "" : "s") of \(balances.names) could not be "
                    + "read: unknown, not zero, and in no sum."
            )
        }
        let allowances = filter { $0.allowance == nil }
        if !allowances.isEmpty {
            sentences.append(
                "The allowance\(allowances.count == 1 ? "" : "s") of \(allowances.names) could "
                    + "not be read: unknown, not zero."
            )
        }
        return sentences
    }
}
