import Ethereum

/// An order as the exchange reads it from call data.
struct ExchangeOrder {
    let maker: Address
    let taker: Address
    let makerToken: Address
    let takerToken: Address
    let feeRecipient: Address
    let makerTokenAmount: UInt256
    let takerTokenAmount: UInt256
    let makerFee: UInt256
    let takerFee: UInt256
    let expiration: UInt256
    let salt: UInt256
    let hash: Bytes32

    /// Reads five address words and six value words and hashes the order.
    init(_ data: CalldataReader, addresses: Int, values: Int, exchange: Address) {
        func address(_ index: Int) -> Address {
            Address(truncating: data.word(at: addresses + 32 * index))
        }
        func value(_ index: Int) -> UInt256 {
            UInt256(data.word(at: values + 32 * index))
        }
        maker = address(0)
        taker = address(1)
        makerToken = address(2)
        takerToken = address(3)
        feeRecipient = address(4)
        makerTokenAmount = value(0)
        takerTokenAmount = value(1)
        makerFee = value(2)
        takerFee = value(3)
        expiration = value(4)
        salt = value(5)

        var packed: [UInt8] = []
        packed.reserveCapacity(312)
        for address in [exchange, maker, taker, makerToken, takerToken, feeRecipient] {
            packed.append(contentsOf: address.bytes)
        }
        let numbers = [
            makerTokenAmount, takerTokenAmount, makerFee, takerFee, expiration, salt,
        ]
        for number in numbers { number.word.append(to: &packed) }
        hash = Keccak256.hash(packed)
    }

    /// `keccak256(makerToken ++ takerToken)`, the topic of a pair's events.
    var pairTopic: Bytes32 {
        Keccak256.hash(makerToken.bytes + takerToken.bytes)
    }
}

/// The exchange's arithmetic: a failed assertion of its safe functions burns all gas.
enum ExchangeArithmetic {
    /// `safeAdd`.
    static func add(_ a: UInt256, _ b: UInt256) throws(CallFailure) -> UInt256 {
        let (sum, overflow) = a.addingReportingOverflow(b)
        guard !overflow else { throw .invalid }
        return sum
    }

    /// `safeSub`.
    static func subtract(_ a: UInt256, _ b: UInt256) throws(CallFailure) -> UInt256 {
        let (difference, overflow) = a.subtractingReportingOverflow(b)
        guard !overflow else { throw .invalid }
        return difference
    }

    /// `safeMul`.
    static func multiply(_ a: UInt256, _ b: UInt256) throws(CallFailure) -> UInt256 {
        let (product, overflow) = a.multipliedReportingOverflow(by: b)
        guard !overflow else { throw .invalid }
        return product
    }

    /// `getPartialAmount`: `floor(numerator * target / denominator)`.
    static func partialAmount(
        numerator: UInt256,
        denominator: UInt256,
        target: UInt256
    ) throws(CallFailure) -> UInt256 {
        let product = try multiply(numerator, target)
        guard denominator != .zero else { throw .invalid }
        return product / denominator
    }

    /// `isRoundingError`: more than 1000 millionths, after the quotient is rounded down.
    static func isRoundingError(
        numerator: UInt256,
        denominator: UInt256,
        target: UInt256
    ) throws(CallFailure) -> Bool {
        // MULMOD by zero is zero.
        guard denominator != .zero else { return false }
        let (high, low) = target.multipliedFullWidth(by: numerator)
        let remainder = Self.remainder(high: high, low: low, divisor: denominator)
        guard remainder != .zero else { return false }
        let scaled = try multiply(remainder, 1_000_000)
        let product = try multiply(numerator, target)
        guard product != .zero else { throw .invalid }
        return scaled / product > 1000
    }

    /// 512 bits modulo 256 bits; dividing the high half first keeps the quotient in range.
    private static func remainder(high: UInt256, low: UInt256, divisor: UInt256) -> UInt256 {
        divisor.dividingFullWidth((high % divisor, low)).remainder
    }
}
