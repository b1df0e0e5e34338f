package import DexCore
package import DexStore
package import StrictJSON
import ZeroEx

/// The JSON of `dex guard`.
package enum GuardJSON {
    package static func made(_ made: JournalGuard) -> JSONValue {
        .object(object(made))
    }

    package static func list(_ guards: [JournalGuard]) -> JSONValue {
        ["guards": .array(guards.map(self.made))]
    }

    package static func plan(_ plan: GuardPlan) -> JSONValue {
        var object = object(plan.made)
        object["now"] = JSONFormat.text(plan.now.map { NumberText.price($0, plan.pair) })
        object["block"] = JSONFormat.integer(plan.block)
        let total = JSONFormat.amount(plan.total, plan.pair.quote)
        object["receiveMin"] = plan.made.side == .sell ? total : .null
        object["payMax"] = plan.made.side == .buy ? total : .null
        object["mean"] = plan.mean.map { mean($0, plan) } ?? .null
        return ["plan": .object(object)]
    }

    /// The price that the mean has to be inside, or why there is none.
    private static func mean(_ mean: PoolReading.Mean, _ plan: GuardPlan) -> JSONValue {
        var object = JSONObject()
        switch mean {
        case .known(let mean):
            let price = plan.made.side == .buy ? mean.ask : mean.bid
            object["price"] = JSONFormat.text(price.map { NumberText.price($0, plan.pair) })
            object["sources"] = .array(mean.sources.map { .string($0) })
            object["missing"] = .null
        case .missing(let reason):
            object["price"] = .null
            object["sources"] = .array([])
            object["missing"] = .string(reason)
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
        case .reached(let made, _, _): (word, about) = ("reached", made)
        case .held(let made, let text): (word, about, reason) = ("held", made, text)
        case .firing(let made, let plan):
            (word, about, details) = ("firing", made, TradeJSON.plan(plan))
        case .fired(let made, let outcome):
            (word, about, details) = ("fired", made, TradeJSON.outcome(outcome))
        case .failed(let made, let error, let waitsAgain):
            (word, about, reason) = (waitsAgain ? "waits-again" : "failed", made, error.message)
        case .failing(let error): (word, reason) = ("failing", error.message)
        case .recovered: word = "recovered"
        }
        return [
            "event": .string(word),
            "guard": about.map(made) ?? .null,
            "reason": JSONFormat.text(reason),
            "trade": details,
        ]
    }

    private static func object(_ made: JournalGuard) -> JSONObject {
        let state: String
        var exit: Int32?
        switch made.state {
        case .waiting: state = "waiting"
        case .firing: state = "firing"
        case .interrupted: state = "interrupted"
        case .ended(let code): (state, exit) = ("ended", code)
        }
        var object = JSONObject()
        // Before it is in the journal it has no number.
        object["id"] = made.id == 0 ? .null : .number("\(made.id)")
        object["state"] = .string(state)
        // Only a waiting guard needs somebody to watch.
        object["watched"] = made.state == .waiting ? .bool(made.isWatched) : .null
        object["exitCode"] = exit.map { .number("\($0)") } ?? .null
        object["venue"] = .string(made.isAtPools ? "pools" : "book")
        object["account"] = JSONFormat.address(made.account)
        object["side"] = .string(made.side.rawValue)
        object["pair"] = JSONFormat.text(made.pairName)
        object["base"] = JSONFormat.address(made.pair.base)
        object["quote"] = JSONFormat.address(made.pair.quote)
        object["amount"] = .string(made.amount)
        object["trigger"] = .string(made.trigger.rawValue)
        object["price"] = .string(made.price)
        object["slippage"] = .string(NumberText.percent(basisPoints: made.slippage))
        object["limit"] = .string(made.limit)
        object["created"] = JSONFormat.integer(made.created)
        object["expires"] = JSONFormat.integer(made.expires)
        object["confirmed"] = made.id == 0 ? .null : .bool(made.isConfirmed)
        object["neverFires"] = JSONFormat.text(made.neverFires)
        return object
    }
}
