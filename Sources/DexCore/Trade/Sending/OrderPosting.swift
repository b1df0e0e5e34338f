import DexStore
import Ethereum
import ZeroEx

/// Posts a signed order that the journal has.
struct OrderPosting {
    let session: Session
    let journal: any Journal

    /// Posts, and tells whether the relay gives the same order back.
    ///
    /// A lost answer is settled by asking for the hash; an order is never posted twice.
    func post(_ order: any SignedOrder) async throws(DexError) -> Bool {
        guard let relay = session.relay else { throw DexError.noRelay(session.network) }
        var lost: RelayError?
        do throws(RelayError) {
            try await relay.post(order)
        } catch {
            switch error {
            case .refused:
                // Until the user is told it is in doubt: a repeated command asks for it.
                session.environment.afterTelling { [journal, hash = order.hash] in
                    try? journal.clearDoubt(of: hash)
                }
                throw refused(error, order)
            case .rateLimited: throw refused(error, order)
            case .unreachable, .nonsense: lost = error
            }
        }
        for attempt in 0..<3 {
            if attempt > 0 { try await Broadcast.sleep(500, session) }
            if let found = try? await relay.order(order.hash), isSame(found, order) {
                let name = session.network.relay ?? "relay"
                session.environment.afterTelling { [journal, hash = order.hash] in
                    try? journal.markPosted(hash, relay: name)
                }
                return true
            }
        }
        if let lost { throw refused(lost, order) }
        return false
    }

    private func isSame(_ found: any SignedOrder, _ order: any SignedOrder) -> Bool {
        // The hash is ours, over all terms; the signature must hold as well.
        guard found.hash == order.hash else { return false }
        do throws(OrderRejection) {
            try session.exchangeProtocol.verify(
                found,
                exchange: session.network.exchange,
                recoverer: session.recoverer
            )
            return true
        } catch {
            return false
        }
    }

    private func refused(_ error: RelayError, _ order: any SignedOrder) -> DexError {
        let base = DexError(order: error)
        return DexError(
            base.exit,
            code: base.code,
            message: base.message,
            hint: "The relay has seen the signed order \(order.hash), and it is in the journal: "
                + "cancel it with `dex cancel \(order.hash)` if it must never be filled.",
            retryable: base.retryable
        )
    }
}
