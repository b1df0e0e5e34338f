package import DexCore
package import DexStore
import Ethereum
package import StrictJSON
import ZeroEx

/// The JSON of `dex guard`.
package enum GuardJSON {
    package static let list = Fields<[JournalGuard]> {
        Field("guards", "All of them", list: guardOrder) { $0 }
    }

    package static let guardOrder = Fields<JournalGuard>(named: "guard", "A guard") {
        // Before it is in the journal it has no number.
        Field(json: "id", "Its number; null in a plan", Shape.count.orNull) {
            $0.id == 0 ? .null : .number("\($0.id)")
        }
        .csv(0, "id")
        .sorted("id") { $0.id < $1.id }
        .shown(0, "ID", .right) { guardOrder, _ in .init(String(guardOrder.id)) }
        Field(
            "state",
            "Where it is in its life",
            as: .words(["waiting", "firing", "interrupted", "ended"])
        ) { ExactText(word(of: $0.state)) }
        .csv(1, "state")
        .shown(6, "STATE", dropOrder: 2) { guardOrder, _ in
            .init(GuardText.word(guardOrder), GuardText.color(guardOrder))
        }
        Field(
            "watched",
            "Of a waiting one: a running `dex live` or `dex guard run` watches its price; else null"
        ) { $0.state == .waiting ? $0.isWatched : nil }
        .csv(14, "watched")
        Field(json: "exitCode", "Of an ended one, or null", Shape.count.orNull) { guardOrder in
            if case .ended(let code) = guardOrder.state { .integer(code) } else { .null }
        }
        .csv(2, "exit_code")
        Field("venue", "Where it looks and trades", as: .words(["book", "pools"])) {
            ExactText($0.isAtPools ? "pools" : "book")
        }
        Field("account", "Whose", \.account).csv(3, "account")
        Field("side", "What it does with BASE", \.side.word).csv(4, "side")
            .shown(1, "SIDE") { guardOrder, _ in
                .init(guardOrder.side.rawValue, guardOrder.side == .buy ? .green : .red)
            }
        Field("pair", "The pair's name", as: .pairName, \.pairName).csv(5, "pair")
            .sorted("pair") { ($0.pairName, $0.id) < ($1.pairName, $1.id) }
            .shown(3, "PAIR", dropOrder: 1) { guardOrder, _ in
                .init(PlainText.pairName(guardOrder.pairName))
            }
        Field("baseAddress", "The address of BASE", \.pair.base).csv(12, "base")
        Field("quoteAddress", "The address of QUOTE", \.pair.quote).csv(13, "quote")
        Field("amountTyped", "Of BASE, as it was typed") { ExactText($0.amount) }.csv(6, "amount")
            .shown(2, "AMOUNT", .point) { guardOrder, _ in .init(guardOrder.amount) }
        Field("trigger", "On which side of the price it fires", \.trigger.word)
            .csv(7, "trigger")
        Field("price", "At which it fires", as: .price) { ExactText($0.price) }.csv(8, "price")
            .shown(4, "BID/ASK") { guardOrder, _ in .init(GuardText.trigger(guardOrder)) }
        Field("slippage", "How far from the price it may trade, such as `1.00%`") {
            ExactText(NumberText.percent(basisPoints: $0.slippage))
        }
        .csv(9, "slippage")
        Field("worstPrice", "The worst price", as: .price) { ExactText($0.limit) }.csv(10, "limit")
            .shown(5, "LIMIT", .point, dropOrder: 3) { guardOrder, _ in .init(guardOrder.limit) }
        Field("createdAt", "When it was added", as: .time, \.created)
            .csv(11, "created", isTime: true)
        Field("expires", "It fires no later", as: .time, \.expires)
        Field(
            "confirmed",
            "Its account's key signed these very terms; without that it never fires; null in a plan"
        ) { $0.id == 0 ? nil : $0.isConfirmed }
        Field("neverFires", "Why it never fires although it waits, or null", \.neverFires)
            .csv(15, "never_fires")
    }

    private static func word(of state: JournalGuard.State) -> String {
        switch state {
        case .waiting: "waiting"
        case .firing: "firing"
        case .interrupted: "interrupted"
        case .ended: "ended"
        }
    }

    package static let plan = Fields<GuardPlan> {
        Field("plan", "The guard, and what it would bring now", object: planned) { $0 }
    }

    private static let planned = Fields<GuardPlan> {
        guardOrder.of(\.guardOrder)
        Field("now", "The bid of a sale, the ask of a purchase, or null") { plan in
            plan.now.map { NumberText.price($0, plan.pair) }
        }
        Field("block", "The latest block", \.block)
        Field("receiveMin", "The least that a sale brings, or null") {
            $0.guardOrder.side == .sell ? $0.pair.quote.amount($0.total) : nil
        }
        Field("payMax", "The most that a purchase costs, or null") {
            $0.guardOrder.side == .buy ? $0.pair.quote.amount($0.total) : nil
        }
        Field(
            json: "mean",
            "At pools: the price that the mean has to be inside, or null and why in `reason`; "
                + "else null",
            Shape.object([
                .init("price", Shape.price.orNull, "The mean's price"),
                .init("poolNames", .list(.text), "The pools"),
                .init("reason", Shape.text.orNull, "Why there is none"),
                .init("seconds", .count, "Over how long"),
            ]).orNull
        ) { plan in plan.mean.map { mean($0, plan) } ?? .null }
    }

    /// The price that the mean has to be inside, or why there is none.
    private static func mean(_ mean: PoolReading.Mean, _ plan: GuardPlan) -> JSONValue {
        var object = JSONObject()
        switch mean {
        case .known(let mean):
            let price = plan.guardOrder.side == .buy ? mean.ask : mean.bid
            object["price"] = JSONFormat.text(price.map { NumberText.price($0, plan.pair) })
            object["poolNames"] = .array(mean.sources.map { .string($0) })
            object["reason"] = .null
        case .missing(let reason):
            object["price"] = .null
            object["poolNames"] = .array([])
            object["reason"] = .string(reason)
        }
        object["seconds"] = .number("\(PoolMean.seconds)")
        return .object(object)
    }

    /// One line of `dex guard run`.
    package static func report(_ report: GuardReport) -> JSONValue {
        let word: String
        var about: JournalGuard?
        var reason: String?
        var details: JSONValue = .null
        switch report {
        case .begun: word = "begun"
        case .reached(let guardOrder, _, _): (word, about) = ("reached", guardOrder)
        case .held(let guardOrder, let text): (word, about, reason) = ("held", guardOrder, text)
        case .firing(let guardOrder, let plan):
            (word, about, details) = ("firing", guardOrder, TradeJSON.plan(plan))
        case .fired(let guardOrder, let outcome):
            (word, about, details) = ("fired", guardOrder, TradeJSON.outcome(outcome))
        case .failed(let guardOrder, let error, let waitsAgain):
            (word, about, reason) = (
                waitsAgain ? "waits-again" : "failed", guardOrder, error.message
            )
        case .failing(let error): (word, reason) = ("failing", error.message)
        case .recovered: word = "recovered"
        }
        return [
            "event": .string(word),
            "guard": about.map { guardOrder($0) } ?? .null,
            "reason": JSONFormat.text(reason),
            "trade": details,
        ]
    }

    /// A line of `dex guard run`.
    package static let reported = Shape.object([
        .init(
            "event",
            .words([
                "begun", "reached", "held", "firing", "fired", "waits-again", "failed", "failing",
                "recovered",
            ]),
            "What happened"
        ),
        .init("guard", guardOrder.shape.orNull, "The guard, or null"),
        .init("reason", Shape.text.orNull, "Why, or null"),
        .init(
            "trade",
            TradeAnswer.trade.orNull,
            "Of `firing` as `market-sell` plans it, of `fired` as it reports it; else null"
        ),
    ])
}
