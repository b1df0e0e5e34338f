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
        let rows = try await OrderInspector(session: session).rows(for: living).rows
        let open = rows.filter(\.standing.isOpen)
        guard !open.isEmpty else { return .ok(.orders, "No own order is open.") }
        let unfunded = open.filter { $0.standing == .unfunded }
        guard let first = unfunded.first else {
            if let unread = open.first(where: { $0.standing == .unknown }) {
                let count = open.count { $0.standing == .unknown }
                return .warn(
                    .orders,
                    "Whether \(count) of \(open.count) open own orders can be filled is unknown: "
                        + "balance or allowance could not be read.",
                    "Run it again: dex doctor. See one: dex why \(unread.order.hash)"
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
            return .ok(
                .orders,
                open.count == 1
                    ? "One own order is open, and can be filled."
                    : "\(open.count) own orders are open, and all can be filled."
            )
        }
        let found =
            open.count == 1
            ? "The one open own order cannot be filled"
            : "\(unfunded.count) of \(open.count) open own orders cannot be filled"
        return .warn(
            .orders,
            "\(found): balance or allowance is missing"
                + (unfunded.count == 1 ? "." : ", as of this one."),
            "See which, and what mends it: dex why \(first.order.hash)"
        )
    }

    private static func text(_ amount: TokenAmount) -> String {
        Currency.token(amount.token).text(amount.raw)
    }
}
