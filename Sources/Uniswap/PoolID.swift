public import Ethereum

/// A pool by its two tokens and its kind; its address follows from these on each chain.
public struct PoolID: Hashable, Sendable {
    /// The token whose address is the lower number.
    public let token0: Address
    public let token1: Address
    public let kind: PoolKind

    /// The pool of two tokens in any order; nil for a token with itself.
    public init?(_ tokenA: Address, _ tokenB: Address, _ kind: PoolKind) {
        guard tokenA != tokenB else { return nil }
        (token0, token1) = tokenA < tokenB ? (tokenA, tokenB) : (tokenB, tokenA)
        self.kind = kind
    }

    /// keccak256 of the init code of every v2 pair.
    ///
    /// Source: UniswapV2Factory's `createPair`; the same on all chains of `UniswapDeployment`.
    public static let v2InitCodeHash = literal(
        0x96e8_ac42_7719_8ff8_b6f7_8547_8aa9_a39f_403c_b768_dd02_cbee_326c_3e7d_a348_845f
    )
    /// keccak256 of the init code of every v3 pool.
    ///
    /// Source: UniswapV3PoolDeployer's `deploy`; the same on all chains of `UniswapDeployment`.
    public static let v3InitCodeHash = literal(
        0xe34f_199b_19b2_b4f4_7f68_4426_19d5_5552_7d24_4f78_a329_7ea8_9325_f843_f87b_8b54
    )

    private static func literal(_ number: UInt256) -> Bytes32 { number.word }

    /// The salt of the pool's creation.
    ///
    /// v2 packs the two addresses to 40 bytes; v3 encodes them and the fee as three words.
    public var salt: Bytes32 {
        switch kind {
        case .v2: Keccak256.hash(token0.bytes + token1.bytes)
        case .v3(let fee):
            Keccak256.hash(
                [token0.word, token1.word, UInt256(UInt64(fee)).word].flatMap(\.bytes)
            )
        }
    }

    /// The address of the pool that a factory creates, whether it did or not.
    ///
    /// Source: EIP-1014, `keccak256(0xff ++ factory ++ salt ++ keccak256(init code))[12:]`.
    public func address(of factory: Address) -> Address {
        let hash = kind == .v2 ? Self.v2InitCodeHash : Self.v3InitCodeHash
        return Address(
            truncating: Keccak256.hash([0xff] + factory.bytes + salt.bytes + hash.bytes)
        )
    }

    /// The other token of the two; nil for a third one.
    public func other(than token: Address) -> Address? {
        token == token0 ? token1 : token == token1 ? token0 : nil
    }
}
