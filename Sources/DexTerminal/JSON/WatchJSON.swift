package import DexCore
import DexStore
package import Ethereum
package import StrictJSON
import ZeroEx

/// The output of `dex watch` for scripts: the line of `--json`, and the input of webhooks and
/// commands.
package enum WatchJSON {
    /// `data` of one event.
    package static func notice(_ notice: WatchNotice) -> JSONValue {
        let event = notice.event
        let isExchange = event.orderHash != nil || event.kind == .trade
        let amount = MoneyJSON.amount(event.amount, notice.currency)
        return [
            "id": .string(notice.message.id),
            "event": .string(event.kind.rawValue),
            "phase": .string(notice.message.phase.rawValue),
            "network": JSONFormat.text(notice.network),
            "chainId": JSONFormat.integer(notice.chainID),
            "account": JSONFormat.address(notice.account),
            "orderHash": event.orderHash.map { JSONFormat.hash($0) } ?? .null,
            "transaction": event.transaction.map { JSONFormat.hash($0) } ?? .null,
            "amount": isExchange || event.alert != nil ? .null : amount,
            "gives": isExchange ? amount : .null,
            "wants": JSONFormat.amount(notice.other),
            "alert": event.alert.map { alert in
                [
                    "id": .number("\(alert.id)"), "condition": JSONFormat.text(alert.text),
                    "value": JSONFormat.text(alert.value),
                ]
            } ?? .null,
            "counterparty": event.counterparty.map { JSONFormat.address($0) } ?? .null,
            "expires": event.expiry.map { JSONFormat.integer($0) } ?? .null,
            "block": JSONFormat.integer(event.place.block.number),
            "blockHash": JSONFormat.hash(event.place.block.hash),
            "logIndex": JSONFormat.integer(event.place.logIndex),
            "time": JSONFormat.integer(event.place.time),
            "noted": JSONFormat.integer(notice.message.noted),
        ]
    }

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
        case .etherUntold(let from, _): (word, block) = ("ether-untold", from)
        case .etherTold(let from): (word, block) = ("ether-told", from)
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
        for key in ["id", "event", "phase", "network", "chainId", "account"] {
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
