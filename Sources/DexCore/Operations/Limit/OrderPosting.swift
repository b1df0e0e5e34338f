import DexStore
import Ethereum
import ZeroEx

extension Session {
    /// The journal's record of a signed order, made before the order is sent anywhere.
    func journalOrder(_ order: any SignedOrder, wire: String, isInDoubt: Bool) -> JournalOrder {
        JournalOrder(
            chainID: network.chainID,
            exchange: order.exchange,
            hash: order.hash,
            maker: order.maker,
            wire: wire,
            created: environment.now(),
            isInDoubt: isInDoubt
        )
    }
}

/// Posts a signed and journaled order to relays.
struct OrderPosting {
    let session: Session
    let journal: Journal

    /// Posts to the named relays at the same time.
    ///
    /// A lost answer, and a refusal that is not the relay's own, is resolved by asking for the
    /// hash; an order is never posted twice to a relay.
    ///
    /// - Parameter names: relays of the network.
    /// - Returns: each relay's answer, at least one of which took the order.
    /// - Throws: `DexError`: exit 7 if all refuse, exit 4 if none is known to have it.
    func post(
        _ order: any SignedOrder,
        to names: [String]
    ) async throws(DexError) -> [RelayPosting] {
        let members = session.relayMembers.filter { names.contains($0.name) }
        if members.isEmpty { _ = try session.requiredRelay() }
        let results = await members.concurrentMap { member in
            await Result { () async throws(DexError) in
                RelayPosting(relay: member.name, answer: try await answer(to: order, member.client))
            }
        }
        var postings: [RelayPosting] = []
        var interruption: DexError?
        for result in results {
            switch result {
            case .success(let posting): postings.append(posting)
            case .failure(let error): interruption = error
            }
        }
        record(order, postings)
        if let interruption { throw interruption }
        guard !postings.contains(where: { $0.isPosted || $0.answer == .unconfirmed }) else {
            return postings
        }
        throw DexError(RelayRefusal(of: postings, seen: order.hash))
    }

    /// What is known goes to the journal once it is reported; until then a repeated command asks.
    private func record(_ order: any SignedOrder, _ postings: [RelayPosting]) {
        let having = postings.filter(\.isPosted).map(\.relay)
        let isOpen = postings.contains(where: \.isOpen)
        if !having.isEmpty {
            let relays = having.joined(separator: " ")
            session.onceReported(
                .posted(order.hash, relay: relays, isInDoubt: isOpen),
                in: journal
            )
        } else if !isOpen, !postings.isEmpty {
            session.onceReported(.notPosted(order.hash), in: journal)
        }
    }

    private func answer(
        to order: any SignedOrder,
        _ relay: any RelayClient
    ) async throws(DexError) -> RelayPosting.Answer {
        var lost: RelayError?
        do throws(RelayError) {
            try await relay.post(order)
        } catch {
            if error.isOfRelay {
                return await isOnRelay(order, relay) ? .posted : .refused(error)
            }
            // A gateway may have passed the order on before it answered.
            lost = error
        }
        for attempt in 0..<3 {
            if attempt > 0 { try await Broadcast.sleep(500, session) }
            if await isOnRelay(order, relay) { return .posted }
        }
        return lost.map { .lost($0) } ?? .unconfirmed
    }

    /// The relay returns this order, regardless of its earlier answer.
    private func isOnRelay(_ order: any SignedOrder, _ relay: any RelayClient) async -> Bool {
        let found = try? await relay.order(order.hash)  // nil: not there, or no answer
        guard let found else { return false }
        // The hash covers all terms and is ours; the signature must be valid as well.
        return found.hash == order.hash && session.rejection(of: found) == nil
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
