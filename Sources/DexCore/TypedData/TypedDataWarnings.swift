import DexSigning
import Ethereum

/// The sentences about what a signature of typed data allows.
struct TypedDataWarnings {
    let data: TypedData
    let kind: TypedDataKind
    let grant: TypedGrant?
    let shares: [TypedDataShare]
    let order: SeaportOrder?
    let account: Address
    let network: Network
    let names: ContractNames
    let known: KnownAddresses
    /// Seconds since 1970.
    let now: UInt64
    let token: (Address) -> Token?

    /// - Parameters:
    ///   - stakes: of data whose effect is not read.
    ///   - isUnread: there is a node, and it did not answer.
    func all(stakes: CallStakes?, isUnread: Bool) -> [String] {
        var warnings = hidden
        if data.domain.chainID == nil {
            warnings.append("It names no chain: the signature may be valid on every chain.")
        }
        if let grant {
            warnings += self.warnings(of: grant)
        } else if let order {
            warnings += self.warnings(of: order)
        } else {
            warnings += other + behind(stakes)
        }
        if isUnread {
            warnings.append(
                "THE NODE DID NOT ANSWER: what the account holds, and what the contracts may move, "
                    + "is not known."
            )
        }
        return warnings
    }

    // MARK: Texts

    /// The characters that the terminal would not show, by their names.
    private var hidden: [String] {
        var names: [String] = []
        func add(_ value: ABIValue) {
            switch value {
            case .string(let text):
                for name in PlainText.hidden(in: text) where !names.contains(name) {
                    names.append(name)
                }
            case .array(let values), .tuple(let values): values.forEach(add)
            default: break
            }
        }
        for text in [data.domain.name, data.domain.version].compactMap(\.self) {
            add(.string(text))
        }
        add(data.message)
        guard !names.isEmpty else { return [] }
        let rest = names.count - Self.maximumNames
        return [
            "IT HAS CHARACTERS THAT ARE NOT SEEN; they stand as numbers in its texts: "
                + names.prefix(Self.maximumNames).joined(separator: ", ")
                + (rest > 0 ? " and \(rest) more." : ".")
        ]
    }

    private static let maximumNames = 12

    // MARK: Grants

    private func warnings(of grant: TypedGrant) -> [String] {
        var warnings: [String] = []
        if let owner = grant.owner, owner != account {
            warnings.append(
                "It is about the tokens of \(owner.checksummed), and this account would sign: that "
                    + "is valid only if that account lets this one sign for it."
            )
        }
        warnings += amounts(grant)
        warnings += [known.warning(about: grant.spender)].compactMap(\.self)
        if grant.deadline <= UInt256(now) {
            warnings.append("Its time is over: the signature cannot be used any more.")
        }
        if grant.hasWitness {
            warnings.append(
                "It has further terms, such as what you get: Permit2 leaves them to the spender to "
                    + "check."
            )
        }
        return warnings
    }

    private func amounts(_ grant: TypedGrant) -> [String] {
        var warnings: [String] = []
        let isOnce = grant.kind == .permit2Transfer || grant.kind == .transferAuthorization
        for share in shares {
            if share.isUnlimited {
                warnings.append(
                    "IT IS UNLIMITED: \(grant.spender.checksummed) may take ALL \(name(share.token)) "
                        + "of this account, "
                        + (isOnce ? "at once." : "now and whatever comes in later.")
                )
            } else if share.isAllHeld, !grant.isOrder {
                warnings.append(
                    "IT IS AS GOOD AS UNLIMITED: \(grant.spender.checksummed) may take "
                        + "\(Currency.token(share.token).text(share.amount)), which is ALL that this "
                        + "account holds of it."
                )
            }
        }
        let named = grant.parts.map(\.token) + [grant.receives?.token].compactMap(\.self)
        for address in Set(named).sorted() where token(address)?.decimals == nil {
            warnings.append(
                "The token \(address.checksummed) is not known: its amount is in base units."
            )
        }
        return warnings
    }

    private func name(_ token: Token) -> String {
        token.decimals == nil
            ? "tokens of \(token.address.checksummed)" : PlainText.name(token.symbol)
    }

    // MARK: Orders

    private func warnings(of order: SeaportOrder) -> [String] {
        var warnings: [String] = []
        if order.offerer != account {
            warnings.append(
                "It is about what \(order.offerer.checksummed) has, and this account would sign."
            )
        }
        if order.ownGets.isEmpty {
            warnings.append("YOU GET NOTHING: all that is asked for goes to other accounts.")
        }
        if order.end <= UInt256(now) {
            warnings.append("Its time is over: the signature cannot be used any more.")
        }
        return warnings
    }

    // MARK: The rest

    private var other: [String] {
        switch kind {
        case .cancelAuthorization: []
        case .unknown:
            [
                "What this allows is not known to dex: it may be an order, an allowance, or only a "
                    + "login. Sign it only if you trust the one who asks for it."
            ]
        case .metaTransaction:
            [
                "IT MOVES TOKENS: another account may send this call of the exchange, which then "
                    + "acts for this account."
            ]
                + (data.address("signer").map { $0 == account } ?? true
                    ? []
                    : [
                        "It is about another account, and this one would sign: the exchange takes "
                            + "no such signature."
                    ])
        case .relayedCall:
            ["IT IS A CALL that another account may send with this signature."]
                + (data.number("gasPrice").map { $0 == .zero } ?? true
                    ? []
                    : [
                        "THE CONTRACT PAYS FOR ITS GAS: \(refund) gets up to \(price) for each unit, "
                            + "however many they are."
                    ])
        default:
            [
                "IT MOVES TOKENS, UNKNOWN HOW: it may be an order or an allowance, and take all that "
                    + "the account holds. Sign it only if you trust the one who asks for it."
            ]
        }
    }

    /// Who gets what a Safe pays for gas: whoever sends it, where none is named.
    private var refund: String {
        data.address("refundReceiver").flatMap { $0 == .zero ? nil : $0.checksummed }
            ?? "whoever sends it"
    }

    /// What a Safe pays for a unit of gas.
    private var price: String {
        let raw = data.number("gasPrice") ?? .zero
        guard let address = data.address("gasToken"), address != .zero else {
            return network.coin.amount(Wei(raw))
        }
        return Currency.token(token(address) ?? .unknown(address)).text(raw)
    }

    private func behind(_ stakes: CallStakes?) -> [String] {
        guard let stakes else { return [] }
        return CallWarnings(
            account: account,
            effects: CallEffects(),
            tokens: [:],
            balances: [:],
            stakes: stakes,
            known: known,
            names: names
        ).all
    }
}
