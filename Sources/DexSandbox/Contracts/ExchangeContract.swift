import Ethereum

/// The 0x v1 Exchange as published in August 2017: dispatch of functions and arguments.
///
/// It is written from the contract and shares no code with the client's codec in ZeroEx, so that
/// the two check each other.
struct ExchangeContract {
    let contracts: Contracts
    let execution: Execution
    /// The caller: `msg.sender`.
    let caller: Address

    var address: Address { contracts.exchange }

    /// The gas of a token's balance or allowance query.
    static let queryGasLimit: UInt64 = 4_999

    /// The slots of the fee token's and the proxy's address.
    static let feeTokenSlot = UInt256(0).word
    static let proxySlot = UInt256(1).word

    func run(_ data: CalldataReader) throws(CallFailure) -> [UInt8] {
        switch data.selector {
        case 0xbc61_394a: try fillOrder(data)
        case 0x741b_cc93: try fillOrKillOrder(data)
        case 0x3633_49be: try fillOrdersUpTo(data)
        case 0xb7b2_c7d6: try batchFillOrders(data)
        case 0x4f15_0787: try batchFillOrders(data, orKill: true)
        case 0x394c_21e7: try cancelOrder(data)
        case 0xbaa0_181d: try batchCancelOrders(data)
        case 0xcfc4_d0ec: try getOrderHash(data)
        case 0x8163_681e: try isValidSignature(data)
        case 0x288c_dc91: try view(.filled(data.argument(0)))
        case 0x2ac1_2622: try view(.cancelled(data.argument(0)))
        case 0x7e9a_bb50: try getUnavailableTakerTokenAmount(data)
        case 0x9802_4a8b: try getPartialAmount(data)
        case 0x14df_96ee: try isRoundingError(data)
        case 0x3b30_ba59: try view(.fixed(Self.feeTokenSlot))
        case 0xadd1_cbc5: try view(.fixed(Self.proxySlot))
        case 0xffa1_ad74: try constant(Words.string("1.0.0"))
        case 0xf06b_bf75: try constant(Words.number(UInt256(Self.queryGasLimit)))
        default: throw CallFailure.invalid
        }
    }

    // MARK: Views

    private func constant(_ bytes: [UInt8]) throws(CallFailure) -> [UInt8] {
        try execution.charge(.view)
        return bytes
    }

    private func view(_ slot: Slot) throws(CallFailure) -> [UInt8] {
        try execution.charge(.view)
        return Words.number(try execution.load(StorageKey(address, slot)))
    }

    private func getOrderHash(_ data: CalldataReader) throws(CallFailure) -> [UInt8] {
        try execution.charge(.cancelEntry)
        return Words.bytes(singleOrder(data).hash)
    }

    private func isValidSignature(_ data: CalldataReader) throws(CallFailure) -> [UInt8] {
        try execution.charge(.view)
        let signature = CalldataSignature(data.argument(2), data.argument(3), data.argument(4))
        return Words.bool(
            try isValid(signature, signer: data.address(0), hash: data.argument(1))
        )
    }

    private func getUnavailableTakerTokenAmount(
        _ data: CalldataReader
    ) throws(CallFailure) -> [UInt8] {
        try execution.charge(.view)
        return Words.number(try unavailable(data.argument(0)))
    }

    private func getPartialAmount(_ data: CalldataReader) throws(CallFailure) -> [UInt8] {
        try execution.charge(.view)
        return Words.number(
            try ExchangeArithmetic.partialAmount(
                numerator: data.number(0),
                denominator: data.number(1),
                target: data.number(2)
            )
        )
    }

    private func isRoundingError(_ data: CalldataReader) throws(CallFailure) -> [UInt8] {
        try execution.charge(.view)
        return Words.bool(
            try ExchangeArithmetic.isRoundingError(
                numerator: data.number(0),
                denominator: data.number(1),
                target: data.number(2)
            )
        )
    }

    // MARK: Parts

    /// `filled + cancelled` of an order.
    func unavailable(_ hash: Bytes32) throws(CallFailure) -> UInt256 {
        let filled = try execution.load(StorageKey(address, .filled(hash)))
        let cancelled = try execution.load(StorageKey(address, .cancelled(hash)))
        return try ExchangeArithmetic.add(filled, cancelled)
    }

    /// The signer signed the personal message of the order's hash; a high s is accepted.
    func isValid(
        _ signature: CalldataSignature,
        signer: Address,
        hash: Bytes32
    ) throws(CallFailure) -> Bool {
        try execution.charge(.signature)
        guard let parts = signature.parts else { return false }
        let digest = EthereumMessage.hash(hash.bytes)
        do throws(SignatureError) {
            return try contracts.recoverer.recover(digest: digest, signature: parts) == signer
        } catch {
            return false
        }
    }
}

struct CalldataSignature {
    let v: UInt8
    let r: Bytes32
    let s: Bytes32

    init(_ v: Bytes32, _ r: Bytes32, _ s: Bytes32) {
        self.v = UInt8(truncatingIfNeeded: v.limbs.3)
        self.r = r
        self.s = s
    }

    /// The signature, if v is 27 or 28.
    var parts: Signature? {
        guard v == 27 || v == 28 else { return nil }
        return Signature(r: r, s: s, yParity: v - 27)
    }
}
