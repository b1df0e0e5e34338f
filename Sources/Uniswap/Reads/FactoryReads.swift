public import Ethereum

extension ContractRead where Value == Address? {
    /// The v3 factory's pool of two tokens in any order; nil if it has none.
    ///
    /// Source: UniswapV3Factory's `getPool(address,address,uint24)`.
    public static func getPool(_ tokenA: Address, _ tokenB: Address, fee: UInt32) -> Self {
        Self(
            optional: ERC20.call(
                "getPool(address,address,uint24)",
                tokenA.word,
                tokenB.word,
                UInt256(UInt64(fee)).word
            )
        )
    }

    /// The v2 factory's pair of two tokens in any order; nil if it has none.
    ///
    /// Source: UniswapV2Factory's `getPair(address,address)`.
    public static func getPair(_ tokenA: Address, _ tokenB: Address) -> Self {
        Self(optional: ERC20.call("getPair(address,address)", tokenA.word, tokenB.word))
    }

    /// What a factory answers for a pool, to compare with the address that follows from it.
    public static func pool(_ id: PoolID) -> Self {
        switch id.kind {
        case .v2: getPair(id.token0, id.token1)
        case .v3(let fee): getPool(id.token0, id.token1, fee: fee)
        }
    }

    private init(optional data: [UInt8]) {
        self.init(data, [.address]) { words in
            guard let address = words.address(0) else { return nil }
            return .some(address == .zero ? nil : address)
        }
    }
}

extension ContractRead where Value == Address {
    /// The v3 factory of SwapRouter02 and of QuoterV2, and the factory of a pool.
    ///
    /// Source: `factory()`.
    public static var factory: Self { Self(address: "factory()") }

    /// The v2 factory of SwapRouter02; zero, or another chain's, where it has no v2 pairs.
    ///
    /// Source: `factoryV2()`.
    public static var factoryV2: Self { Self(address: "factoryV2()") }

    /// The wrapped coin of SwapRouter02 and of QuoterV2; zero where there is none.
    ///
    /// Source: `WETH9()`.
    public static var wrapped: Self { Self(address: "WETH9()") }

    /// The wrapped coin of v2 Router02.
    ///
    /// Source: `WETH()`.
    public static var wrappedByV2: Self { Self(address: "WETH()") }

    private init(address signature: StaticString) {
        self.init(ERC20.call(signature), [.address]) { $0.address(0) }
    }
}

extension ContractRead where Value == Int32? {
    /// The tick spacing of a fee tier; nil if the v3 factory has not enabled it.
    ///
    /// Source: UniswapV3Factory's `feeAmountTickSpacing(uint24)`.
    ///
    /// - Parameter fee: in millionths.
    public static func tickSpacing(fee: UInt32) -> Self {
        let data = ERC20.call("feeAmountTickSpacing(uint24)", UInt256(UInt64(fee)).word)
        return Self(data, [.int(24)]) { words in
            guard let spacing = words.tick(0),
                spacing == 0 || TickBitmap.spacings.contains(spacing)
            else { return nil }
            return .some(spacing == 0 ? nil : spacing)
        }
    }
}
