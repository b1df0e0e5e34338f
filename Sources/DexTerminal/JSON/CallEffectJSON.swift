import DexCore
import Ethereum
import StrictJSON

/// The `effects` of a call's plan: what its data do, and the calls inside of it.
enum CallEffectJSON {
    static func list(_ review: CallReview) -> JSONValue {
        list(review.effects.list, review.tokens, review.coin)
    }

    static func list(
        _ effects: [CallEffect],
        _ tokens: [Address: Token],
        _ coin: CoinSymbol
    ) -> JSONValue {
        .list(effects) { effect in
            var object = JSONObject()
            object["kind"] = .string(kind(effect.action))
            object["function"] = JSONFormat.text(effect.function)
            object["contract"] = effect.contract.map { JSONFormat.address($0) } ?? .null
            object["inside"] = inside(effect.place)
            object["byte"] = byte(effect.place)
            switch effect.action {
            case .move(let raw, let owner, let to):
                object["amount"] = amount(raw, effect, tokens)
                object["owner"] = JSONFormat.address(owner)
                object["to"] = JSONFormat.address(to)
            case .moveItems(let owner, let to):
                object["owner"] = JSONFormat.address(owner)
                object["to"] = JSONFormat.address(to)
            case .allow(let raw, let owner, let spender, let until):
                object["amount"] = amount(raw, effect, tokens)
                object["owner"] = JSONFormat.address(owner)
                object["spender"] = JSONFormat.address(spender)
                object["expires"] = until.map { JSONFormat.integer($0) } ?? .null
            case .raise(let raw, let owner, let spender), .lower(let raw, let owner, let spender),
                .lend(let raw, let owner, let spender):
                object["amount"] = amount(raw, effect, tokens)
                object["owner"] = JSONFormat.address(owner)
                object["spender"] = JSONFormat.address(spender)
            case .operate(let owner, let spender, let isAllowed):
                object["owner"] = JSONFormat.address(owner)
                object["spender"] = JSONFormat.address(spender)
                object["allowed"] = .bool(isAllowed)
            case .control(let control, let by):
                object["control"] = .string(control.rawValue)
                object["to"] = by.map { JSONFormat.address($0) } ?? .null
            case .ether(let raw, let to):
                object["amount"] = JSONFormat.ether(Wei(raw), coin)
                object["to"] = JSONFormat.address(to)
            case .unread, .nothing: break
            }
            return .object(object)
        }
    }

    private static func kind(_ action: CallEffect.Action) -> String {
        switch action {
        case .move: "move"
        case .moveItems: "move-items"
        case .allow: "allow"
        case .raise: "raise"
        case .lower: "lower"
        case .operate: "operator"
        case .lend: "lend"
        case .control: "control"
        case .ether: "ether"
        case .unread: "unread"
        case .nothing: "none"
        }
    }

    private static func inside(_ place: CallEffect.Place) -> JSONValue {
        guard case .inside(let path) = place else { return .null }
        return .string(path.map { String($0) }.joined(separator: "."))
    }

    private static func byte(_ place: CallEffect.Place) -> JSONValue {
        guard case .found(let byte) = place else { return .null }
        return JSONFormat.integer(UInt64(byte))
    }

    /// null where the data do not say of which token.
    private static func amount(
        _ raw: UInt256,
        _ effect: CallEffect,
        _ tokens: [Address: Token]
    ) -> JSONValue {
        guard let token = effect.token else { return .null }
        let known = tokens[token]
        return JSONFormat.amount(
            raw,
            known ?? Token(address: token, symbol: token.checksummed, name: "", decimals: nil)
        )
    }
}
