package import DexCore
import DexSigning
import Ethereum

/// Shows what a signature of typed data allows, then all that is signed.
package typealias TypedDataView = StateView<TypedDataState>

extension StateView<TypedDataState> {
    /// The most lines of values; a longer message is cut, and says so.
    private static let mostLines = 400

    package func lines(_ screen: Screen) -> [String] {
        let title = state.grant.map { TypedDataText.sentence($0, state, screen) }
        var lines = screen.title(title ?? TypedDataText.unknown(state))
        var facts = KeyValueList()
        facts.add("asked by", state.origin.map { TerminalText.clean($0) })
        facts.add("account", TypedDataText.label(state.account, state.accountName))
        facts.add("network", "\(TerminalText.clean(state.network)), chain \(state.chainID)")
        facts.add("digest", state.data.digest.hex)
        lines += [""] + facts.lines(screen)
        var values = TypedDataLines(screen: screen, most: Self.mostLines)
        values.add("domain", state.domain)
        values.add(TerminalText.clean(state.data.primaryType), state.message)
        lines += [""] + values.finished()
        let warnings = MoneyText.warnings(state.warnings, screen)
        return lines + (warnings.isEmpty ? [] : [""] + warnings)
    }

    /// The question repeats what is allowed.
    package var question: PlanQuestion {
        guard let grant = state.grant else { return PlanQuestion("Sign this?") }
        return PlanQuestion(TypedDataText.question(grant, state))
    }
}

/// The sentences of typed data.
enum TypedDataText {
    /// What it allows: `Allows 0x… to take up to 100 DAI of alice, once, until 2026-12-01 …`.
    static func sentence(_ grant: TypedGrant, _ state: TypedDataState, _ screen: Screen) -> String {
        let owner = grant.owner ?? state.account
        let name = owner == state.account ? state.accountName : nil
        let who = name.map { TerminalText.clean($0) } ?? owner.checksummed
        let time = until(grant.deadline, screen)
        if let receives = grant.receives {
            let taker = receives.taker?.checksummed ?? "anyone"
            return "Allows \(taker) to take up to \(amounts(grant, state)) of \(who) for "
                + "\(amount(receives.amount, of: receives.token, state)), or a part at the same "
                + "price, \(time)."
        }
        let spender = label(grant.spender, state.spenderName)
        guard grant.parts.contains(where: { $0.amount > .zero }) else {
            return "Ends what \(spender) may take: \(amounts(grant, state)) of \(who)."
        }
        let head = "Allows \(spender) to take up to \(amounts(grant, state)) of \(who)"
        switch grant.kind {
        case .permit:
            return
                "\(head), until the allowance is revoked. The signature can be submitted \(time)."
        case .permit2Allowance:
            let ends = Set(grant.parts.compactMap(\.expires))
            let last = ends.max().map { until($0, screen) } ?? time
            return "\(head) \(last)."
        case .permit2Transfer, .transferAuthorization, .limitOrder, .rfqOrder:
            return "\(head), once, \(time)."
        }
    }

    /// The question: `Allow 0xAbC…123 to take up to 100 DAI`, with its mark.
    static func question(_ grant: TypedGrant, _ state: TypedDataState) -> String {
        if let receives = grant.receives {
            return "Sell \(amounts(grant, state)) for "
                + "\(amount(receives.amount, of: receives.token, state))?"
        }
        guard grant.parts.contains(where: { $0.amount > .zero }) else { return "Sign this?" }
        let spender = state.spenderName.map { TerminalText.clean($0) }
        return "Allow \(spender ?? grant.spender.shortened) to take up to "
            + "\(amounts(grant, state))?"
    }

    static func unknown(_ state: TypedDataState) -> String {
        let name = state.data.domain.name.map { " for \"\(TerminalText.clean($0))\"" } ?? ""
        return "Signs \(TerminalText.clean(state.data.primaryType))\(name)."
    }

    /// `alice (0x…)`, or the address alone.
    static func label(_ address: Address, _ name: String?) -> String {
        name.map { "\(TerminalText.clean($0)) (\(address.checksummed))" } ?? address.checksummed
    }

    private static func until(_ time: UInt256, _ screen: Screen) -> String {
        let text = TimeText.zoned(time, screen)
        return text == "never" ? "at any time" : "until \(text)"
    }

    /// The most that a sentence lists; the tree has all.
    private static let mostParts = 5

    private static func amounts(_ grant: TypedGrant, _ state: TypedDataState) -> String {
        var texts = grant.parts.prefix(mostParts).map { part in
            part.isUnlimited
                ? "ALL \(name(of: part.token, state))" : amount(part.amount, of: part.token, state)
        }
        let more = grant.parts.count - texts.count
        if more > 0 { texts.append("\(more) more") }
        guard let last = texts.popLast() else { return "nothing" }
        return texts.isEmpty ? last : "\(texts.joined(separator: ", ")) and \(last)"
    }

    private static func amount(
        _ raw: UInt256,
        of token: Address,
        _ state: TypedDataState
    ) -> String {
        guard let known = state.tokens[token] else {
            return "\(raw) base units of \(token.checksummed)"
        }
        return NumberText.amount(raw, known)
    }

    private static func name(of token: Address, _ state: TypedDataState) -> String {
        state.tokens[token].map { TerminalText.clean($0.symbol) }
            ?? "tokens of \(token.checksummed)"
    }
}

/// The values of typed data, one a line, indented like the structs that hold them.
private struct TypedDataLines {
    let screen: Screen
    let most: Int
    private var lines: [String] = []
    private var left = 0

    init(screen: Screen, most: Int) {
        self.screen = screen
        self.most = most
    }

    /// A tree with its name.
    mutating func add(_ name: String, _ nodes: [TypedDataNode]) {
        add(screen.style.paint(name, .bold), nodes, indent: 0)
    }

    func finished() -> [String] {
        guard left > 0 else { return lines }
        return lines
            + screen.warning("\(left) more values are signed. Read them all before you sign.")
    }

    private mutating func add(_ head: String, _ nodes: [TypedDataNode], indent: Int) {
        guard lines.count < most else {
            left += 1 + nodes.count
            return
        }
        lines.append(String(repeating: " ", count: indent) + head)
        let names = nodes.map { TerminalText.clean($0.name) }
        let width = names.map { TerminalText.width(of: $0) }.max() ?? 0
        for (node, name) in zip(nodes, names) {
            switch node.content {
            case .members(let inner) where inner.isEmpty:
                add(screen.style.paint(name, .dim) + "  (empty)", [], indent: indent + 2)
            case .members(let inner):
                add(screen.style.paint(name, .dim), inner, indent: indent + 2)
            case .value(let value, let meaning):
                let gap = String(repeating: " ", count: width - TerminalText.width(of: name))
                add(
                    screen.style.paint(name, .dim) + gap,
                    indent: indent + 2,
                    room: width,
                    text(value, meaning)
                )
            }
        }
    }

    private mutating func add(_ label: String, indent: Int, room: Int, _ text: String) {
        let margin = indent + room + 2
        let columns = max(16, screen.width - margin)
        for (index, part) in Self.broken(text, width: columns).enumerated() {
            guard lines.count < most else {
                left += 1
                return
            }
            let start = String(repeating: " ", count: index == 0 ? indent : margin)
            lines.append(start + (index == 0 ? "\(label)  " : "") + part)
        }
    }

    /// Wrapped at spaces, and long words broken, since call data may have any length.
    private static func broken(_ text: String, width: Int) -> [String] {
        TerminalText.wrap(text, width: width).flatMap { line -> [String] in
            guard line.utf8.count > width, line.utf8.allSatisfy({ $0 < 0x80 }),
                line.utf8.count > 66
            else { return [line] }
            let bytes = Array(line.utf8)
            return stride(from: 0, to: bytes.count, by: width).map { start in
                String(decoding: bytes[start..<min(start + width, bytes.count)], as: UTF8.self)
            }
        }
    }

    private func text(_ value: ABIValue, _ meaning: TypedDataNode.Meaning?) -> String {
        let text = TerminalText.clean(ABIText.format(value))
        switch (meaning, value) {
        case (nil, _): return text
        case (.name(let name)?, _): return "\(text) (\(TerminalText.clean(name)))"
        case (.amount(let token, let isUnlimited)?, .uint(let raw)):
            let shown =
                isUnlimited
                ? "ALL \(TerminalText.clean(token.symbol))" : NumberText.amount(raw, token)
            return token.decimals == nil ? text : "\(shown) (\(text))"
        case (.time?, .uint(let seconds)):
            return "\(TimeText.zoned(seconds, screen)) (\(text))"
        default: return text
        }
    }
}
