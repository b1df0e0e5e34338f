import Ethereum
import ZeroEx

/// The fees that the relays want for an order.
///
/// Fees are part of an order's hash, so relays with different fees cannot share one order.
struct RelayFeeOffers: Sendable {
    /// The same fees of one relay or more.
    struct Offer: Sendable {
        let fees: OrderFees
        /// Indices of the relays.
        var relays: [Int]
    }

    /// The fees of most relays first; of as many relays the lower fees, then the first relay's.
    let offers: [Offer]
    private let names: [String]
    private let failures: [Int: RelayError]

    /// Asks all relays of the network at the same time.
    ///
    /// - Throws: `DexError` if none answers: exit 7 if all refuse, else exit 4.
    static func ask(
        _ draft: OrderDraft,
        _ session: Session
    ) async throws(DexError) -> RelayFeeOffers {
        let members = session.relayMembers
        var answers: [(Int, OrderFees)] = []
        var failures: [Int: RelayError] = [:]
        if let group = session.relay as? RelayGroup {
            let replies = await group.ask { relay async throws(RelayError) in
                try await relay.fees(for: draft)
            }
            for reply in replies {
                switch reply.result {
                case .success(let fees): answers.append((reply.index, fees))
                case .failure(let error): failures[reply.index] = error
                }
            }
        } else if let member = members.first {
            do throws(RelayError) {
                answers = [(0, try await member.client.fees(for: draft))]
            } catch {
                failures[0] = error
            }
        }
        guard !answers.isEmpty else {
            let failed = members.indices.compactMap { index in
                failures[index].map { RelayError.Failure(relay: members[index].name, error: $0) }
            }
            throw DexError(RelayRefusal(all: failed))
        }
        return RelayFeeOffers(answers, failures: failures, names: members.map(\.name))
    }

    init(_ answers: [(Int, OrderFees)], failures: [Int: RelayError], names: [String]) {
        var offers: [Offer] = []
        for (index, fees) in answers {
            if let known = offers.firstIndex(where: { $0.fees == fees }) {
                offers[known].relays.append(index)
            } else {
                offers.append(Offer(fees: fees, relays: [index]))
            }
        }
        // Stable for equal offers: they are in the order of the relays.
        self.offers = offers.enumerated().sorted { left, right in
            let (a, b) = (left.element, right.element)
            if a.relays.count != b.relays.count { return a.relays.count > b.relays.count }
            let fees = (a.total, b.total)
            return fees.0 != fees.1 ? fees.0 < fees.1 : left.offset < right.offset
        }.map(\.element)
        self.names = names
        self.failures = failures
    }

    /// Every relay's part in an order with the fees of an offer.
    func targets(for offer: Offer) -> [RelayTarget] {
        names.indices.map { index in
            let part: RelayTarget.Part =
                if offer.relays.contains(index) {
                    .posts
                } else if let error = failures[index] {
                    .skipped(PlainText.clean(error.reason))
                } else {
                    .skipped("it wants other fees, which would make it another order")
                }
            return RelayTarget(relay: names[index], part: part)
        }
    }
}

extension RelayFeeOffers.Offer {
    fileprivate var total: UInt256 { fees.makerFee.addingSaturating(fees.takerFee) }
}
