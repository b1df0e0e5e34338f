package import DexCore
package import Ethereum
import ZeroEx

extension NumberText {
    /// The exact amount of a coin or a token with its symbol.
    package static func amount(_ raw: UInt256, _ asset: Currency) -> String {
        switch asset {
        case .coin(let coin): coin.amount(Wei(raw))
        case .token(let token): amount(raw, token)
        }
    }

    /// `37813 at up to 2 gwei, no tip`.
    ///
    /// - Parameters:
    ///   - maximum: wei per unit of gas.
    ///   - tip: wei per unit of gas; nil on a chain without a base fee.
    static func gas(_ limit: UInt64, at maximum: Wei, tip: Wei?) -> String {
        let price = "\(limit) at up to \(gwei(maximum))"
        guard let tip else { return price }
        return price + (tip == .zero ? ", no tip" : ", tip \(gwei(tip))")
    }

    /// An allowance with the token's symbol.
    package static func allowance(_ raw: UInt256, _ token: Token) -> String {
        isUnlimited(raw) ? "unlimited" : amount(raw, token)
    }

    /// An allowance in a table that names the token elsewhere.
    static func bareAllowance(_ raw: UInt256, _ token: Token) -> String {
        isUnlimited(raw) ? "unlimited" : DecimalText.format(raw, decimals: token.decimals ?? 0)
    }

    /// The same for a list, rounded; exact with `--verbose`.
    static func listAllowance(_ raw: UInt256, _ token: Token, _ screen: Screen) -> String {
        isUnlimited(raw) || screen.isVerbose
            ? bareAllowance(raw, token) : listValue(raw, token.decimals)
    }

    /// An amount of a list, rounded; exact with `--verbose`.
    static func listValue(_ raw: UInt256, _ decimals: UInt8?, _ screen: Screen) -> String {
        guard screen.isVerbose, let decimals else { return listValue(raw, decimals) }
        return DecimalText.format(raw, decimals: decimals)
    }

    static func price(_ price: Price, _ pair: Pair) -> String {
        self.price(price, base: pair.base, quote: pair.quote)
    }

    /// `~0.3753 WETH (max 0.3791)`, `0.3753 WETH` if it cannot be more.
    static func expected(_ raw: UInt256, maximum: UInt256, _ token: Token) -> String {
        let text = brief(raw, token, .up)
        return maximum == raw ? text : "~\(text) (max \(briefValue(maximum, token.decimals, .up)))"
    }

    /// `~100 ZRX (min 99.9)`, `100 ZRX` if it cannot be less.
    static func expected(_ raw: UInt256, minimum: UInt256, _ token: Token) -> String {
        let text = brief(raw, token, .down)
        return minimum == raw
            ? text : "~\(text) (min \(briefValue(minimum, token.decimals, .down)))"
    }

    /// `5 -> 1.97`, with the least it may become if that differs.
    static func change(_ balance: PlannedBalance) -> String {
        let text = { (raw: UInt256?) in
            raw.map { briefValue($0, balance.currency.decimals, .down) } ?? UnknownText.word
        }
        guard balance.before != nil else { return UnknownText.word }
        let change = "\(text(balance.before)) -> \(text(balance.after))"
        guard balance.minimum != balance.after else { return change }
        return "\(change) (min \(text(balance.minimum)))"
    }

    /// `100 -> 90 once filled, 80 with your other orders`; of ether, which pays for gas, as `change`.
    static func onceFilled(_ balance: PlannedBalance) -> String {
        guard balance.currency.token != nil, balance.before != nil else { return change(balance) }
        let text = { (raw: UInt256?) in
            raw.map { briefValue($0, balance.currency.decimals, .down) } ?? UnknownText.word
        }
        let change = "\(text(balance.before)) -> \(text(balance.after)) once filled"
        guard balance.minimum != balance.after else { return change }
        return "\(change), \(text(balance.minimum)) with your other orders"
    }

    /// `0.0076 WETH per ZRX`.
    static func unitPrice(_ price: Price, _ pair: Pair) -> String {
        let unit = PlainText.name(pair.quote.symbol)
        return "\(self.price(price, pair)) \(unit) per \(PlainText.name(pair.base.symbol))"
    }

    /// Wallets call half of the maximum number and more unlimited.
    package static func isUnlimited(_ allowance: UInt256) -> Bool {
        allowance >= UInt256(1) << 255
    }
}

/// Texts that all commands that move money share.
enum MoneyText {
    /// The first line of an outcome.
    ///
    /// - Parameters:
    ///   - done: for success.
    ///   - less: for a mined transaction with less than planned.
    ///   - nothing: the missing effect of a reverted one.
    static func headline(
        _ ending: Ending,
        _ last: SentTransaction?,
        done: String,
        less: String,
        nothing: String
    ) -> String {
        switch ending {
        case .done: done
        case .less: less
        case .reverted: "Mined and reverted: \(nothing)"
        case .notMinedYet:
            switch last {
            case let last? where last.block != nil: "Mined, not confirmed yet"
            case let last? where last.declined != nil: "No node took it"
            default: "Sent, not mined yet"
            }
        case .replacedOrDropped: "Replaced or dropped"
        }
    }

    /// An order's terms: `sell 10 ZRX at 0.0012 WETH per ZRX`.
    ///
    /// - Parameter base: what is bought or sold of BASE.
    static func terms(_ side: TradeSide, _ base: TokenAmount, _ price: Price, _ pair: Pair)
        -> String
    {
        let verb = side == .buy ? "buy" : "sell"
        return "\(verb) \(NumberText.amount(base)) at \(NumberText.unitPrice(price, pair))"
    }

    static func terms(_ plan: LimitPlan) -> String {
        terms(plan.side, plan.base, plan.price, plan.pair)
    }

    /// The same words as the start of a sentence.
    static func capitalized(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }

    /// A sentence behind a colon: without its full stop, in small letters.
    static func uncapitalized(_ text: String) -> String {
        text.prefix(1).lowercased() + text.dropFirst().dropLast(text.hasSuffix(".") ? 1 : 0)
    }

    static func warnings(_ warnings: [String], _ screen: Screen) -> [String] {
        warnings.flatMap { screen.warning($0) }
    }
}
