/// A struct of EIP-712 typed data: a name, and members in hashing order.
public struct TypedDataStruct: Hashable, Sendable {
    /// One member.
    public struct Member: Hashable, Sendable {
        public let name: String
        public let type: TypedDataType

        /// A member of a struct.
        ///
        /// - Throws: `TypedDataError.malformedName`: not a Solidity identifier.
        public init(_ name: String, _ type: TypedDataType) throws(TypedDataError) {
            guard TypedDataType.isIdentifier(name) else { throw .malformedName(name) }
            self.name = name
            self.type = type
        }
    }

    public let name: String
    public let members: [Member]

    /// A struct.
    ///
    /// - Throws: `TypedDataError`: the name is not an identifier or is a Solidity type, or two
    ///   members share a name.
    public init(_ name: String, members: [Member]) throws(TypedDataError) {
        guard TypedDataType.isStructName(name) else { throw .malformedName(name) }
        try self.init(checked: name, members)
    }

    /// A struct with the names of its members and their types, such as `("from", "Person")`.
    ///
    /// - Throws: `TypedDataError`.
    public init(
        _ name: String,
        _ members: [(name: String, type: String)]
    ) throws(TypedDataError) {
        var checked: [Member] = []
        for member in members {
            checked.append(try Member(member.name, TypedDataType(member.type)))
        }
        try self.init(name, members: checked)
    }

    /// A struct with a checked name, which may be the domain's.
    init(checked name: String, _ members: [Member]) throws(TypedDataError) {
        var names: Set<String> = []
        for member in members {
            guard names.insert(member.name).inserted else {
                throw .repeatedMember(member.name, structure: name)
            }
        }
        self.name = name
        self.members = members
    }

    /// The struct in its hashed form: `Mail(Person from,Person to,string contents)`.
    public var encodedType: String {
        let list = members.map { "\($0.type.name) \($0.name)" }
        return "\(name)(\(list.joined(separator: ",")))"
    }
}
