package import Ethereum
import ZeroEx

/// An account: what it holds, allows, offers, and did in the newest blocks.
package struct AccountOverview: Sendable {
    package struct Holding: Sendable {
        package let token: Token
        /// Base units; nil if the token's contract does not return them.
        package let balance: UInt256?
        /// Base units that each network's transfer contract may move, in the order of the networks;
        /// nil if the token does not tell.
        package let allowances: [UInt256?]
    }

    /// The open orders on a network's relay.
    package struct Orders: Sendable {
        package let network: String
        package let rows: [OrdersState.Row]
        /// Why they are not shown; a sentence.
        package let problem: String?
    }

    package let account: NamedAddress
    /// The latest block.
    package let block: UInt64
    package let coin: CoinSymbol
    /// Of the coin.
    package let ether: Wei
    /// Transactions that it sent.
    package let nonce: UInt64
    package let isContract: Bool
    /// The account whose code this one with a key runs; nil if there is none.
    package let delegate: Address?
    /// In the order of the token map.
    package let holdings: [Holding]
    package let orders: [Orders]
    /// The newest first: sent, received, or with a transfer of a token from or to it.
    package let transactions: [TransactionRow]
    /// The blocks that were searched for them.
    package let searched: ClosedRange<UInt64>
    /// There are more transactions in these blocks than are shown.
    package let isCut: Bool
}

/// Reads an account; the search for its transactions is bounded.
package struct AccountOverviewModel: Sendable {
    private let scope: ChainScope

    /// Blocks that are searched at once.
    package static let blocks: UInt64 = 500
    /// The most transactions of a page.
    package static let transactions = 50
    /// The most orders of each network.
    package static let orders = 50

    package init(_ scope: ChainScope) { self.scope = scope }

    /// - Parameter last: the newest block that is searched; nil is the latest.
    /// - Throws: `DexError`, the error of a read. A relay that does not answer is no error.
    package func load(
        _ account: Address,
        upTo last: UInt64? = nil
    ) async throws(DexError) -> AccountOverview {
        let session = scope.session
        var batch = ReadBatch()
        let asked = ChainHead.ask(session, in: &batch)
        let nonce = batch.add(.transactionCount(account, .latest))
        let code = batch.add(.code(account, .latest))
        let answers = try await batch.send(to: session.chain)
        let head = try answers.value(asked)
        let bytes = try answers.value(code)
        let delegate = Delegation.delegate(of: bytes)
        let top = min(last ?? head.number, head.number)
        let range = (top - min(top, Self.blocks - 1))...top
        let activity = try await activity(of: account, in: range, head: head)
        let (ether, holdings) = try await holdings(of: account)
        var orders: [AccountOverview.Orders] = []
        for session in scope.sessions where session.relay != nil {
            orders.append(await self.orders(of: account, session))
        }
        return AccountOverview(
            account: scope.named(account),
            block: head.number,
            coin: session.network.coin,
            ether: ether,
            nonce: try answers.value(nonce),
            isContract: !bytes.isEmpty && delegate == nil,
            delegate: delegate,
            holdings: holdings,
            orders: orders,
            transactions: try await TransactionRows(scope: scope)
                .load(Array(activity.prefix(Self.transactions))),
            searched: range,
            isCut: activity.count > Self.transactions
        )
    }

    /// The account's transactions in some blocks, the newest first.
    private func activity(
        of account: Address,
        in range: ClosedRange<UInt64>,
        head: Block
    ) async throws(DexError) -> [(block: Block, transaction: BlockTransaction)] {
        var moved: Set<TransactionHash> = []
        var pages = LogPager(
            session: scope.session,
            blocks: range,
            store: EventStore(scope.store, head: head),
            filters: { from, to in TransferLog.filters(of: account, from: from, to: to) }
        )
        while let page = try await pages.next() {
            moved.formUnion(page.logs.compactMap(\.transactionHash))
        }
        return try await BlockWindow.read(range, of: scope.session).reversed().flatMap { full in
            full.transactions.reversed().compactMap { transaction in
                transaction.from == account || transaction.to == account
                    || moved.contains(transaction.hash)
                    ? (block: full.block, transaction: transaction) : nil
            }
        }
    }

    private func holdings(
        of account: Address
    ) async throws(DexError) -> (Wei, [AccountOverview.Holding]) {
        var states: [BalanceState] = []
        for session in scope.sessions {
            states.append(try await BalanceModel(session: session).load(owner: account))
        }
        guard let first = states.first else {
            throw DexError(ChainError.nonsense("no network of the chain was read"))
        }
        var rows: [BalanceState.Row] = []
        for row in states.flatMap(\.rows)
        where !rows.contains(where: { $0.token.address == row.token.address }) {
            rows.append(row)
        }
        let holdings = rows.map { row in
            AccountOverview.Holding(
                token: row.token,
                balance: row.balance,
                allowances: states.map { state in
                    let same = state.rows.first { $0.token.address == row.token.address }
                    // A token whose balance and allowance were read as zero is left out of a state.
                    return same.map(\.allowance) ?? .zero
                }
            )
        }
        return (first.ether, holdings)
    }

    private func orders(of account: Address, _ session: Session) async -> AccountOverview.Orders {
        do throws(DexError) {
            let state = try await OrdersModel(session: session).load(maker: account)
            return AccountOverview.Orders(
                network: session.network.name,
                rows: Array(state.rows.filter(\.standing.isOpen).prefix(Self.orders)),
                problem: nil
            )
        } catch {
            return AccountOverview.Orders(
                network: session.network.name,
                rows: [],
                problem: error.message
            )
        }
    }
}
