public import Ethereum
public import StrictJSON

/// Version 1 of the 0x protocol: orders, signatures and arithmetic.
///
/// ```swift
/// let exchange = try Address(lenient: "0x12459c951127e0c374ff9105dda097662a027093")
/// let maker = try PrivateKeySigner(hex: String(repeating: "46", count: 32))
/// let draft = OrderDraft(
///     exchange: exchange,
///     maker: maker.address,
///     makerToken: try Address(lenient: "0xe41d2489571d322189246dafa5ebde1f4699f498"),
///     takerToken: try Address(lenient: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"),
///     makerAmount: 1_000,
///     takerAmount: 3_000,
///     expiry: 2_000_000_000,
///     salt: 1
/// )
/// let order = try await ZeroExV1().sign(draft, with: maker)
/// print(order.hash)
/// // Prints "0xd50d18f6234a5e3ccac46e01d4ad88dca4abf19f2b1e4edd59526b040a08c138"
///
/// // The payout of a fill of 1,000 units, rounded down as the contract does.
/// print(ZeroExV1().makerAmount(of: order, filling: 1_000) ?? 0)
/// // Prints "333"
/// ```
///
/// Source: https://github.com/0xProject/contracts (v1.0.0), Exchange.sol.
public struct ZeroExV1: ExchangeProtocol {
    public let version = ProtocolVersion.v1
    public let orderSigning = OrderSigning.ethSign
    /// A v1 hash covers only the order's fields and the exchange's address.
    public let ordersNameChain = false

    /// The protocol.
    public init() {}

    // MARK: Orders

    /// An order in the relay's wire form, alone or in the envelope of a later API.
    ///
    /// - Throws: `OrderError`.
    public func decodeOrder(_ json: JSONValue) throws(OrderError) -> any SignedOrder {
        try OrderWireV1.decode(json)
    }

    /// See `ExchangeProtocol`.
    public func scanOrders(_ cursor: inout JSONCursor) -> [any SignedOrder]? {
        OrderScannerV1.orders(&cursor)
    }

    /// Scans one order directly from a text, as `scanOrders` scans each of a list.
    ///
    /// - Returns: nil if it is not in the plain form that the scanner knows.
    public static func scanOrder(_ cursor: inout JSONCursor) -> SignedOrderV1? {
        OrderScannerV1.order(&cursor)
    }

    /// An order in the relay's wire form; an order of another version is written unsigned.
    public func encodeOrder(_ order: any SignedOrder) -> JSONValue {
        let own = order as? SignedOrderV1
        return OrderWireV1.encode(own?.terms ?? OrderDraft(order), signature: own?.signature)
    }

    /// The body of a fee request.
    public func encodeDraft(_ draft: OrderDraft) -> JSONValue {
        OrderWireV1.encodeDraft(draft)
    }

    /// Checks the exchange, the amounts, the maker and the maker's signature of the order's hash.
    ///
    /// Like the contract, it accepts both halves of s.
    ///
    /// - Throws: `OrderRejection`.
    public func verify(
        _ order: any SignedOrder,
        exchange: Address,
        recoverer: any SignatureRecovering
    ) throws(OrderRejection) {
        let signature = try checkedSignature(order, exchange: exchange)
        let signer: Address
        do throws(SignatureError) {
            signer = try orderSigning.signer(of: order.hash, signature, by: recoverer)
        } catch {
            throw .malformedSignature(error.description)
        }
        guard signer == order.maker else { throw .badSignature }
    }

    /// The maker's signature of the hash's message, as the order claims it.
    ///
    /// - Throws: `OrderRejection`.
    public func claim(
        of order: any SignedOrder,
        exchange: Address
    ) throws(OrderRejection) -> SignatureClaim {
        let signature = try checkedSignature(order, exchange: exchange)
        let digest = orderSigning.digest(of: order.hash)
        return SignatureClaim(digest: digest, signature: signature, signer: order.maker)
    }

    /// Checks the exchange, the amounts and the maker; the signature, unchecked.
    private func checkedSignature(
        _ order: any SignedOrder,
        exchange: Address
    ) throws(OrderRejection) -> Signature {
        guard order.exchange == exchange else { throw .wrongExchange(order.exchange) }
        guard order.makerAmount != .zero, order.takerAmount != .zero else { throw .zeroAmount }
        // The contract recovers the zero address from an invalid signature, so any would pass.
        guard order.maker != .zero else { throw .zeroMaker }
        guard let order = order as? SignedOrderV1 else { throw .badSignature }
        return order.signature
    }

    /// All numbers have 256 bits here, and fees without a recipient are void.
    ///
    /// - Throws: `OrderError` if only one sender may fill it, which v1 cannot express.
    public func check(_ draft: OrderDraft) throws(OrderError) {
        guard draft.fees.sender == .zero else {
            throw .malformed(field: "sender", found: draft.fees.sender.checksummed)
        }
    }

    /// Hashes and signs our own order.
    ///
    /// - Throws: `SignerError`.
    public func sign(
        _ draft: OrderDraft,
        with signer: any Signer
    ) async throws(SignerError) -> any SignedOrder {
        do throws(OrderError) {
            try check(draft)
        } catch {
            throw .refused(error.description)
        }
        let signature = try await signer.sign(digest: digest(of: draft))
        return SignedOrderV1(terms: draft, signature: signature)
    }

    /// `getOrderHash`.
    public func hashCall(of draft: OrderDraft) -> CallRequest? {
        let call = ExchangeCallV1.getOrderHash(OrderAddressesV1(draft), OrderValuesV1(draft))
        return CallRequest(to: draft.exchange, data: call.data)
    }

    /// nil: a v1 hash is of packed fields, not EIP-712.
    public func typedData(of draft: OrderDraft) -> TypedData? { nil }

    /// The hash that a draft has once signed.
    public func hash(of draft: OrderDraft) -> OrderHash {
        OrderHashV1.hash(of: draft)
    }

    /// All 256 random bits: v1 salts have no order.
    public func salt(random: Bytes32, now: UInt64) -> UInt256 {
        UInt256(random)
    }

    /// ZRX for every order.
    public func feeToken(of order: any SignedOrder, contracts: ExchangeContracts) -> Address {
        contracts.feeToken ?? .zero
    }

    /// ZRX for every order.
    public func feeToken(of draft: OrderDraft, contracts: ExchangeContracts) -> Address {
        contracts.feeToken ?? .zero
    }

    public let feeTokenSymbol: String? = "ZRX"

    /// ZRX for every fill.
    public func feeToken(of fill: FillEvent, contracts: ExchangeContracts?) -> Address? {
        contracts?.feeToken
    }

    // MARK: Arithmetic

    /// Rounded down; nil if the contract would overflow, even in a fee.
    public func makerAmount(
        of order: any SignedOrder,
        filling takerAmount: UInt256
    ) -> UInt256? {
        guard fee(order.makerFee, of: order, filling: takerAmount) != nil,
            fee(order.takerFee, of: order, filling: takerAmount) != nil
        else { return nil }
        return FillMathV1.partialAmount(
            numerator: takerAmount,
            denominator: order.takerAmount,
            target: order.makerAmount
        )
    }

    /// Rounded up to the next fill that the rounding rule accepts.
    public func takerAmount(of order: any SignedOrder, for makerAmount: UInt256) -> UInt256? {
        FillMathV1.takerAmount(
            orderMakerAmount: order.makerAmount,
            orderTakerAmount: order.takerAmount,
            for: makerAmount
        )
    }

    /// Rounded down; 2^256 - 1 if the contract would overflow, so no account can pay it.
    public func takerFee(of order: any SignedOrder, filling takerAmount: UInt256) -> UInt256 {
        fee(order.takerFee, of: order, filling: takerAmount) ?? .max
    }

    /// Rounded down; 2^256 - 1 if the contract would overflow, so no account can pay it.
    public func makerFee(of order: any SignedOrder, filling takerAmount: UInt256) -> UInt256 {
        fee(order.makerFee, of: order, filling: takerAmount) ?? .max
    }

    /// The contract would emit LogError 2, or overflow in the check.
    public func hasRoundingError(
        _ order: any SignedOrder,
        filling takerAmount: UInt256
    ) -> Bool {
        FillMathV1.isRoundingError(
            numerator: takerAmount,
            denominator: order.takerAmount,
            target: order.makerAmount
        ) ?? true
    }

    /// Rounded down until the rounding rule accepts it and no fee overflows.
    public func largestFill(
        of order: any SignedOrder,
        upTo takerAmount: UInt256
    ) -> UInt256? {
        var limit = takerAmount
        for fee in [order.makerFee, order.takerFee] where fee != .zero {
            limit = min(limit, UInt256.max.dividedReportingOverflow(by: fee).partialValue)
        }
        return FillMathV1.largestFill(
            orderMakerAmount: order.makerAmount,
            orderTakerAmount: order.takerAmount,
            upTo: limit
        )
    }

    private func fee(
        _ fee: UInt256,
        of order: any SignedOrder,
        filling takerAmount: UInt256
    ) -> UInt256? {
        guard fee != .zero else { return .zero }
        return FillMathV1.partialAmount(
            numerator: takerAmount,
            denominator: order.takerAmount,
            target: fee
        )
    }
}
