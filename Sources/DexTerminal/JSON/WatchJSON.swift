package import DexCore
import DexStore
package import Ethereum
package import StrictJSON
import ZeroEx

/// The output of `dex watch` for scripts: the line of `--json`, and the input of webhooks and
/// commands.
package enum WatchJSON {
    /// `data` of one event.
    package static let notice = Fields<WatchNotice> {
        Field("eventId", "The same for the same event", \.message.id)
        Field("event", "What happened", \.event.kind.word)
        Field("phase", "`undone`: a reorganization removed it", \.message.phase.word)
        Field("network", "The network", \.network)
        Field("chainId", "Its chain", \.chainID)
        Field("account", "The account", \.account)
        Field("orderHash", "Null if it is not about an order", \.event.orderHash)
        Field(
            "transaction",
            "Null for an event without one, and for ether paid by a contract",
            \.event.transaction
        )
        Field("amount", "Null if it is about an order, a trade or an alert") {
            $0.isExchange || $0.event.alert != nil ? nil : $0.money
        }
        Field("gives", "Of orders, and of a trade what it took; or null") {
            $0.isExchange ? $0.money : nil
        }
        Field("wants", "Of orders, and of a trade what it brought; or null", \.other)
        Field("alert", "Null if it is none", nullable: alert, \.event.alert)
        Field("counterparty", "Who was on the other side, or null", \.event.counterparty)
        Field("expires", "When the order ends, or null", as: .time, \.event.expiry)
        Field("block", "The block", \.event.place.block.number)
        Field("blockHash", "Its hash", \.event.place.block.hash)
        Field("logIndex", "The place of its event in the block, or null", \.event.place.logIndex)
        Field("time", "Of the block", as: .time, \.event.place.time)
        Field("seenAt", "When it was seen", as: .time, \.message.noted)
    }

    private static let alert = Fields<FiredAlert> {
        Field(json: "id", "Its number", .count) { .number("\($0.id)") }
        Field("condition", "When it fires", \.text)
        Field("found", "What it found", \.value)
    }

    /// `data` of a report about watching itself.
    package static let reported = Shape.object([
        .init("event", .constant("status"), "It is about watching itself"),
        .init(
            "status",
            .words([
                "begun",
                "attached",
                "unread",
                "rewound",
                "node-behind",
                "stale",
                "fresh",
                "failing",
                "unchecked",
                "relay-failing",
                "ether-untold",
                "ether-told",
                "alerts-unknown",
                "alerts-without-mean",
                "alerts-known",
                "recovered",
                "undelivered",
                "delivered-again",
                "given-up",
            ]),
            "What became of it; the problem is in `warnings`"
        ),
        .init("account", Shape.address.orNull, "If several are watched; else null"),
        .init("block", Shape.integer.orNull, "The block, or null"),
    ])

    /// `data` of a report about watching itself.
    ///
    /// - Parameter account: the account that it is about, if several are watched.
    package static func status(_ status: WatchStatus, of account: Address? = nil) -> JSONValue {
        let word: String
        var block: UInt64?
        switch status {
        case .begun(let next): (word, block) = ("begun", next)
        case .attached(let next): (word, block) = ("attached", next)
        case .unread(let from): (word, block) = ("unread", from)
        case .rewound(let to): (word, block) = ("rewound", to)
        case .nodeBehind(let latest, _): (word, block) = ("node-behind", latest)
        case .stale(let stale): (word, block) = ("stale", stale.block)
        case .fresh: word = "fresh"
        case .failing: word = "failing"
        case .unchecked: word = "unchecked"
        case .relayFailing: word = "relay-failing"
        case .etherPaymentsUnavailable(let from, _): (word, block) = ("ether-untold", from)
        case .etherReported(let from): (word, block) = ("ether-told", from)
        case .alertsUnknown: word = "alerts-unknown"
        case .alertsWithoutMean: word = "alerts-without-mean"
        case .alertsKnown: word = "alerts-known"
        case .recovered: word = "recovered"
        case .undelivered: word = "undelivered"
        case .deliveredAgain: word = "delivered-again"
        case .givenUp: word = "given-up"
        }
        return [
            "event": "status",
            "status": .string(word),
            "account": account.map { JSONFormat.address($0) } ?? .null,
            "block": JSONFormat.integer(block),
        ]
    }

    /// `data` of one event without amounts, prices and parties.
    package static func ids(_ notice: WatchNotice) -> JSONValue {
        let whole = self.notice(notice)
        var data = JSONObject()
        for key in ["eventId", "event", "phase", "network", "chainId", "account"] {
            data[key] = whole[key]
        }
        data["orderHash"] = whole["orderHash"]
        data["transaction"] = whole["transaction"]
        data["alert"] = whole["alert"]?["id"].map { ["id": $0] } ?? .null
        return .object(data)
    }

    /// The whole line of one event.
    package static func line(
        _ notice: WatchNotice,
        _ payload: WatchPayload = .whole
    ) -> JSONValue {
        let data =
            switch payload {
            case .whole: self.notice(notice)
            case .ids: ids(notice)
            }
        return JSONEnvelope(command: "watch", status: .ok, exit: .done, data: data).json
    }

    /// What a program or a service gets: the line, or the text of its template.
    package static func body(_ notice: WatchNotice, _ form: WatchForm) -> [UInt8] {
        guard let template = form.template else { return line(notice, form.payload).utf8 }
        return Array(WatchText.text(template, notice).utf8)
    }
}

extension WatchNotice {
    /// It is about an order or a trade.
    fileprivate var isExchange: Bool { event.orderHash != nil || event.kind == .trade }
    fileprivate var money: Money { currency.money(event.amount) }
}
