import DexSigning
package import Ethereum

/// A value of typed data with its name, its type, and what it stands for where that is known.
package struct TypedDataNode: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        /// Anything but a struct and an array.
        case value(ABIValue, Meaning?)
        case members([TypedDataNode])
    }

    package enum Meaning: Hashable, Sendable {
        /// Base units of a token, or all of it.
        case amount(Token, isUnlimited: Bool)
        /// Seconds since 1970.
        case time
        /// A name for an address.
        case name(String)
    }

    /// Of a member, or the place in an array: `[0]`.
    package let name: String
    package let type: String
    package let content: Content

    package init(name: String, type: String, content: Content) {
        self.name = name
        self.type = type
        self.content = content
    }

    /// The lines that show it.
    var count: Int {
        switch content {
        case .value: 1
        case .members(let nodes): nodes.reduce(1) { $0 + $1.count }
        }
    }
}

/// Makes the tree of typed data.
struct TypedDataTree {
    let data: TypedData
    /// Of which the meanings of its members are known.
    let isKnown: Bool
    let token: (Address) -> Token?
    let name: (Address) -> String?

    /// What a member of a known struct stands for.
    private enum Role {
        /// Base units of the token that another member names.
        case amountOf(String)
        /// Base units of the contract that checks the signature.
        case ownAmount
        case time
    }

    /// By struct and member; only for data of a known kind, where the types are exactly these.
    private static let roles: [String: [String: Role]] = [
        "Permit": ["value": .ownAmount, "deadline": .time, "expiry": .time],
        "PermitDetails": ["amount": .amountOf("token"), "expiration": .time],
        "TokenPermissions": ["amount": .amountOf("token")],
        "PermitSingle": ["sigDeadline": .time],
        "PermitBatch": ["sigDeadline": .time],
        "PermitTransferFrom": ["deadline": .time],
        "PermitBatchTransferFrom": ["deadline": .time],
        "PermitWitnessTransferFrom": ["deadline": .time],
        "PermitBatchWitnessTransferFrom": ["deadline": .time],
        "LimitOrder": [
            "makerAmount": .amountOf("makerToken"), "takerAmount": .amountOf("takerToken"),
            "takerTokenFeeAmount": .amountOf("takerToken"), "expiry": .time,
        ],
        "RfqOrder": [
            "makerAmount": .amountOf("makerToken"), "takerAmount": .amountOf("takerToken"),
            "expiry": .time,
        ],
    ]

    /// The members of the domain, in the standard's order.
    var domain: [TypedDataNode] {
        let domain = data.domain
        var nodes: [TypedDataNode] = []
        func add(_ name: String, _ type: String, _ value: ABIValue?) {
            guard let value else { return }
            nodes.append(leaf(name, type, value, nil))
        }
        add("name", "string", domain.name.map { .string($0) })
        add("version", "string", domain.version.map { .string($0) })
        add("chainId", "uint256", domain.chainID.map { .uint($0) })
        add("verifyingContract", "address", domain.verifyingContract.map { .address($0) })
        add("salt", "bytes32", domain.salt.map { .word($0) })
        return nodes
    }

    /// The members of the message, in the order of its struct.
    var message: [TypedDataNode] {
        members(data.message, of: data.primaryType)
    }

    private func members(_ value: ABIValue, of name: String) -> [TypedDataNode] {
        guard let structure = data.types[name], case .tuple(let values) = value else { return [] }
        let roles = isKnown ? Self.roles[name] ?? [:] : [:]
        var nodes: [TypedDataNode] = []
        for (member, value) in zip(structure.members, values) {
            let known =
                roles[member.name].flatMap { meaning($0, value, structure, values) }
                ?? guessed(member.name, value, structure, values)
            nodes.append(node(member.name, member.type, value, known))
        }
        return nodes
    }

    private func node(
        _ name: String,
        _ type: TypedDataType,
        _ value: ABIValue,
        _ meaning: TypedDataNode.Meaning?
    ) -> TypedDataNode {
        if case .array(let elements) = value {
            let nodes = elements.enumerated().map { index, element in
                node("[\(index)]", type, element, nil)
            }
            return TypedDataNode(name: name, type: type.name, content: .members(nodes))
        }
        if let inner = type.structName {
            let nodes = members(value, of: inner)
            return TypedDataNode(name: name, type: inner, content: .members(nodes))
        }
        return leaf(name, type.name, value, meaning)
    }

    private func leaf(
        _ name: String,
        _ type: String,
        _ value: ABIValue,
        _ meaning: TypedDataNode.Meaning?
    ) -> TypedDataNode {
        var meaning = meaning
        if case .address(let address) = value {
            meaning = self.name(address).map { .name($0) }
        }
        return TypedDataNode(name: name, type: type, content: .value(value, meaning))
    }

    private func meaning(
        _ role: Role,
        _ value: ABIValue,
        _ structure: TypedDataStruct,
        _ values: [ABIValue]
    ) -> TypedDataNode.Meaning? {
        let address: Address?
        switch role {
        case .time: return .time
        case .ownAmount: address = data.domain.verifyingContract
        case .amountOf(let name):
            let index = structure.members.firstIndex { $0.name == name }
            guard let index, index < values.count, case .address(let found) = values[index] else {
                return nil
            }
            address = found
        }
        guard let address, let token = token(address), case .uint(let amount) = value else {
            return nil
        }
        return .amount(token, isUnlimited: TypedGrant.isUnlimited(amount))
    }

    // MARK: Data of an unknown kind

    /// What a member is by its name: an amount of the token beside it, or a time.
    private func guessed(
        _ name: String,
        _ value: ABIValue,
        _ structure: TypedDataStruct,
        _ values: [ABIValue]
    ) -> TypedDataNode.Meaning? {
        guard case .uint(let number) = value else { return nil }
        let name = name.lowercased()
        if Self.timeWords.contains(where: { name.contains($0) }),
            Self.times.contains(number.uint64 ?? 0)
        {
            return .time
        }
        guard name == "value" || Self.amountWords.contains(where: { name.contains($0) }),
            let token = token(of: name, structure, values)
        else { return nil }
        return .amount(token, isUnlimited: TypedGrant.isUnlimited(number))
    }

    private static let amountWords = ["amount", "amt", "making", "taking", "fee"]
    private static let timeWords = ["deadline", "expir", "valid", "time", "until"]
    /// The seconds of 2001 to 2286: other numbers are no times.
    private static let times: Range<UInt64> = 1_000_000_000..<10_000_000_000

    /// The token that an amount is of: the only one beside it, or the one with the same start.
    private func token(
        of amount: String,
        _ structure: TypedDataStruct,
        _ values: [ABIValue]
    ) -> Token? {
        let tokens = zip(structure.members, values).compactMap {
            member,
            value -> (String, Token)? in
            guard case .address(let address) = value, let token = token(address) else { return nil }
            return (member.name.lowercased(), token)
        }
        if tokens.isEmpty { return data.domain.verifyingContract.flatMap { self.token($0) } }
        // Beside a token it is most often the coin that a call sends along.
        if amount == "value" { return nil }
        if tokens.count == 1 { return tokens.first?.1 }
        let alike = tokens.filter { name, _ in
            zip(name, amount).prefix { $0 == $1 }.count >= 3
        }
        return alike.count == 1 ? alike.first?.1 : nil
    }
}
