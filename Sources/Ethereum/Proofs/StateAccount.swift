/// An account as the state trie has it.
public struct StateAccount: Hashable, Sendable {
    /// The transactions that it sent; of a contract, those that it made contracts with, and one.
    public var nonce: UInt64
    public var balance: Wei
    /// The root of its storage.
    public var storageRoot: Bytes32
    /// The Keccak-256 hash of its code.
    public var codeHash: Bytes32

    /// The hash of no code.
    public static let emptyCodeHash = Keccak256.hash([] as [UInt8])

    /// What the state says of an address that it does not have.
    public static let absent = StateAccount()

    public init(
        nonce: UInt64 = 0,
        balance: Wei = .zero,
        storageRoot: Bytes32 = MerkleTrie.emptyRoot,
        codeHash: Bytes32 = StateAccount.emptyCodeHash
    ) {
        self.nonce = nonce
        self.balance = balance
        self.storageRoot = storageRoot
        self.codeHash = codeHash
    }

    /// Nonce, balance and code are nothing: since EIP-161 the state does not keep such an account.
    public var isEmpty: Bool {
        nonce == 0 && balance == .zero && codeHash == Self.emptyCodeHash
    }

    /// The value in the state trie: `rlp([nonce, balance, storageRoot, codeHash])`.
    public var encoded: [UInt8] {
        RLP.list([
            .integer(UInt256(nonce)),
            .integer(balance.rawValue),
            .bytes(storageRoot.bytes),
            .bytes(codeHash.bytes),
        ]).encoded
    }

    /// The account of a value in the state trie; nil unless it is exactly what `encoded` writes.
    public init?(encoded bytes: [UInt8]) {
        guard let item = try? RLP.decode(bytes),  // nil: not RLP
            case .list(let fields) = item, fields.count == 4,
            let nonce = fields[0].unsignedInteger?.uint64,
            let balance = fields[1].unsignedInteger,
            let storageRoot = fields[2].word, let codeHash = fields[3].word
        else { return nil }
        self.init(
            nonce: nonce,
            balance: Wei(balance),
            storageRoot: storageRoot,
            codeHash: codeHash
        )
    }
}

extension RLP {
    /// The word of exactly 32 bytes; nil for a list or another length.
    public var word: Bytes32? {
        guard case .bytes(let bytes) = self else { return nil }
        return Bytes32(bytes: bytes)
    }

    /// The address of exactly 20 bytes; nil for a list or another length.
    public var address: Address? {
        guard case .bytes(let bytes) = self else { return nil }
        return Address(bytes: bytes)
    }
}
