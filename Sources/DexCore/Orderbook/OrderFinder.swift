import DexStore
import StrictJSON
package import ZeroEx

/// Finds an order by its hash, on the relay and in the journal.
package struct OrderFinder: Sendable {
    package struct Found: Sendable {
        /// It has the requested hash; its signature is NOT checked.
        package let order: any SignedOrder
        package let isOwn: Bool
        package let isOnRelay: Bool
        /// The relays that show it; empty with one relay.
        package var relays: [String] = []
        /// Relays that were left out, as sentences.
        package var warnings: [String] = []
    }

    let session: Session
    let journal: Journal?

    /// The order; nil if neither relay nor journal has it.
    ///
    /// - Throws: `DexError`: the relay failed and the journal does not have the order, the relay
    ///   returned another order, or the journal cannot be read.
    package func find(_ hash: OrderHash) async throws(DexError) -> Found? {
        let own = try recorded(hash)
        guard let relay = session.relay else {
            return own.map { Found(order: $0, isOwn: true, isOnRelay: false) }
        }
        let served: (any SignedOrder)?
        var relays: [String] = []
        do throws(RelayError) {
            if let group = relay as? RelayGroup {
                (served, relays) = try await group.find(hash)
            } else {
                served = try await relay.order(hash)
            }
        } catch {
            guard let own else { throw DexError(error) }
            session.environment.progress(PlainText.clean(error.description))
            return Found(
                order: own,
                isOwn: true,
                isOnRelay: false,
                warnings: session.leftOutRelays
            )
        }
        let warnings = session.leftOutRelays
        if let served, served.hash != hash {
            throw DexError(
                RelayError.nonsense("it is the order \(served.hash) where \(hash) was asked for")
            )
        }
        // Our own copy is the one that we signed.
        if let own {
            return Found(
                order: own,
                isOwn: true,
                isOnRelay: served != nil,
                relays: relays,
                warnings: warnings
            )
        }
        guard let served else {
            // One of these may have it.
            for warning in warnings { session.environment.progress(warning) }
            return nil
        }
        return Found(
            order: await genuine(served, relay),
            isOwn: false,
            isOnRelay: true,
            relays: relays,
            warnings: warnings
        )
    }

    /// The same order with its maker's signature.
    ///
    /// The relay's list may have it even if its answer for the hash is a forged copy; otherwise the
    /// copy itself.
    private func genuine(
        _ served: any SignedOrder,
        _ relay: any RelayClient
    ) async -> any SignedOrder {
        guard session.rejection(of: served)?.isOfSignature == true else { return served }
        var query = OrderQuery()
        query.exchange = served.exchange
        query.maker = served.maker
        query.makerToken = served.makerToken
        query.takerToken = served.takerToken
        guard let list = try? await relay.orders(query) else { return served }  // no genuine one
        return list.orders.first { $0.hash == served.hash && session.rejection(of: $0) == nil }
            ?? served
    }

    /// Our own order from the journal; nil if it is not there, or its text is damaged.
    ///
    /// - Throws: `DexError` if the journal cannot be read.
    func recorded(_ hash: OrderHash) throws(DexError) -> (any SignedOrder)? {
        guard let journal else { return nil }
        guard let record = try journaled(try journal.order(hash)),
            record.chainID == session.network.chainID,
            let order = OrderFinder.order(of: record, session: session), order.hash == hash
        else { return nil }
        return order
    }

    /// The order in a journal record; nil if its text is damaged.
    static func order(of record: JournalOrder, session: Session) -> (any SignedOrder)? {
        let json = try? JSONParser.parse(text: record.wire)  // nil: damaged
        return json.flatMap { try? session.exchangeProtocol.decodeOrder($0) }  // nil: damaged
    }
}
