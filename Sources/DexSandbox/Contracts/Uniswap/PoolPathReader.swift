import Ethereum

/// A v3 path as the contracts read it: token (20 bytes), fee (3), token, ...
///
/// Whatever follows the last whole pool is ignored, as they do.
struct PoolPathReader {
    private(set) var bytes: ArraySlice<UInt8>

    private static let token = 20
    private static let hop = 23
    private static let pool = 43

    init(_ bytes: [UInt8]) {
        self.bytes = bytes[...]
    }

    var hasMultiplePools: Bool { bytes.count >= Self.pool + Self.hop }

    /// The first pool's tokens, in the path's order, and its fee in millionths.
    ///
    /// Source: `decodeFirstPool` of Uniswap v3's Path.
    func first() throws(CallFailure) -> (tokenA: Address, tokenB: Address, fee: UInt32) {
        guard let tokenA = Address(bytes: bytes.prefix(Self.token)) else {
            throw .error("toAddress_outOfBounds")
        }
        let rest = bytes.dropFirst(Self.token)
        guard rest.count >= 3 else { throw .error("toUint24_outOfBounds") }
        let fee = rest.prefix(3).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard let tokenB = Address(bytes: rest.dropFirst(3).prefix(Self.token)) else {
            throw .error("toAddress_outOfBounds")
        }
        return (tokenA, tokenB, fee)
    }

    /// Checks that there is a whole pool.
    ///
    /// Source: `getFirstPool` of Uniswap v3's Path.
    func requireFirst() throws(CallFailure) {
        guard bytes.count >= Self.pool else { throw .error("slice_outOfBounds") }
    }

    /// The path after its first pool.
    func skipping() -> PoolPathReader {
        PoolPathReader(Array(bytes.dropFirst(Self.hop)))
    }
}
