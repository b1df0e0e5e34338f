package import ZeroEx

/// One of the network's relays in the plan of a limit order.
package struct RelayTarget: Hashable, Sendable {
    package enum Part: Hashable, Sendable {
        /// The order is posted there.
        case posts
        /// It has the order from an earlier command.
        case hasIt
        /// It gets no order, for this reason.
        case skipped(String)
    }

    package let relay: String
    package let part: Part
}

/// What one relay answered to a posted order.
package struct RelayPosting: Hashable, Sendable {
    package enum Answer: Hashable, Sendable {
        /// It took the order and gives it back by its hash.
        case posted
        /// It took the order, and does not give it back yet.
        case unconfirmed
        /// It refused the order by its own rules.
        case refused(RelayError)
        /// It may have the order or not.
        case lost(RelayError)
        /// It was not asked, for this reason.
        case skipped(String)
    }

    package let relay: String
    package let answer: Answer

    package var isPosted: Bool { answer == .posted }

    /// The relay may get or have the order, and nobody knows.
    var isOpen: Bool {
        switch answer {
        case .unconfirmed, .lost: true
        case .posted, .refused, .skipped: false
        }
    }

    /// Why it is not posted there, in words without the relay's name; nil if it is.
    package var reason: String? {
        switch answer {
        case .posted: nil
        case .unconfirmed: "it took the order, and does not give it back by its hash yet"
        case .refused(let error), .lost(let error): PlainText.clean(error.reason)
        case .skipped(let reason): reason
        }
    }
}

extension [RelayPosting] {
    /// A relay took the order, and none gives it back by its hash.
    var areUnconfirmed: Bool {
        !contains(where: \.isPosted) && contains { $0.answer == .unconfirmed }
    }
}

/// Which relays have an order.
struct RelayPresence: Sendable {
    /// Relays that give the order back.
    var having: [String] = []
    /// Relays that answer that they do not know it.
    var lacking: [String] = []
    var failures: [RelayError.Failure] = []

    /// Asks all relays of the network at the same time.
    static func of(_ hash: OrderHash, _ session: Session) async -> RelayPresence {
        var presence = RelayPresence()
        if let group = session.relay as? RelayGroup {
            for reply in await group.copies(of: hash) {
                presence.add(reply.name, reply.result, hash)
            }
        } else if let member = session.relayMembers.first {
            do throws(RelayError) {
                presence.add(member.name, .success(try await member.client.order(hash)), hash)
            } catch {
                presence.add(member.name, .failure(error), hash)
            }
        }
        return presence
    }

    private mutating func add(
        _ name: String,
        _ result: Result<(any SignedOrder)?, RelayError>,
        _ hash: OrderHash
    ) {
        switch result {
        case .success(let order): order?.hash == hash ? having.append(name) : lacking.append(name)
        case .failure(let error): failures.append(RelayError.Failure(relay: name, error: error))
        }
    }

    /// The failure of every relay; nil if one answered.
    var failure: RelayError? {
        guard having.isEmpty, lacking.isEmpty, let first = failures.first else { return nil }
        return failures.count == 1 ? first.error : .noneAnswered(failures)
    }

    /// A plan that posts the order where it is missing.
    var targets: [RelayTarget] {
        having.map { RelayTarget(relay: $0, part: .hasIt) }
            + lacking.map { RelayTarget(relay: $0, part: .posts) }
            + failures.map { failure in
                RelayTarget(
                    relay: failure.relay,
                    part: .skipped(PlainText.clean(failure.error.reason))
                )
            }
    }
}
