public import Ethereum

/// The pools that a trade goes through, in the order of the trade: from what is sold to what is
/// bought, whichever amount is fixed.
public struct PoolPath: Hashable, Sendable {
    /// Of `pools.count + 1` tokens.
    public let tokens: [Address]
    public let pools: [PoolID]

    /// - Parameters:
    ///   - tokens: two or more, none next to itself.
    ///   - kinds: one less; all v2 or all v3, as the router's functions take them.
    public init?(_ tokens: [Address], _ kinds: [PoolKind]) {
        guard tokens.count >= 2, kinds.count == tokens.count - 1,
            kinds.allSatisfy({ $0 == .v2 }) || !kinds.contains(.v2)
        else { return nil }
        var pools: [PoolID] = []
        for (index, kind) in kinds.enumerated() {
            guard let pool = PoolID(tokens[index], tokens[index + 1], kind) else { return nil }
            pools.append(pool)
        }
        self.tokens = tokens
        self.pools = pools
    }

    public var sold: Address { tokens[0] }
    public var bought: Address { tokens[tokens.count - 1] }
    public var isV2: Bool { pools[0].kind == .v2 }

    /// A v3 path as the contracts take it: token (20 bytes), fee (3, big-endian), token, ...
    ///
    /// - Parameter reversed: from what is bought to what is sold, for an exact amount out. A path
    ///   in the wrong order is no error to the contracts: it sells the wrong token.
    public func encoded(reversed: Bool) -> [UInt8] {
        let tokens = reversed ? self.tokens.reversed() : self.tokens
        let pools = reversed ? self.pools.reversed() : self.pools
        var bytes = tokens[0].bytes
        for (pool, token) in zip(pools, tokens.dropFirst()) {
            let fee = pool.kind.fee
            bytes += [UInt8(truncatingIfNeeded: fee >> 16), UInt8(truncatingIfNeeded: fee >> 8)]
            bytes += [UInt8(truncatingIfNeeded: fee)] + token.bytes
        }
        return bytes
    }
}
