package import Ethereum
import ZeroEx

/// `dex balance`: ether, tokens, and the allowances of the transfer contract.
package struct BalanceModel: ReadModel {
    /// The unit of the total value.
    package enum Unit: Hashable, Sendable {
        /// No value is requested.
        case none
        /// Ether, if a relay has prices.
        case ether
        /// `ETH`, a symbol or an address; a relay must have prices.
        case named(String)
    }

    package let context: ReadContext

    package init(_ context: ReadContext) { self.context = context }

    /// The balances of an account, all at one block.
    ///
    /// - Parameters:
    ///   - tokens: symbols or addresses, shown even if zero; empty is every known token with a
    ///     balance or an allowance.
    ///   - unit: without a named unit, a relay's failure is only reported as progress.
    /// - Throws: `DexError`: unknown or ambiguous tokens (exit 2), `not-a-token` (exit 6), or the
    ///   node's failure; with a named unit the relay's too, `no-relay` (exit 3).
    package func load(
        owner: Address,
        tokens texts: [String] = [],
        unit: Unit = .none
    ) async throws(DexError) -> BalanceState {
        let asset = try await asset(unit)
        let holdings = try await AccountHoldings.read(session, of: owner, tokens: texts)
        var state = BalanceState(
            owner: owner,
            block: holdings.block,
            ether: holdings.ether,
            rows: holdings.rows
        )
        guard let asset else { return state }
        do {
            state.worth = try await Valuation(session: session, settings: settings, unit: asset)
                .worth(of: state.ether, and: state.rows)
        } catch {
            if case .named = unit { throw error }
            session.environment.progress(error.message)
        }
        return state
    }

    private func asset(_ unit: Unit) async throws(DexError) -> Currency? {
        switch unit {
        case .none: return nil
        case .ether: return session.relay == nil ? nil : .ether
        case .named(let text):
            _ = try session.requiredRelay()
            if CoinSymbol.isNamed(by: text) { return .ether }
            return .token(try await TokenResolver(session: session).token(text))
        }
    }
}

/// `dex allowance list`: the allowances of the transfer contract.
package struct AllowancesModel: Sendable {
    private let session: Session

    package init(session: Session) {
        self.session = session
    }

    /// The allowances of an account, all at one block.
    ///
    /// - Parameter tokens: symbols or addresses, shown even if zero; empty is every known token
    ///   with an allowance.
    /// - Throws: as `BalanceModel.load`.
    package func load(
        owner: Address,
        tokens texts: [String] = []
    ) async throws(DexError) -> AllowancesState {
        let holdings = try await AccountHoldings.read(session, of: owner, tokens: texts)
        return AllowancesState(
            owner: owner,
            spender: holdings.contracts.transferContract,
            block: holdings.block,
            rows: holdings.rows.filter { row in
                !texts.isEmpty || (row.allowance ?? .zero) != .zero
            }
        )
    }
}

/// Ether, balances and allowances of an account, read in one request after the first round.
struct AccountHoldings {
    let contracts: ExchangeContracts
    let block: UInt64
    let ether: Wei
    let rows: [BalanceState.Row]

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
                account: owner,
                checksReadiness: false
            ),
            at: setup.block,
            session: session
        )
        guard let ether = reads.ether else {
            throw DexError(ChainError.nonsense("answers to other questions"))
        }
        var rows: [BalanceState.Row] = []
        for token in tokens {
            let holding = reads.holdings[HoldingKey(owner: owner, token: token.address)]
            guard let balance = holding?.balance else {
                if texts.isEmpty { continue }
                throw DexError(TokenError.notAToken(token.address))
            }
            if texts.isEmpty, balance == .zero, holding?.allowance ?? .zero == .zero { continue }
            rows.append(
                BalanceState.Row(
                    amount: TokenAmount(raw: balance, token: token),
                    allowance: holding?.allowance
                )
            )
        }
        return AccountHoldings(
            contracts: setup.contracts,
            block: reads.block.number,
            ether: ether,
            rows: rows
        )
    }

    /// Ether is always read, so its name in the token list adds nothing.
    private static func resolve(
        _ texts: [String],
        _ session: Session
    ) async throws(DexError) -> [Token] {
        let resolver = TokenResolver(session: session)
        var tokens: [Token] = []
        for text in texts where !CoinSymbol.isNamed(by: text) {
            let token = try await resolver.token(text)
            if !tokens.contains(token) { tokens.append(token) }
        }
        return tokens
    }
}
