package import DexStore
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
    /// What could not be read is a row without a balance, and a warning.
    ///
    /// - Parameters:
    ///   - tokens: symbols or addresses, shown even if zero; empty is every known token whose
    ///     balance or allowance is not zero.
    ///   - unit: without a named unit, a relay's failure is a warning.
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
            block: holdings.block.number,
            coin: session.network.coin,
            ether: holdings.ether,
            rows: holdings.rows,
            warnings: holdings.warnings
        )
        guard let asset else { return state }
        do {
            state.marketValue = try await Valuation(
                session: session,
                settings: settings,
                unit: asset
            )
            .marketValue(of: state.ether, and: state.rows)
        } catch {
            if case .named = unit { throw error }
            state.warnings.append("The value is not shown: \(error.message)")
        }
        return state
    }

    private func asset(_ unit: Unit) async throws(DexError) -> Currency? {
        switch unit {
        case .none: return nil
        case .ether: return session.relay == nil ? nil : .coin(session.network.coin)
        case .named(let text):
            _ = try session.requiredRelay()
            if try session.tokens.namesCoin(text) { return .coin(session.network.coin) }
            return .token(try await TokenResolver(session: session).token(text))
        }
    }
}

/// `dex allowance list`: the allowances of the transfer contract, and of every other spender.
package struct AllowancesModel: Sendable {
    private let session: Session
    private let search: GrantSearch?

    /// The allowances of the transfer contract alone.
    package init(session: Session) {
        self.session = session
        search = nil
    }

    /// Also those of every spender that the journal or the account's events name, in tokens and in
    /// Permit2.
    ///
    /// - Parameters:
    ///   - known: the addresses that the user knows by name.
    ///   - firstBlock: the first block whose events are read; nil asks for all at once.
    package init(
        session: Session,
        journal: Journal,
        known: KnownAddresses,
        firstBlock: UInt64? = nil
    ) {
        self.session = session
        search = GrantSearch(
            session: session,
            journal: journal,
            known: known,
            firstBlock: firstBlock
        )
    }

    /// The allowances of an account, all at one block.
    ///
    /// - Parameter tokens: symbols or addresses, shown even if zero; empty is every known token
    ///   with an allowance, or one that could not be read.
    /// - Throws: as `BalanceModel.load`.
    package func load(
        owner: Address,
        tokens texts: [String] = []
    ) async throws(DexError) -> AllowancesState {
        let holdings = try await AccountHoldings.read(session, of: owner, tokens: texts)
        let contract = holdings.contracts.transferContract
        var state = AllowancesState(
            owner: owner,
            spender: contract,
            block: holdings.block.number,
            rows: holdings.rows.filter { !texts.isEmpty || $0.allowance != .zero },
            warnings: holdings.warnings
        )
        if let search {
            let found = try await search.find(of: owner, at: holdings.block, beside: contract)
            let named = Set(holdings.rows.map(\.token.address))
            func isWanted(_ grant: TokenGrant) -> Bool {
                texts.isEmpty || named.contains(grant.token.address)
            }
            state.others = found.grants.filter(isWanted)
            state.permit2 = found.permit2.filter(isWanted)
            state.warnings += found.warnings
        }
        return state
    }
}
