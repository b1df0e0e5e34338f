package import Ethereum
import ZeroEx

/// `dex balance`: ether, tokens, and what the transfer contract may move of them.
package struct BalanceModel: Sendable {
    private let session: Session

    package init(session: Session) {
        self.session = session
    }

    /// The balances of an account, all at one block.
    ///
    /// - Parameter tokens: symbols or addresses, shown even where they are zero; empty is every
    ///   known token of the relay's pairs, wrapped ether and the fee token, where there is a
    ///   balance or an allowance.
    /// - Throws: `DexError`: unknown or ambiguous tokens (exit 2), `not-a-token` (exit 6), or the
    ///   node's failure.
    package func load(
        owner: Address,
        tokens texts: [String] = []
    ) async throws(DexError) -> BalanceState {
        let asked = try await resolve(texts)
        async let traded = tradedTokens(needed: texts.isEmpty)
        let setup = try await ChainSetup.read(session)
        let tokens =
            texts.isEmpty ? known(await traded, setup.contracts) : asked
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
        var rows: [BalanceState.Row] = []
        for token in tokens {
            let holding = reads.holdings[HoldingKey(owner: owner, token: token.address)]
            guard let balance = holding?.balance else {
                if texts.isEmpty { continue }
                throw .notAToken(token)
            }
            if texts.isEmpty, balance == .zero, holding?.allowance ?? .zero == .zero { continue }
            rows.append(
                BalanceState.Row(
                    amount: TokenAmount(raw: balance, token: token),
                    allowance: holding?.allowance
                )
            )
        }
        return BalanceState(
            owner: owner,
            block: reads.block.number,
            ether: reads.ether ?? .zero,
            rows: rows
        )
    }

    /// Ether is always shown, so its name among the tokens adds nothing.
    private func resolve(_ texts: [String]) async throws(DexError) -> [Token] {
        let resolver = TokenResolver(session: session)
        var tokens: [Token] = []
        for text in texts where text.uppercased() != "ETH" {
            let token = try await resolver.token(text)
            if !tokens.contains(token) { tokens.append(token) }
        }
        return tokens
    }

    /// The tokens of the relay's pairs; without an answer a balance is still worth showing.
    private func tradedTokens(needed: Bool) async -> [Address] {
        guard needed, let relay = session.relay else { return [] }
        do throws(RelayError) {
            return try await relay.tokenPairs(nil, nil).flatMap {
                [$0.tokenA.token, $0.tokenB.token]
            }
        } catch {
            session.environment.progress(PlainText.clean(error.description))
            return []
        }
    }

    /// Those in the map, by symbol: a stranger's token could call itself anything.
    private func known(_ traded: [Address], _ contracts: ExchangeContracts) -> [Token] {
        let more = [session.network.weth, contracts.feeToken].compactMap { $0 }
        return Set(traded + more).compactMap { session.tokens.known($0) }
            .sorted { ($0.symbol, $0.address) < ($1.symbol, $1.address) }
    }
}

extension DexError {
    /// A contract that was named as a token and does not answer as one.
    package static func notAToken(_ token: Token) -> DexError {
        DexError(
            .refused,
            code: "not-a-token",
            message: "The contract \(token.address.checksummed) does not answer as a token.",
            hint: "Check the address and --network."
        )
    }
}
