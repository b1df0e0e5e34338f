package import DexCore
import DexSigning
import Ethereum

/// Shows all that is signed as typed data, then what the signature allows.
package typealias TypedDataView = StateView<TypedDataState>

extension StateView<TypedDataState> {
    package func lines(_ screen: Screen) -> [String] {
        var facts = KeyValueList()
        facts.add("asked by", state.origin.map { PlainText.site($0) })
        facts.add("account", TypedDataText.label(state.account, state.accountName))
        facts.add("network", "\(TerminalText.clean(state.network)), chain \(state.chainID)")
        facts.add("digest", state.data.digest.hex)
        var values = TypedDataLines(screen: screen)
        values.add("Domain", state.domain)
        values.add("Message", [TypedDataText.type(state.data.primaryType)] + state.message)
        let warnings = MoneyText.warnings(state.warnings, screen)
        let parts = [
            facts.lines(screen), values.lines, warnings, TypedDataText.summary(state, screen),
        ]
        return screen.title(TypedDataText.title(state))
            + parts.filter { !$0.isEmpty }.flatMap { [""] + $0 }
    }

    /// The question repeats what is allowed.
    package var question: PlanQuestion {
        PlanQuestion(
            TypedDataText.question(state),
            word: state.blindWord,
            reason: PlanQuestion.blindReason
        )
    }
}

/// The sentences of typed data.
enum TypedDataText {
    /// The kind, in words of our own: nothing of the message.
    static func title(_ state: TypedDataState) -> String {
        let unread = state.isBlind ? ": moves tokens, unknown how" : ""
        switch state.kind {
        case .permit: return "Signs a permit: an allowance in a token"
        case .permit2Allowance: return "Signs an allowance in Permit2"
        case .permit2Transfer: return "Signs a transfer by Permit2"
        case .transferAuthorization: return "Signs a transfer of a token (EIP-3009)"
        case .cancelAuthorization: return "Takes a signed transfer of a token back (EIP-3009)"
        case .limitOrder: return "Signs a limit order of 0x v4"
        case .rfqOrder: return "Signs an RFQ order of 0x v4"
        case .seaportOrder: return "Signs an order of Seaport"
        case .exchangeOrder: return "Signs an order of an exchange" + unread
        case .metaTransaction: return "Signs a meta-transaction of 0x" + unread
        case .relayedCall: return "Signs a call that another account sends" + unread
        case .movesTokens: return "Signs typed data" + unread
        case .unknown: return "Signs typed data of an unknown kind"
        }
    }

    /// The name of the struct, which is a text of the message like any other.
    static func type(_ name: String) -> TypedDataNode {
        TypedDataNode(name: "(type)", type: "", content: .value(.string(name), nil))
    }

    /// What is allowed, right above the question.
    static func summary(_ state: TypedDataState, _ screen: Screen) -> [String] {
        var facts = KeyValueList()
        if let grant = state.grant {
            facts.add("allows", sentence(grant, state, screen))
            for share in state.shares where share.amount > .zero && grant.receives == nil {
                facts.add("takes", line(share))
            }
        } else if let order = state.order {
            for item in order.gives { facts.add("gives", text(item, state)) }
            for item in order.gets {
                let who = item.recipient == order.offerer ? nil : item.recipient
                let to = who.map { ", to \($0.checksummed)" } ?? ""
                facts.add(who == nil ? "gets" : "pays", text(item, state) + to)
            }
            facts.add("until", until(order.end, screen))
        }
        return facts.lines(screen)
    }

    /// What it allows: `0x… to take up to 100 DAI of alice, once, until 2026-12-01 …`.
    static func sentence(_ grant: TypedGrant, _ state: TypedDataState, _ screen: Screen) -> String {
        let owner = grant.owner ?? state.account
        let name = owner == state.account ? state.accountName : nil
        let who = name.map { TerminalText.clean($0) } ?? owner.checksummed
        let time = until(grant.deadline, screen)
        if let receives = grant.receives {
            let taker = receives.taker?.checksummed ?? "anyone"
            return "\(taker) to take up to \(amounts(state)) of \(who) for "
                + "\(amount(receives.amount, of: receives.token, state)), or a part at the same "
                + "price, \(time)"
        }
        let spender = label(grant.spender, state.spenderName)
        guard state.shares.contains(where: { $0.amount > .zero }) else {
            return "\(spender) to take nothing more: \(amounts(state)) of \(who)"
        }
        if grant.kind == .transferAuthorization {
            return "anyone to send \(amounts(state)) of \(who) to \(spender), once, \(time)"
        }
        let head = "\(spender) to take up to \(amounts(state)) of \(who)"
        switch grant.kind {
        case .permit:
            return "\(head), until the allowance is revoked. The signature can be submitted \(time)"
        case .permit2Allowance:
            let ends = Set(grant.parts.compactMap(\.expires))
            let last = ends.max().map { until($0, screen) } ?? time
            return "\(head) \(last)"
        default: return "\(head), once, \(time)"
        }
    }

    /// The question: `Allow 0xAbC…123 to take up to 100 DAI`, with its mark.
    static func question(_ state: TypedDataState) -> String {
        if let order = state.order {
            let gets = order.ownGets.map { text($0, state) }
            return "Give \(joined(order.gives.map { text($0, state) })) for \(joined(gets))?"
        }
        guard let grant = state.grant else { return "Sign this?" }
        if let receives = grant.receives {
            return "Sell \(amounts(state)) for "
                + "\(amount(receives.amount, of: receives.token, state))?"
        }
        guard state.shares.contains(where: { $0.amount > .zero }) else { return "Sign this?" }
        let spender = state.spenderName.map { TerminalText.clean($0) } ?? grant.spender.shortened
        if grant.kind == .transferAuthorization {
            return "Allow \(amounts(state)) to be sent to \(spender)?"
        }
        return "Allow \(spender) to take up to \(amounts(state))?"
    }

    /// `alice (0x…)`, or the address alone.
    static func label(_ address: Address, _ name: String?) -> String {
        name.map { "\(TerminalText.clean($0)) (\(address.checksummed))" } ?? address.checksummed
    }

    private static func until(_ time: UInt256, _ screen: Screen) -> String {
        let text = TimeText.zoned(time, screen)
        return text == "never" ? "at any time" : "until \(text)"
    }

    // MARK: Amounts

    /// The most that a sentence lists; every token has a line of its own.
    private static let maximumParts = 4

    /// The sums of the tokens, the most dangerous first.
    private static func amounts(_ state: TypedDataState) -> String {
        joined(
            state.shares.map { share in
                share.isUnlimited
                    ? "ALL \(name(of: share.token))" : amount(share.amount, share.token)
            }
        )
    }

    private static func joined(_ all: [String]) -> String {
        var texts = Array(all.prefix(maximumParts))
        if all.count > texts.count {
            texts.append(NumberText.count(all.count - texts.count, "more token"))
        }
        guard let last = texts.popLast() else { return "nothing" }
        return texts.isEmpty ? last : "\(texts.joined(separator: ", ")) and \(last)"
    }

    /// `100 DAI, 12.5 % of the balance of 800 DAI`, with the number of parts.
    private static func line(_ share: TypedDataShare) -> String {
        let what =
            share.isUnlimited ? "ALL \(name(of: share.token))" : amount(share.amount, share.token)
        let sum = share.parts > 1 ? ", the sum of \(share.parts) parts" : ""
        switch share.balance {
        case .known(let held):
            let balance = "the balance of \(amount(held, share.token))"
            if share.isUnlimited { return "\(what)\(sum), now and later: UNLIMITED, \(balance)" }
            if share.isAllHeld { return "\(what)\(sum): ALL of \(balance)" }
            guard let permille = share.permille else { return "\(what)\(sum), of \(balance)" }
            return "\(what)\(sum), \(permille / 10).\(permille % 10) % of \(balance)"
        case .unread: return "\(what)\(sum); the balance could not be read"
        case .notAsked: return "\(what)\(sum); the balance was not read: no node is set"
        }
    }

    private static func text(_ item: SeaportOrder.Item, _ state: TypedDataState) -> String {
        switch item.asset {
        case .coin: state.coin.amount(Wei(item.amount))
        case .token(let address): amount(item.amount, of: address, state)
        case .item(let address, let id):
            "\(item.amount) of item \(id) of the collection \(address.checksummed)"
        }
    }

    private static func amount(
        _ raw: UInt256,
        of token: Address,
        _ state: TypedDataState
    ) -> String {
        guard let known = state.tokens[token] else {
            return "\(raw) base units of \(token.checksummed)"
        }
        return amount(raw, known)
    }

    private static func amount(_ raw: UInt256, _ token: Token) -> String {
        token.decimals == nil
            ? "\(raw) base units of \(token.address.checksummed)" : NumberText.amount(raw, token)
    }

    private static func name(of token: Token) -> String {
        token.decimals == nil
            ? "tokens of \(token.address.checksummed)" : PlainText.name(token.symbol)
    }
}

/// The values of typed data, one a line behind the margin, indented like the structs that hold them.
private struct TypedDataLines {
    let screen: Screen
    private(set) var lines: [String] = []

    init(screen: Screen) { self.screen = screen }

    /// A tree with a name of our own.
    mutating func add(_ name: String, _ nodes: [TypedDataNode]) {
        if !lines.isEmpty { lines.append("") }
        lines.append(screen.style.paint(name, .bold))
        add(nodes, indent: 1)
    }

    private mutating func add(_ nodes: [TypedDataNode], indent: Int) {
        let width = nodes.map { $0.name.utf8.count }.max() ?? 0
        for node in nodes {
            switch node.content {
            case .members(let inner):
                let isEmpty = inner.isEmpty ? "  (empty)" : ""
                lines += ForeignText.lines(node.name + isEmpty, indent: indent, screen)
                add(inner, indent: indent + 2)
            case .value(let value, let meaning):
                let gap = String(repeating: " ", count: width - node.name.utf8.count + 2)
                lines += ForeignText.lines(
                    node.name + gap + text(value, meaning),
                    indent: indent,
                    hanging: width + 2,
                    screen
                )
            }
        }
    }

    private func text(_ value: ABIValue, _ meaning: TypedDataNode.Meaning?) -> String {
        if case .string(let text) = value { return PlainText.quoted(text) }
        let text = TerminalText.clean(ABIText.format(value))
        switch (meaning, value) {
        case (nil, _): return text
        case (.name(let name)?, _): return "\(text) (\(TerminalText.clean(name)))"
        case (.amount(let token, let isUnlimited)?, .uint(let raw)):
            let shown =
                isUnlimited
                ? "ALL \(PlainText.name(token.symbol))" : NumberText.amount(raw, token)
            return token.decimals == nil ? text : "\(shown) (\(text))"
        case (.time?, .uint(let seconds)):
            return "\(TimeText.zoned(seconds, screen)) (\(text))"
        default: return text
        }
    }
}
