package import DexCore
import DexStore
import Ethereum
import ZeroEx

/// The output of `dex watch` in words.
package enum WatchText {
    /// What happened, in a sentence; with several accounts after the name of one.
    ///
    /// - Parameter payload: with ids only, without an amount.
    package static func title(
        _ notice: WatchNotice,
        _ payload: WatchPayload = .whole
    ) -> String {
        let event = payload == .whole ? what(notice) : name(notice.event)
        let text =
            switch notice.message.phase {
            case .new: event
            case .undone: "Undone by a reorganization: \(lowered(event))"
            case .restored: "In the chain again: \(lowered(event))"
            }
        return notice.accountName.map { "\(TerminalText.clean($0)): \(text)" } ?? text
    }

    /// The title in a sink's form: its template's text, else the sentence.
    package static func title(_ notice: WatchNotice, _ form: WatchForm) -> String {
        form.template.map { text($0, notice) } ?? title(notice, form.payload)
    }

    /// The text of a template; of a payload of ids, without what it withholds.
    package static func text(_ template: WatchTemplate, _ notice: WatchNotice) -> String {
        let event = notice.event
        return template.text { field in
            switch field {
            case .id: notice.message.id
            case .event: event.kind.rawValue
            case .phase: notice.message.phase.rawValue
            case .network: TerminalText.clean(notice.network)
            case .account: notice.account.checksummed
            case .wallet:
                notice.accountName.map { TerminalText.clean($0) } ?? notice.account.checksummed
            case .order: event.orderHash?.hex ?? ""
            case .transaction: event.transaction?.hex ?? ""
            case .alert: event.alert.map { "\($0.id)" } ?? ""
            case .block: "\(event.place.block.number)"
            case .time: "\(event.place.time)"
            case .text: title(notice)
            case .amount:
                event.alert == nil ? NumberText.amount(event.amount, notice.currency) : ""
            case .wants: notice.other.map { NumberText.amount($0) } ?? ""
            case .counterparty: event.counterparty?.checksummed ?? ""
            }
        }
    }

    /// What happened, without an amount.
    private static func name(_ event: WatchEvent) -> String {
        switch event.kind {
        case .fill: "Order filled"
        case .cancel: "Order cancelled"
        case .received: "Received something"
        case .sent: "Sent something"
        case .wrapped: "Coin wrapped"
        case .unwrapped: "Coin unwrapped"
        case .trade: "Traded something"
        case .expiring: "Order expires soon"
        case .expired: "Order expired"
        case .unfunded: "Order cannot be filled"
        case .funded: "Order can be filled again"
        case .alert: event.alert.map { "Alert \($0.id)" } ?? "Alert"
        }
    }

    /// The parties, the place and the transaction, one per line.
    package static func details(_ notice: WatchNotice) -> [String] {
        let event = notice.event
        var lines: [String] = []
        let block = "block \(event.place.block.number)"
        let place = notice.message.phase == .undone ? "it was in \(block)" : block
        if event.alert != nil { return [place] }
        if let counterparty = event.counterparty {
            let preposition =
                switch event.kind {
                case .received: "from"
                case .sent: "to"
                case .trade: "paid to"
                default: "by"
                }
            let name =
                counterparty == notice.account ? "ourselves" : counterparty.checksummed
            lines.append("\(preposition) \(name), \(place)")
        } else if event.kind.isInBlock {
            // Only a trace of the whole block shows more.
            lines.append(
                event.transaction == nil ? "moved by a contract or as a reward, \(place)" : place
            )
        }
        if let order = event.orderHash {
            lines.append(event.kind == .unfunded ? "dex why \(order.hex)" : "order \(order.hex)")
        }
        if let transaction = event.transaction { lines.append("in \(transaction.hex)") }
        return lines
    }

    private static func what(_ notice: WatchNotice) -> String {
        let event = notice.event
        let amount = NumberText.amount(event.amount, notice.currency)
        let trade = notice.other.map { "\(amount) for \(NumberText.amount($0))" } ?? amount
        switch event.kind {
        case .fill: return "Order filled: \(trade)"
        case .cancel: return "Order cancelled: \(trade)"
        case .received: return "Received \(amount)"
        case .sent: return "Sent \(amount)"
        case .wrapped: return "Coin wrapped into \(amount)"
        case .unwrapped: return "Coin unwrapped from \(amount)"
        case .trade: return "Traded \(trade)"
        case .expiring:
            let time = event.expiry.map { TimeText.utc($0) } ?? ""
            return "Order expires at \(time): \(trade)"
        case .expired: return "Order expired: \(trade)"
        case .unfunded:
            let symbol = PlainText.name(notice.currency.symbol)
            return "Order cannot be filled: \(trade), and the balance or allowance of \(symbol) "
                + "is short"
        case .funded: return "Order can be filled again: \(trade)"
        case .alert:
            guard let alert = event.alert else { return "Alert" }
            return "Alert \(alert.id): \(TerminalText.clean(alert.text)), now "
                + TerminalText.clean(alert.value)
        }
    }

    private static func lowered(_ text: String) -> String {
        text.prefix(1).lowercased() + text.dropFirst()
    }

    /// The sentence about watching itself; nil if the user need not know.
    package static func sentence(_ status: WatchStatus) -> String {
        switch status {
        case .begun(let next): "Watching from block \(next) on."
        case .attached(let next):
            "Another `dex watch` follows this account; what it reports from block \(next) on is shown "
                + "here too."
        case .unread(let block):
            "The `dex watch` that follows this account has read nothing from block \(block) on; it "
                + "may have ended."
        case .rewound(let block):
            "The chain was reorganized: it was read again from behind block \(block)."
        case .nodeBehind(let latest, let read):
            "The node's latest block is \(latest), and block \(read) was read before: waiting for "
                + "it to catch up. If the chain was reset, start again with --from latest."
        case .stale(let stale): "OLD STATE. \(stale.warning)"
        case .fresh: "The latest block is fresh again."
        case .failing(let error): "\(error.message) It is tried again."
        case .unchecked(let error): "\(error.message) This account was not checked."
        case .relayFailing(let reason):
            "The relay could not be asked for your orders, so only those of the journal are "
                + "watched: \(reason)"
        case .etherPaymentsUnavailable(let block, let reason):
            "What was paid in the network's coin from block \(block) on is not reported, for the "
                + "node does not return it: \(reason) A node that keeps the state of old blocks does: name one with "
                + "--rpc, and begin with --from \(block)."
        case .etherReported(let block):
            "What was paid in the network's coin is reported from block \(block) on."
        case .alertsUnknown(let reason): "Alerts that depend on it cannot fire: \(reason)"
        case .alertsWithoutMean(let reason):
            "Alerts of its price fire after two blocks, without a mean price. \(reason)"
        case .alertsKnown: "All alerts can be checked again."
        case .recovered: "What failed answers again."
        case .undelivered(let sink, let reason):
            "The \(sink) did not take a message: \(reason) It is tried again."
        case .deliveredAgain(let sink): "The \(sink) takes messages again."
        case .givenUp(let sink, let message, let reason):
            "The \(sink) did not take the message \(message), which is given up: \(reason)"
        }
    }

    package static func isWarning(_ status: WatchStatus) -> Bool {
        switch status {
        case .begun, .attached, .recovered, .deliveredAgain, .etherReported, .alertsKnown, .fresh:
            false
        case .stale, .rewound, .nodeBehind, .failing, .unchecked, .relayFailing, .undelivered,
            .givenUp, .etherPaymentsUnavailable, .alertsUnknown, .alertsWithoutMean, .unread:
            true
        }
    }
}
