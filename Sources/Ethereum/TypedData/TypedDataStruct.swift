/// A struct of EIP-712 typed data: a name, and members in the order in which they are hashed.
public struct TypedDataStruct: Hashable, Sendable {
    /// One member.
    public struct Member: Hashable, Sendable {
        public let name: String
        public let type: TypedDataType

        /// A member of a struct.
        ///
        /// - Throws: `TypedDataError.malformedName`: not an identifier of Solidity.
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
    /// - Throws: `TypedDataError`: the name is no identifier or that of a type of Solidity, or two
    ///   members share theirs.
    public init(_ name: String, members: [Member]) throws(TypedDataError) {
        guard TypedDataType.isStructName(name) else { throw .malformedName(name) }
        try self.init(checked: name, members)
    }

    /// A struct whose members' types are told by their names, such as `("from", "Person")`.
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

    /// A struct whose name is known to be good, be it that of the domain.
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

    /// The struct as it is hashed: `Mail(Person from,Person to,string contents)`.
    public var encodedType: String {
        let list = members.map { "\($0.type.name) \($0.name)" }
        return "\(name)(\(list.joined(separator: ",")))"
    }
}
