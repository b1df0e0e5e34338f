import Ethereum

/// A stand-in pool: its reserves' product never falls, and 0.3 % of what comes in stay with it.
struct PoolContract {
    let frame: ContractFrame
    let pool: GenesisPool

    private static let soldTopic = Keccak256.hash("Sold(address,address,uint256,uint256)".utf8)

    private enum Function: UInt32 {
        case tokens = 0x9d63_848a
        case reserves = 0x7517_2a8b
        case sell = 0xca15_0fde
    }

    /// The slot of a token's reserve: 0 for the first token, 1 for the second.
    static func reserve(_ index: UInt64, of pool: Address) -> StorageKey {
        StorageKey(pool, .fixed(UInt256(index).word))
    }

    /// What a sale brings, in base units of the other token; nil beyond 256 bits.
    static func output(for input: UInt256, reserveIn: UInt256, reserveOut: UInt256) -> UInt256? {
        let (kept, first) = input.multipliedReportingOverflow(by: 997)
        let (product, second) = kept.multipliedReportingOverflow(by: reserveOut)
        let (scaled, third) = reserveIn.multipliedReportingOverflow(by: 1_000)
        let (divisor, fourth) = scaled.addingReportingOverflow(kept)
        guard !first, !second, !third, !fourth, divisor != .zero else { return nil }
        return product / divisor
    }

    func run() throws(CallFailure) -> [UInt8] {
        try frame.execution.charge(.view)
        try frame.refuseEther()
        guard let function = frame.selector.flatMap({ Function(rawValue: $0) }) else {
            throw .revert([])
        }
        switch function {
        case .tokens: return Words.bytes(pool.first.token.word, pool.second.token.word)
        case .reserves: return Words.bytes(try reserve(0).word, try reserve(1).word)
        case .sell:
            var input = ProxyCalldata(frame.message.data)
            return try sell(try input.address(), recipient: try input.address())
        }
    }

    private func reserve(_ index: UInt64) throws(CallFailure) -> UInt256 {
        try frame.execution.load(Self.reserve(index, of: frame.address))
    }

    /// Sells what the pool holds of a token beyond its reserve.
    private func sell(_ token: Address, recipient: Address) throws(CallFailure) -> [UInt8] {
        try frame.execution.charge(.swapPool)
        let isFirst = token == pool.first.token
        guard isFirst || token == pool.second.token else { throw .revert([]) }
        let (from, to): (UInt64, UInt64) = isFirst ? (0, 1) : (1, 0)
        let reserveIn = try reserve(from)
        let reserveOut = try reserve(to)
        let held = try frame.balance(token, of: frame.address)
        let (sold, isShort) = held.subtractingReportingOverflow(reserveIn)
        guard !isShort, sold > .zero,
            let bought = Self.output(for: sold, reserveIn: reserveIn, reserveOut: reserveOut),
            bought > .zero
        else { throw .revert([]) }
        try frame.execution.store(Self.reserve(from, of: frame.address), held)
        // A part of the reserve: the divisor above is larger than the factor.
        try frame.execution.store(Self.reserve(to, of: frame.address), reserveOut - bought)
        let other = isFirst ? pool.second.token : pool.first.token
        try frame.transfer(other, to: recipient, bought)
        try frame.execution.emit(
            frame.address,
            topics: [Self.soldTopic, token.word, recipient.word],
            data: Words.bytes(sold.word, bought.word)
        )
        return Words.number(bought)
    }
}
