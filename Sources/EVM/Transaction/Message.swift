public import Ethereum

/// A transaction whose signature was checked, as the EVM runs it.
public struct Message: Hashable, Sendable {
    public var sender: Address
    /// nil creates a contract.
    public var to: Address?
    public var nonce: UInt64
    public var value: Wei
    public var data: [UInt8]
    public var gasLimit: UInt64
    /// The most that a unit of gas may cost.
    public var maxFee: Wei
    /// What a unit of gas gives the block's maker beside the base fee; nil gives all that is left of
    /// `maxFee`, as transactions of types 0 and 1 do.
    public var tip: Wei?
    public var accessList: [AccessListEntry]
    /// Of type 3; nil for any other type.
    public var blobs: Blobs?
    /// Of type 4; nil for any other type.
    public var authorizations: [Authorization]?

    /// What a transaction says of data beside it.
    ///
    /// Source: EIP-4844.
    public struct Blobs: Hashable, Sendable {
        /// Each begins with 1.
        public var hashes: [Bytes32]
        /// The most that a unit of the gas of blobs may cost.
        public var maxFee: Wei

        public init(hashes: [Bytes32], maxFee: Wei) {
            (self.hashes, self.maxFee) = (hashes, maxFee)
        }
    }

    /// Lets an account run another one's code.
    ///
    /// Source: EIP-7702.
    public struct Authorization: Hashable, Sendable {
        public var chainID: UInt256
        public var delegate: Address
        public var nonce: UInt64
        /// Who signed it; nil if nobody can have.
        public var signer: Address?

        public init(chainID: UInt256, delegate: Address, nonce: UInt64, signer: Address?) {
            self.chainID = chainID
            self.delegate = delegate
            self.nonce = nonce
            self.signer = signer
        }
    }

    public init(
        sender: Address,
        to: Address?,
        nonce: UInt64 = 0,
        value: Wei = .zero,
        data: [UInt8] = [],
        gasLimit: UInt64,
        maxFee: Wei = .zero,
        tip: Wei? = nil,
        accessList: [AccessListEntry] = [],
        blobs: Blobs? = nil,
        authorizations: [Authorization]? = nil
    ) {
        self.sender = sender
        self.to = to
        self.nonce = nonce
        self.value = value
        self.data = data
        self.gasLimit = gasLimit
        self.maxFee = maxFee
        self.tip = tip
        self.accessList = accessList
        self.blobs = blobs
        self.authorizations = authorizations
    }
}

/// The reason why a block cannot have a transaction.
public enum MessageRefusal: Error, Hashable, Sendable {
    /// The account's nonce is another one.
    case nonce(UInt64)
    /// The account has less than value and gas may cost.
    case funds(Wei)
    /// The gas limit is below what every such transaction costs.
    case gasTooLow(minimum: UInt64)
    /// The gas limit is above what the rules or the block allow.
    case gasTooHigh(maximum: UInt64)
    /// The cap is below the base fee, or the tip above the cap.
    case fees
    /// The sender is a contract.
    case contract
    /// The code that creates a contract is too long.
    case initCode
    /// A transaction of type 4 without an authorization, that creates a contract, or before Prague.
    case authorizations
    /// A transaction of type 3 without a blob, with too many or with one of another kind, that creates
    /// a contract, or whose cap is below what blobs cost.
    case blobs
}
