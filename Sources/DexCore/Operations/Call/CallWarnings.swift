import DexSigning
import Ethereum
import ZeroEx

/// The sentences about what a call does.
struct CallWarnings {
    let account: Address
    let effects: CallEffects
    /// The tokens of the effects.
    let tokens: [Address: Token]
    /// Of the account, by token; nil where it could not be read.
    let balances: [Address: UInt256?]
    let stakes: CallStakes?
    let known: KnownAddresses
    let names: ContractNames

    /// All warnings: about the data, then the effects, the most dangerous first.
    var all: [String] {
        data + ordered.compactMap(warning) + lookAlikes + unread
    }

    /// Effects that take or allow everything, then those of an unknown balance, then by their share
    /// of the balance; equal ones in the order of the calls.
    private var ordered: [CallEffect] {
        effects.list.enumerated()
            .map { (danger: danger($0.element), index: $0.offset, effect: $0.element) }
            .sorted {
                ($0.danger.rank, $1.danger.share, $0.index) < (
                    $1.danger.rank, $0.danger.share, $1.index
                )
            }
            .map(\.effect)
    }

    /// - Returns: 0 for everything, 1 for an unknown part, 2 for a part in millionths of the
    ///   balance, 3 for the rest.
    private func danger(_ effect: CallEffect) -> (rank: Int, share: UInt64) {
        let raw: UInt256
        let owner: Address
        switch effect.action {
        case .move(let amount, let from, _), .allow(let amount, let from, _, _),
            .raise(let amount, let from, _), .lend(let amount, let from, _):
            (raw, owner) = (amount, from)
        case .moveItems, .operate(_, _, true), .control: return (0, 0)
        case .lower, .ether, .unread, .nothing, .operate: return (3, 0)
        }
        if raw == .zero { return (3, 0) }
        if TypedGrant.isUnlimited(raw) { return (0, 0) }
        guard owner == account else { return (3, 0) }
        guard let token = effect.token, let read = balances[token], let balance = read else {
            return (1, 0)
        }
        guard raw < balance else { return (balance == .zero ? 3 : 0, 0) }
        return (2, UInt256.mulDiv(raw, 1_000_000, balance)?.quotient.uint64 ?? 0)
    }

    // MARK: The data

    private var data: [String] {
        var lines: [String] = []
        if effects.extraBytes > 0 {
            lines.append(
                "BYTES FOLLOW: \(effects.extraBytes) behind the arguments of "
                    + "\(function). Contracts ignore them; all data are shown."
            )
        }
        if effects.missingBytes > 0 {
            lines.append(
                "BYTES ARE MISSING: \(effects.missingBytes) of the arguments of \(function). "
                    + "Contracts read zeros, or refuse."
            )
        }
        if effects.isDirty {
            lines.append(
                "A VALUE IS TOO WIDE for its type. Contracts cut it off as shown here, or refuse."
            )
        }
        if effects.isIrregular {
            lines.append(
                "THE DATA ARE NOT IN THE USUAL ENCODING of \(function). All of them are shown."
            )
        }
        return lines
    }

    private var function: String {
        effects.signature.map(\.function.name) ?? "the function"
    }

    // MARK: Effects

    private func warning(_ effect: CallEffect) -> String? {
        let place: String
        switch effect.place {
        case .call: place = ""
        case .inside(let path):
            place = "CALL \(path.map { String($0) }.joined(separator: ".")) INSIDE: "
        case .found(let byte): place = "HIDDEN IN THE DATA AT BYTE \(byte): "
        }
        return sentence(effect).map { place + $0 }
    }

    private func sentence(_ effect: CallEffect) -> String? {
        switch effect.action {
        case .move(let raw, let owner, let to):
            let what = text(raw, effect.token, owner, isAll: raw == .max)
            if effect.function.hasPrefix("transfer(address,uint256)"), owner == account {
                return "It sends \(what) to \(label(to)); `dex send` does the same and checks the "
                    + "recipient." + share(raw, effect.token, owner)
            }
            guard effect.contract != to || owner != account else {
                return "It pays up to \(what)." + share(raw, effect.token, owner)
            }
            return "IT MOVES \(what) of \(label(owner)) to \(label(to))."
                + share(raw, effect.token, owner)
        case .moveItems(let owner, let to):
            return "IT MOVES ITEMS of \(place(effect)) of \(label(owner)) to \(label(to))."
        case .allow(let raw, let owner, let spender, _):
            guard raw > .zero else { return nil }
            let via = effect.token == effect.contract ? "" : " through \(place(effect))"
            return "IT APPROVES: \(label(spender)) may then move "
                + "\(text(raw, effect.token, owner, isAll: TypedGrant.isUnlimited(raw))) of "
                + "\(label(owner))\(via)." + share(raw, effect.token, owner)
        case .raise(let raw, let owner, let spender):
            guard raw > .zero else { return nil }
            return "IT APPROVES: \(label(spender)) may then move "
                + "\(text(raw, effect.token, owner, isAll: TypedGrant.isUnlimited(raw))) more of "
                + "\(label(owner))." + share(raw, effect.token, owner)
        case .operate(let owner, let spender, let isAllowed):
            guard isAllowed else { return nil }
            return "IT GIVES EVERYTHING AWAY: \(label(spender)) may then move all that "
                + "\(label(owner)) has in \(place(effect)), now and later."
        case .lend(let raw, let owner, let spender):
            guard raw > .zero else { return nil }
            return "IT LETS \(label(spender)) TAKE up to "
                + "\(text(raw, effect.token, owner, isAll: TypedGrant.isUnlimited(raw))) of "
                + "\(label(owner)) in this transaction." + share(raw, effect.token, owner)
        case .control(let kind, let by):
            let who = by.map { label($0) } ?? "nobody"
            switch kind {
            case .ownership: return "IT GIVES A CONTRACT AWAY: \(who) then owns \(place(effect))."
            case .code:
                return "IT CHANGES A CONTRACT: \(place(effect)) then runs the code of \(who), "
                    + "which may do anything with what it holds."
            case .role: return "IT CHANGES WHO CONTROLS \(place(effect)): \(who)."
            }
        case .ether(let raw, let to):
            return "It sends \(names.network.coin.amount(Wei(raw))) to \(label(to))."
        case .unread(let bytes):
            guard effect.place != .call else { return nil }
            return "The function \(effect.function) of \(place(effect)) is not known: "
                + "its \(bytes) bytes of call data are sent as they are."
        case .lower, .nothing: return nil
        }
    }

    /// What the amount is of the account's balance.
    private func share(_ raw: UInt256, _ token: Address?, _ owner: Address) -> String {
        guard owner == account, let token, let read = balances[token], raw > .zero else {
            return ""
        }
        guard let balance = read else {
            return " The account's balance could not be read."
        }
        guard balance > .zero else { return "" }
        guard raw < balance else {
            return TypedGrant.isUnlimited(raw) ? "" : " THAT IS ALL that the account holds."
        }
        // Tenths of a percent, rounded down: raw < balance.
        let tenths = UInt256.mulDiv(raw, 1_000, balance)?.quotient.uint64 ?? 0
        guard tenths > 0 else { return "" }
        return " That is \(tenths / 10).\(tenths % 10) % of what the account holds."
    }

    private func text(_ raw: UInt256, _ token: Address?, _ owner: Address, isAll: Bool) -> String {
        guard let token else {
            return isAll ? "ALL tokens" : "\(raw) base units of a token"
        }
        let known = tokens[token] ?? .unknown(token)
        let symbol = PlainText.name(known.symbol)
        return isAll ? "ALL \(symbol)" : Currency.token(known).text(raw)
    }

    /// The called contract: `ZRX 0x…`, `Permit2 0x…`, or its address.
    private func place(_ effect: CallEffect) -> String {
        guard let contract = effect.contract else { return "a contract" }
        let name =
            tokens[contract].map { PlainText.name($0.symbol) }
            ?? names.name(of: contract)
        return (name.map { "\($0) " } ?? "") + contract.checksummed
    }

    private func label(_ address: Address) -> String {
        if address == account { return "this account" }
        guard let name = names.name(of: address) else {
            return address.checksummed
        }
        return "\(name) (\(address.checksummed))"
    }

    private var lookAlikes: [String] {
        var seen: Set<Address> = []
        return effects.list.flatMap { effect -> [Address] in
            switch effect.action {
            case .move(_, _, let to), .moveItems(_, let to): [to]
            case .allow(_, _, let other, _), .raise(_, _, let other), .lend(_, _, let other),
                .operate(_, let other, _):
                [other]
            case .control(_, let by): [by].compactMap(\.self)
            default: []
            }
        }
        .filter { seen.insert($0).inserted }
        .compactMap { known.warning(about: $0) }
    }

    // MARK: What is not read

    private var unread: [String] {
        guard let stakes else { return [] }
        var lines: [String] = []
        if let called = stakes.called { lines += self.called(called) }
        for row in stakes.rows where !row.isCalled {
            let head = "\(row.address.checksummed) IS IN THE DATA: "
            var facts: [String] = []
            if row.isAccount { facts.append("it is this account") }
            if let balance = row.balance {
                facts.append(
                    "this account holds \(Currency.token(balance.token).text(balance.raw))"
                )
            } else if let token = row.token {
                facts.append("it is the token \(PlainText.name(token.symbol))")
            }
            if !row.allowances.isEmpty {
                facts.append("it may move \(list(row.allowances)) of this account")
            }
            if !row.permit2.isEmpty {
                facts.append("it may move \(list(row.permit2)) of this account through Permit2")
            }
            if row.isUnreadable {
                facts.append("not all of what it may move could be read")
            }
            if !facts.isEmpty { lines.append(head + facts.joined(separator: ", and ") + ".") }
        }
        return lines
    }

    private func called(_ row: CallStakes.Row) -> [String] {
        var lines: [String] = []
        let function = effects.list.first { $0.place == .call }.map(\.function) ?? "it"
        let isUnread = effects.list.contains {
            if case .unread = $0.action { $0.place == .call } else { false }
        }
        let isPermit2 = row.address == ZeroExSwapContracts.permit2
        if isUnread {
            let isHarmless =
                row.balance == nil && row.token == nil && row.allowances.isEmpty
                && row.permit2.isEmpty && !row.isUnreadable && !isPermit2
            lines.append(
                (isHarmless
                    ? "The function \(function) is not known: what it does is not known either. "
                    : "THE FUNCTION \(function) IS NOT READ: it may take what is named below. ")
                    + "All its data are shown, and sent as they are."
            )
        }
        if isUnread, let balance = row.balance {
            lines.append(
                "IT CALLS A TOKEN: \(Currency.token(balance.token).text(balance.raw)) of this "
                    + "account may leave, or be allowed to others, now and later."
            )
        } else if isUnread, let token = row.token {
            lines.append(
                "IT CALLS A TOKEN: \(PlainText.name(token.symbol)) of this account may "
                    + "be allowed to others, now and later."
            )
        }
        if isUnread, isPermit2 {
            lines.append(
                stakes?.permit2.isEmpty == false
                    ? "IT CALLS PERMIT2, which may move \(list(stakes?.permit2 ?? [])) of this "
                        + "account."
                    : "IT CALLS PERMIT2, which keeps allowances of this account."
            )
        }
        if !row.allowances.isEmpty {
            lines.append(
                "THE CALLED CONTRACT MAY MOVE \(list(row.allowances)) of this account, by "
                    + "allowances that it has."
            )
        }
        if !row.permit2.isEmpty {
            lines.append(
                "THE CALLED CONTRACT MAY MOVE \(list(row.permit2)) of this account through Permit2."
            )
        }
        if row.isUnreadable {
            lines.append(
                "What the called contract may move of this account could not be read."
            )
        }
        return lines
    }

    private func list(_ amounts: [TokenAmount]) -> String {
        amounts.map { amount in
            TypedGrant.isUnlimited(amount.raw)
                ? "ALL \(PlainText.name(amount.token.symbol))"
                : Currency.token(amount.token).text(amount.raw)
        }
        .joined(separator: ", ")
    }
}
