import DexSigning
package import Ethereum

/// One value of typed data with its name, its type, and what it stands for where that is known.
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
            let known = roles[member.name].flatMap { meaning($0, value, structure, values) }
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
}
