/// The domain of typed data: any subset of five members.
///
/// It keeps another application from accepting the signature.
///
/// Source: https://eips.ethereum.org/EIPS/eip-712, "Definition of domainSeparator"
public struct TypedDataDomain: Hashable, Sendable {
    /// The name of the domain's struct; no other struct may have it.
    static let typeName = "EIP712Domain"

    /// The name of the application.
    public var name: String?
    public var version: String?
    public var chainID: UInt256?
    /// The contract that checks the signature.
    public var verifyingContract: Address?
    public var salt: Bytes32?

    /// A domain; a nil member is left out.
    public init(
        name: String? = nil,
        version: String? = nil,
        chainID: UInt256? = nil,
        verifyingContract: Address? = nil,
        salt: Bytes32? = nil
    ) {
        self.name = name
        self.version = version
        self.chainID = chainID
        self.verifyingContract = verifyingContract
        self.salt = salt
    }

    /// The hash of the domain's struct.
    public var separator: Bytes32 {
        var encoded = Keccak256.hash(encodedType.utf8).bytes
        for member in members { member.word.append(to: &encoded) }
        return Keccak256.hash(encoded)
    }

    /// The struct in its hashed form: `EIP712Domain(string name,uint256 chainId)`.
    public var encodedType: String {
        let list = members.map { "\($0.type) \($0.name)" }
        return "\(Self.typeName)(\(list.joined(separator: ",")))"
    }

    /// All possible members, in the standard's order.
    static let allMembers = [
        (name: "name", type: "string"), (name: "version", type: "string"),
        (name: "chainId", type: "uint256"), (name: "verifyingContract", type: "address"),
        (name: "salt", type: "bytes32"),
    ]

    /// The present members in the standard's order: name, type, value and encoded value.
    var members: [(name: String, type: String, value: ABIValue, word: Bytes32)] {
        let all: [(ABIValue, Bytes32)?] = [
            name.map { (.string($0), Keccak256.hash($0.utf8)) },
            version.map { (.string($0), Keccak256.hash($0.utf8)) },
            chainID.map { (.uint($0), $0.word) },
            verifyingContract.map { (.address($0), $0.word) },
            salt.map { (.word($0), $0) },
        ]
        return zip(Self.allMembers, all).compactMap { member, part in
            part.map { (member.name, member.type, $0.0, $0.1) }
        }
    }
}
