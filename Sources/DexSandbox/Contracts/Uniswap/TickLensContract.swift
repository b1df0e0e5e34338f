import Ethereum

/// Uniswap's TickLens: the ticks with liquidity in a word of 256 of a v3 pool's bitmap.
///
/// Like the genuine one it asks the pool, so it reverts where that does or where there is none.
struct TickLensContract {
    let frame: ContractFrame

    private static let getPopulatedTicksInWord: UInt32 = 0x351f_b478

    /// Returns `(int24 tick, int128 liquidityNet, uint128 liquidityGross)[]`, the highest tick
    /// first.
    func run() throws(CallFailure) -> [UInt8] {
        try frame.execution.charge(.view)
        try frame.refuseEther()
        guard frame.selector == Self.getPopulatedTicksInWord else { throw .revert([]) }
        var input = ProxyCalldata(frame.message.data)
        let pool = try input.address()
        let place = try input.number()
        guard let word = Words.signed(of: place, bits: 16) else { throw .revert([]) }
        guard frame.contracts.isContract(pool) else { throw .revert([]) }
        let bitmap = try frame.ask(pool, ERC20.call("tickBitmap(int16)", place.word))
        let spacing = Int64(bitPattern: try frame.ask(pool, ERC20.call("tickSpacing()")).w0)
        try frame.execution.charge(.uniswapLens)
        var found: [UInt8] = []
        var count: UInt64 = 0
        for bit in (0..<256).reversed() where bitmap >> bit & 1 != .zero {
            // A word has 16 bits and a spacing 24.
            let index = Words.signed(((word << 8) + Int64(bit)) &* spacing).word
            try frame.execution.charge(.uniswapLensTick)
            let answer = try frame.call(pool, ERC20.call("ticks(int24)", index))
            guard answer.count >= 64 else { throw .revert([]) }
            // The pool names the gross liquidity first.
            found += index.bytes + answer[32..<64] + answer[..<32]
            count += 1
        }
        return Words.bytes(UInt256(32).word, UInt256(count).word) + found
    }
}

extension Words {
    /// The signed number of a word; nil outside of its type.
    static func signed(of word: UInt256, bits: Int) -> Int64? {
        let value = Int64(bitPattern: word.w0)
        let bound = Int64(1) << (bits - 1)
        return signed(value) == word && (-bound..<bound).contains(value) ? value : nil
    }
}
