public import Ethereum

extension ContractRead where Value == [InitialisedTick] {
    /// The initialised ticks in one word of a v3 pool's bitmap, ascending.
    ///
    /// Source: TickLens's `getPopulatedTicksInWord(address,int16)`, which names the highest first.
    ///
    /// - Parameter spacing: the pool's tick spacing; ticks that are none of its in the word are not
    ///   decoded.
    public static func populatedTicks(
        of pool: Address,
        word: Int16,
        spacing: Int32
    ) -> Self {
        let data = ERC20.call(
            "getPopulatedTicksInWord(address,int16)",
            pool.word,
            UInt256(truncatingIfNeeded: word).word
        )
        return Self(data, [.array(.tuple([.int(24), .int(128), .uint(128)]))]) { words in
            guard let rows = words.array(0), rows.count <= 256,
                TickBitmap.spacings.contains(spacing)
            else { return nil }
            var ticks: [InitialisedTick] = []
            for row in rows.reversed() {
                guard case .tuple(let members) = row, members.count == 3,
                    let tick = members[0].signed.flatMap({ Int32(exactly: $0) }),
                    let net = members[1].signed, let gross = members[2].unsigned?.uint128,
                    gross != 0, net.magnitude <= gross, TickMath.ticks.contains(tick),
                    tick % spacing == 0, TickBitmap.word(of: tick, spacing: spacing) == word,
                    ticks.last.map({ $0.tick < tick }) ?? true
                else { return nil }
                ticks.append(InitialisedTick(tick: tick, liquidityNet: net))
            }
            return ticks
        }
    }
}
