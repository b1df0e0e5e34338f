public import Ethereum

/// The state before a transaction, as far as it is known.
public protocol StateReader: AnyObject {
    /// An account; nil in `known` for one that does not exist.
    func account(_ address: Address) -> Known<AccountRecord?>
    /// The code with a hash.
    func code(_ hash: Bytes32) -> Known<[UInt8]>
    /// A word of an account's storage; zero where nothing is.
    func word(_ slot: UInt256, of address: Address) -> Known<UInt256>
}

/// A value, or that it is not known.
public enum Known<Value> {
    case known(Value)
    case unknown
}

extension Known: Sendable where Value: Sendable {}

/// What the state has of an account beside its storage.
public struct AccountRecord: Hashable, Sendable {
    public var nonce: UInt64
    public var balance: Wei
    /// keccak-256 of its code.
    public var codeHash: Bytes32
    /// Some word of its storage is not zero.
    public var hasStorage: Bool

    public init(
        nonce: UInt64 = 0,
        balance: Wei = .zero,
        codeHash: Bytes32? = nil,
        hasStorage: Bool = false
    ) {
        self.nonce = nonce
        self.balance = balance
        self.codeHash = codeHash ?? Code.emptyHash
        self.hasStorage = hasStorage
    }
}

/// What a run needs and its reader does not know.
public enum StateKey: Hashable, Sendable {
    case account(Address)
    case code(Bytes32)
    case word(UInt256, of: Address)
    /// The hash of a block by its number.
    case blockHash(UInt64)
}
