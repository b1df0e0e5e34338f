package import DexStore
import Ethereum
import ZeroEx

/// Adds to a balance what the account bought and still holds, with its profit until now.
package struct OpenPositionsModel: Sendable {
    private let session: Session
    private let journal: Journal
    private let settings: ReadSettings

    /// A balance must not wait for a long reading of logs: two weeks at 12 seconds a block.
    static let maximumBlocks: UInt64 = 100_000

    package init(session: Session, journal: Journal, settings: ReadSettings = ReadSettings()) {
        self.session = session
        self.journal = journal
        self.settings = settings
    }

    /// The pair's position with its cost and without a value: the caller has the price.
    ///
    /// A history that cannot be read, or not soon, is a warning.
    func addCosts(to state: inout BalanceState, of pair: Pair) async {
        do throws(DexError) {
            guard let history = try await history(of: &state) else { return }
            state.positions = history.positions.filter { $0.pair == pair }
        } catch {
            state.warnings.append("Profit is not shown: \(error.message)")
        }
    }

    /// The history; nil, with a warning, if it would take long to read.
    private func history(
        of state: inout BalanceState
    ) async throws(DexError) -> HistoryState? {
        let backlog = try await TradeSync(session: session, journal: journal).backlog(state.owner)
        guard backlog <= Self.maximumBlocks else {
            state.warnings.append(
                "Profit is not shown: the trades of the last \(backlog) blocks are not read "
                    + "yet. `dex history` reads them once."
            )
            return nil
        }
        return try await HistoryModel(session: session, journal: journal).load(state.owner)
    }

    /// The positions of the history in the tokens of the balance, by the pair's names.
    ///
    /// A history or a price that cannot be read is a warning: the balance itself is complete.
    package func add(to state: inout BalanceState) async {
        let history: HistoryState
        do throws(DexError) {
            guard let read = try await self.history(of: &state) else { return }
            history = read
        } catch {
            state.warnings.append("Profit is not shown: \(error.message)")
            return
        }
        var balances = [Token.nativeCoinAddress: state.ether.rawValue]
        for row in state.rows { balances[row.token.address] = row.balance }
        let shown = Set(state.rows.map(\.token.address)).union(balances.keys)
        var positions = history.positions.filter { position in
            position.held != .zero && shown.contains(position.pair.base.address)
        }
        guard !positions.isEmpty else { return }
        state.warnings += history.warnings
        if let failure = await UnrealisedModel(session: session, settings: settings)
            .add(to: &positions)
        {
            state.warnings.append(failure)
        }
        state.positions = positions
        var held: [Address: UInt256] = [:]
        for position in positions {
            let base = position.pair.base.address
            held[base] = (held[base] ?? .zero).addingSaturating(position.held)
        }
        for base in Set(positions.map(\.pair.base)).sorted(by: { $0.symbol < $1.symbol }) {
            // An unread balance says nothing.
            guard let balance = balances[base.address], let bought = held[base.address],
                bought > balance
            else { continue }
            state.warnings.append(
                "More \(PlainText.name(base.symbol)) was bought here than the account has; the "
                    + "profit counts what was sent away too."
            )
        }
    }
}
