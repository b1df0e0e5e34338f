import Ethereum

/// The oracle of a v3 pool.
extension RangePoolContract {
    /// An observation by its index; nil if it was never written.
    func observation(_ index: UInt16) throws(CallFailure) -> PoolObservation? {
        PoolObservation(
            word: try frame.execution.load(PoolObservation.key(index, of: frame.address))
        )
    }

    /// Writes an observation before a swap that moves the tick, once a block.
    ///
    /// - Returns: the index of the newest one.
    func observe(
        _ state: RangePoolState,
        liquidity: UInt128
    ) throws(CallFailure) -> UInt16 {
        let time = frame.execution.block.timestamp
        guard let last = try observation(state.index), last.time != time & 0xffff_ffff,
            state.cardinality > 0
        else { return state.index }
        let index = (state.index &+ 1) % state.cardinality
        try frame.execution.store(
            PoolObservation.key(index, of: frame.address),
            last.later(time, tick: state.tick, liquidity: liquidity).word
        )
        return index
    }

    /// `observe(uint32[] secondsAgos)`.
    func observe() throws(CallFailure) -> [UInt8] {
        var input = ProxyCalldata(frame.message.data)
        let ages = try input.array { input throws(CallFailure) in
            // The decoder of the time drops what has too many bits.
            try input.number().w0 & 0xffff_ffff
        }
        let state = try state()
        guard state.cardinality > 0 else { throw .error("I") }
        let liquidity = try liquidity()
        var ticks: [Bytes32] = []
        var shares: [Bytes32] = []
        for age in ages {
            let observation = try observe(age, state, liquidity)
            ticks.append(Words.signed(observation.tickCumulative).word)
            shares.append(observation.secondsPerLiquidity.word)
        }
        return Words.arrays(head: [], [ticks, shares], tail: [])
    }

    /// What the oracle says of a time in the past.
    ///
    /// Source: `observeSingle` of Uniswap v3's Oracle.
    private func observe(
        _ age: UInt64,
        _ state: RangePoolState,
        _ liquidity: UInt128
    ) throws(CallFailure) -> PoolObservation {
        let now = frame.execution.block.timestamp
        let target = now &- age
        guard age <= now, let newest = try observation(state.index) else { throw .error("OLD") }
        if target >= newest.time {
            return newest.later(target, tick: state.tick, liquidity: liquidity)
        }
        // From the newest back to the oldest: the ring is small.
        var after = newest
        var index = state.index
        for _ in 1..<max(state.cardinality, 1) {
            index = (index == 0 ? state.cardinality : index) - 1
            guard let before = try observation(index) else { break }
            if target >= before.time { return before.between(after, at: target) }
            after = before
        }
        throw .error("OLD")
    }

    /// The answer of `observations(uint256)`.
    func observationAnswer(_ observation: PoolObservation?) -> [UInt8] {
        guard let observation else { return Array(repeating: 0, count: 4 * 32) }
        return Words.bytes(
            UInt256(observation.time).word,
            Words.signed(observation.tickCumulative).word,
            observation.secondsPerLiquidity.word,
            UInt256(1).word
        )
    }
}

extension Words {
    /// Return data: words, then arrays by their offsets, then words; the arrays' contents follow.
    static func arrays(head: [Bytes32], _ arrays: [[Bytes32]], tail: [Bytes32]) -> [UInt8] {
        var bytes = head.flatMap(\.bytes)
        var offset = 32 * (head.count + arrays.count + tail.count)
        for array in arrays {
            bytes += number(UInt256(UInt64(offset)))
            offset += 32 * (array.count + 1)
        }
        bytes += tail.flatMap(\.bytes)
        for array in arrays {
            bytes += number(UInt256(UInt64(array.count))) + array.flatMap(\.bytes)
        }
        return bytes
    }
}
