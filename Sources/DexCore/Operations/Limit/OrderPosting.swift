import DexStore
import Ethereum
import ZeroEx

/// Posts a signed and journaled order.
struct OrderPosting {
    let session: Session
    let journal: Journal

    /// Posts, and returns whether the relay returns the same order.
    ///
    /// A lost answer, and a refusal that is not the relay's own, is resolved by asking for the
    /// hash; an order is never posted twice.
    func post(_ order: any SignedOrder) async throws(DexError) -> Bool {
        let relay = try session.requiredRelay()
        var lost: RelayError?
        do throws(RelayError) {
            try await relay.post(order)
        } catch {
            switch error {
            case .refused where error.isOfRelay:
                // It stays unconfirmed until it is reported: a repeated command checks it.
                if await isOnRelay(order, relay) { return true }
                session.onceReported(.notPosted(order.hash), in: journal)
                throw DexError(RelayRefusal(error, seen: order.hash))
            // A gateway may have passed the order on before it answered.
            case .refused, .rateLimited, .unreachable, .badStatus, .nonsense: lost = error
            }
        }
        for attempt in 0..<3 {
            if attempt > 0 { try await Broadcast.sleep(500, session) }
            if await isOnRelay(order, relay) { return true }
        }
        if let lost { throw DexError(RelayRefusal(lost, seen: order.hash)) }
        return false
    }

    /// The relay returns this order, regardless of its earlier answer.
    private func isOnRelay(_ order: any SignedOrder, _ relay: any RelayClient) async -> Bool {
        let found = try? await relay.order(order.hash)  // nil: not there, or no answer
        guard let found, isSame(found, order) else { return false }
        let name = session.network.relayName ?? "relay"
        session.onceReported(.posted(order.hash, relay: name), in: journal)
        return true
    }

    private func isSame(_ found: any SignedOrder, _ order: any SignedOrder) -> Bool {
        // The hash covers all terms and is ours; the signature must be valid as well.
        found.hash == order.hash && session.rejection(of: found) == nil
    }
}

extension RelayError {
    /// The code is of the relayer API itself (100 to 199), which no gateway uses.
    ///
    /// So the relay itself checked and refused the order.
    var isOfRelay: Bool {
        if case .refused(_, let code?, _, _) = self { (100..<200).contains(code) } else { false }
    }
}
