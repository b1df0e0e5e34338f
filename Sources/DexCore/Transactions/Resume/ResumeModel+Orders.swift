import DexStore
import Ethereum
import ZeroEx

extension ResumeModel {
    /// The state of an order whose acceptance by the relay is unknown.
    ///
    /// - Parameter time: seconds since 1970, by the clock or, if that is wrong, by the chain.
    func item(_ record: JournalOrder, time: UInt64) async throws(DexError) -> ResumeState.Item {
        var item = ResumeState.Item(
            kind: .order,
            account: record.maker,
            hash: record.hash.word,
            nonce: nil,
            purpose: "order",
            created: record.created,
            was: .signed,
            status: .order(.unknown),
            notes: [],
            isInFlight: false
        )
        guard let order = OrderFinder.order(of: record, session: session),
            order.hash == record.hash
        else {
            item.notes.append("The journal's text of it cannot be read.")
            return item
        }
        if order.expiry <= UInt256(time) {
            item.status = .order(.expired)
            item.notes.append("It expired and can no longer be filled.")
            return item
        }
        guard session.relay != nil else {
            item.isInFlight = true
            item.notes.append(
                "The network has no relay to ask; name the one it was for with --relay."
            )
            return item
        }
        let presence = await RelayPresence.of(record.hash, session)
        for failure in presence.failures {
            item.isInFlight = true
            let error = DexError(failure.error)
            item.notes.append("The relay does not say: \(error.message)")
        }
        let having = presence.having.joined(separator: ", ")
        if !presence.having.isEmpty, presence.lacking.isEmpty {
            item.status = .order(.posted)
            item.relays = presence.having
            item.notes.append(
                "It stands on the relay. See it with `dex order \(record.hash)`, cancel it "
                    + "with `dex cancel \(record.hash)`."
            )
            return item
        }
        guard !presence.lacking.isEmpty else { return item }
        item.status = .order(.signed)
        item.isInFlight = true
        let lack =
            presence.having.isEmpty
            ? "the relay does not have it"
            : "\(having) has it, \(presence.lacking.joined(separator: ", ")) does not"
        do throws(DexError) {
            item.notes += try await LimitPriceCheck(
                session: session,
                settings: TradeSettings()
            ).check(order)
        } catch {
            item.notes.append(
                "It was signed, and \(lack). It is not posted again: "
                    + "\(error.message) Cancel it with `dex cancel \(record.hash)`; or repeat "
                    + "the same `dex place-limit`, which posts it as it was."
            )
            return item
        }
        item.action = .post
        item.relays = presence.lacking
        item.notes.append(
            "It was signed, and \(lack). The same order can be posted "
                + "again; where it is not wanted any more, cancel it with "
                + "`dex cancel \(record.hash)`."
        )
        return item
    }

    /// Posts it again, or records its known state.
    func finish(
        _ item: inout ResumeState.Item,
        _ record: JournalOrder
    ) async throws(DexError) {
        switch item.status {
        case .order(.posted):
            session.onceReported(
                .posted(
                    record.hash,
                    relay: item.relays.joined(separator: " "),
                    isInDoubt: item.isInFlight
                ),
                in: journal
            )
        case .order(.expired): session.onceReported(.notPosted(record.hash), in: journal)
        default: break
        }
        guard item.action == .post,
            let order = OrderFinder.order(of: record, session: session)
        else { return }
        let posting = OrderPosting(session: session, journal: journal)
        do throws(DexError) {
            let postings = try await posting.post(order, to: item.relays)
            if postings.contains(where: \.isPosted) {
                item.status = .order(.posted)
                item.done = "posted"
                item.isInFlight = postings.contains(where: \.isOpen)
                item.notes = ["The relay has it now."]
            } else {
                item.notes = ["The relay took it, and does not give it back by its hash yet."]
            }
            if postings.count > 1 {
                item.notes = postings.map { posting in
                    PlainText.sentence(
                        "\(posting.relay): \(posting.reason ?? "it has it now")",
                        limit: 500
                    )
                }
            }
        } catch {
            if error.kind == .interrupted { throw error }
            item.done = error.kind == .relayRefused ? "refused" : nil
            item.isInFlight = error.kind != .relayRefused
            item.notes = [error.message, error.hint].compactMap { $0 }
        }
    }
}
