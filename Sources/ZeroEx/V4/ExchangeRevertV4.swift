public import Ethereum

/// The reason why the v4 contract reverted, with the error's arguments.
public enum ExchangeRevertV4: Hashable, Sendable {
    case orderNotFillable(OrderHash, status: UInt8)
    case orderNotFillableByTaker(OrderHash, taker: Address, orderTaker: Address)
    case orderNotFillableBySender(OrderHash, sender: Address, orderSender: Address)
    case orderNotFillableByOrigin(OrderHash, txOrigin: Address, orderTxOrigin: Address)
    case orderNotSignedByMaker(OrderHash, signer: Address, maker: Address)
    case signatureValidation(code: UInt8, Bytes32)
    /// Base units of taker token.
    case fillOrKillFailed(OrderHash, filled: UInt256, wanted: UInt256)
    /// Base units of taker token.
    case batchFillIncomplete(OrderHash, filled: UInt256, wanted: UInt256)
    case onlyOrderMakerAllowed(OrderHash, sender: Address, maker: Address)
    case cancelSaltTooLow(minValidSalt: UInt256, oldMinValidSalt: UInt256)
    case invalidSigner(maker: Address, signer: Address)
    /// Wei.
    case protocolFeeRefundFailed(receiver: Address, amount: UInt256)
    /// The selector of a function that the exchange lacks on this chain.
    case notImplemented(selector: UInt32)
    /// The words of `require` and `revert`, unchanged.
    case words(String)
    /// A token transfer failed, with its revert data; base units.
    case transferFailed(token: Address, from: Address, to: Address, amount: UInt256, [UInt8])

    /// An error kind, by the signature that hashes to its selector.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case orderNotFillable = "OrderNotFillableError(bytes32,uint8)"
        case orderNotFillableByTaker = "OrderNotFillableByTakerError(bytes32,address,address)"
        case orderNotFillableBySender = "OrderNotFillableBySenderError(bytes32,address,address)"
        case orderNotFillableByOrigin = "OrderNotFillableByOriginError(bytes32,address,address)"
        case orderNotSignedByMaker = "OrderNotSignedByMakerError(bytes32,address,address)"
        case signatureValidation = "SignatureValidationError(uint8,bytes32)"
        case fillOrKillFailed = "FillOrKillFailedError(bytes32,uint256,uint256)"
        case batchFillIncomplete = "BatchFillIncompleteError(bytes32,uint256,uint256)"
        case onlyOrderMakerAllowed = "OnlyOrderMakerAllowed(bytes32,address,address)"
        case cancelSaltTooLow = "CancelSaltTooLowError(uint256,uint256)"
        case invalidSigner = "InvalidSignerError(address,address)"
        case protocolFeeRefundFailed = "ProtocolFeeRefundFailed(address,uint256)"
        case notImplemented = "NotImplementedError(bytes4)"
        case words = "Error(string)"
        case transferFailed =
            "SpenderERC20TransferFromFailedError(address,address,address,uint256,bytes)"

        /// The first four bytes of the revert's data, as a number.
        public var selector: UInt32 {
            UInt32(truncatingIfNeeded: Keccak256.hash(rawValue.utf8).limbs.0 >> 32)
        }

        /// The error kind of a selector; nil if it is not one of the contract's.
        public init?(selector: UInt32) {
            guard let kind = Self.kinds[selector] else { return nil }
            self = kind
        }

        private static let kinds = Dictionary(
            uniqueKeysWithValues: allCases.map { ($0.selector, $0) }
        )
    }

    /// The kind of error.
    public var kind: Kind {
        switch self {
        case .orderNotFillable: .orderNotFillable
        case .orderNotFillableByTaker: .orderNotFillableByTaker
        case .orderNotFillableBySender: .orderNotFillableBySender
        case .orderNotFillableByOrigin: .orderNotFillableByOrigin
        case .orderNotSignedByMaker: .orderNotSignedByMaker
        case .signatureValidation: .signatureValidation
        case .fillOrKillFailed: .fillOrKillFailed
        case .batchFillIncomplete: .batchFillIncomplete
        case .onlyOrderMakerAllowed: .onlyOrderMakerAllowed
        case .cancelSaltTooLow: .cancelSaltTooLow
        case .invalidSigner: .invalidSigner
        case .protocolFeeRefundFailed: .protocolFeeRefundFailed
        case .notImplemented: .notImplemented
        case .words: .words
        case .transferFailed: .transferFailed
        }
    }
}
