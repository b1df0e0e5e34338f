import DexStore
import Ethereum
import ZeroEx

/// Checks for own orders that takers cannot fill.
struct OrdersCheck {
    let session: Session
    /// nil if there is none, or it cannot be read.
    let journal: Journal?

    func row(_ account: Address) async -> DoctorState.Row {
        guard let journal else { return .ok(.orders, "The journal has no own order.") }
        do throws(DexError) {
            return try await found(account, journal)
        } catch {
            return .fail(.orders, error)
        }
    }

    private func found(
        _ account: Address,
        _ journal: Journal
    ) async throws(DexError) -> DoctorState.Row {
        let now = UInt256(session.environment.now())
        let living = try journal.ownOrders(of: account, session: session)
            .filter { $0.expiry > now }
        guard !living.isEmpty else { return .ok(.orders, "No own order is open.") }
        let inspection = try await OrderInspector(session: session).rows(for: living)
        let open = inspection.rows.filter(\.standing.isOpen)
        guard !open.isEmpty else { return .ok(.orders, "No own order is open.") }
        let unread = open.filter { $0.standing == .unknown }
        let unfunded = open.filter { $0.standing == .unfunded }
        if let first = unfunded.first {
            let found =
                open.count == 1
                ? "The one open own order cannot be filled"
                : "\(unfunded.count) of \(open.count) open own orders cannot be filled"
            return .warn(
                .orders,
                "\(found): balance or allowance is missing"
                    + (unfunded.count == 1 ? "." : ", as of this one.")
                    + (unread.isEmpty
                        ? "" : " Of \(unread.count) more it is unknown: they could not be read."),
                "See which, and what mends it: dex why \(first.order.hash)"
            )
        }
        if let first = unread.first {
            return .warn(
                .orders,
                "Whether \(unread.count) of \(open.count) open own orders can be filled is unknown: "
                    + "balance or allowance could not be read.",
                "Run it again: dex doctor. See one: dex why \(first.order.hash)"
            )
        }
        let half = open.filter { $0.standing == .halfFunded }
        if let row = half.first {
            return .warn(
                .orders,
                (open.count == 1
                    ? "The one open own order is"
                    : "\(half.count) of \(open.count) open own orders "
                        + (half.count == 1 ? "is" : "are"))
                    + " half-funded: balance or allowance covers "
                    + "\(Self.text(row.base(ofTaker: row.fillable))) of the "
                    + "\(Self.text(row.base(ofTaker: row.state.remaining))) that are left"
                    + (half.count == 1 ? "." : " of one."),
                "See what mends it: dex why \(row.order.hash)"
            )
        }
        return short(account, open, inspection)
            ?? .ok(
                .orders,
                open.count == 1
                    ? "One own order is open, and can be filled."
                    : "\(open.count) own orders are open, and all can be filled."
            )
    }

    /// Orders of which each can be filled, and not all: they draw on one balance.
    private func short(
        _ account: Address,
        _ open: [OrdersState.Row],
        _ inspection: OrderInspection
    ) -> DoctorState.Row? {
        let needed = MakerFunding(
            exchangeProtocol: session.exchangeProtocol,
            contracts: inspection.contracts,
            timestamp: inspection.block.timestamp
        ).commitments(open.map { ($0.order, $0.state) })
        for (token, sum) in needed.sorted(by: { $0.key < $1.key }) {
            let holding = inspection.holdings[HoldingKey(owner: account, token: token)]
            guard let spendable = holding?.spendable, spendable < sum else { continue }
            let known =
                open.lazy.flatMap { [$0.maker.token, $0.taker.token] }
                .first { $0.address == token } ?? session.tokens.token(at: token)
            return .warn(
                .orders,
                "Each of the \(open.count) open own orders can be filled, but not all: together "
                    + "they take \(Self.text(TokenAmount(raw: sum, token: known))), and balance and "
                    + "allowance cover \(Self.text(TokenAmount(raw: spendable, token: known))).",
                "Add what is missing, or cancel one. See them: dex orders --mine"
            )
        }
        return nil
    }

    private static func text(_ amount: TokenAmount) -> String {
        Currency.token(amount.token).text(amount.raw)
    }
}
