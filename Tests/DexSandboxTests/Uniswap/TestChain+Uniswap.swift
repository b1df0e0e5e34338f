import DexSandbox
import Ethereum
import EthereumWallet
import Uniswap

/// Uniswap's contracts on the test chain.
extension TestChain {
    static let uniswap: UniswapDeployment = {
        var deployment = GenesisUniswap.deployment(chainID: 1337)
        deployment.wrapped = weth
        return deployment
    }()
    /// 2,000 DAI are one WETH.
    static let pairID = id(.v2)
    /// One DAI is one WETH, so that amounts tell the fee.
    static let poolID = id(.v3(fee: 3_000))
    static let pair = uniswap.address(of: pairID)
    static let pool = uniswap.address(of: poolID)

    private static func id(_ kind: PoolKind) -> PoolID {
        guard let id = PoolID(dai, weth, kind) else { preconditionFailure("two tokens") }
        return id
    }

    static func genesisUniswap(cardinality: UInt16 = 4) -> GenesisUniswap {
        let isDaiFirst = pairID.token0 == dai
        let (daiReserve, wethReserve) = (200_000 * ether, 100 * ether)
        return GenesisUniswap(
            deployment: uniswap,
            pairs: [
                GenesisPair(
                    pool: pairID,
                    reserve0: isDaiFirst ? daiReserve : wethReserve,
                    reserve1: isDaiFirst ? wethReserve : daiReserve
                )
            ],
            pools: [
                GenesisRangePool(
                    pool: poolID,
                    price: UInt256(UInt128(1) << 96),
                    lower: -6_000,
                    upper: 6_000,
                    liquidity: 1_000_000_000_000_000_000_000,
                    cardinality: cardinality
                )
            ]
        )
    }

    /// A chain on which alice and bob approved the router for every token.
    static func withUniswap(
        mining: ChainConfiguration.Mining = .instant,
        storePath: String? = nil,
        cardinality: UInt16 = 4
    ) throws -> TestChain {
        try TestChain(mining: mining, storePath: storePath) { genesis in
            genesis.uniswap = genesisUniswap(cardinality: cardinality)
            for owner in genesis.accounts.prefix(2).map(\.address) {
                for token in tokens.map(\.address) {
                    genesis.allowances.append(
                        GenesisAllowance(token: token, owner: owner, spender: uniswap.router)
                    )
                }
            }
        }
    }

    /// The words of a call's answer.
    func words(
        _ to: Address,
        _ data: [UInt8],
        tag: BlockTag = .latest
    ) async throws -> [UInt256] {
        let answer = try await answer(to, data, tag: tag)
        return stride(from: 0, to: answer.count, by: 32).compactMap {
            UInt256(bigEndian: answer[$0..<min($0 + 32, answer.count)])
        }
    }
}

/// Calls of Uniswap's router and quoter.
enum UniswapCalls {
    static let sender = Address(truncating: UInt256(1).word)
    static let router = Address(truncating: UInt256(2).word)
    static let refund = ERC20.call("refundETH()")

    static func exactInputSingle(
        _ tokenIn: Address,
        _ tokenOut: Address,
        _ amount: UInt256,
        to recipient: Address = sender,
        minimum: UInt256 = 1,
        fee: UInt64 = 3_000,
        limit: UInt256 = 0
    ) -> [UInt8] {
        ERC20.call(
            "exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))",
            tokenIn.word,
            tokenOut.word,
            UInt256(fee).word,
            recipient.word,
            amount.word,
            minimum.word,
            limit.word
        )
    }

    static func exactOutputSingle(
        _ tokenIn: Address,
        _ tokenOut: Address,
        _ amount: UInt256,
        to recipient: Address = sender,
        maximum: UInt256
    ) -> [UInt8] {
        ERC20.call(
            "exactOutputSingle((address,address,uint24,address,uint256,uint256,uint160))",
            tokenIn.word,
            tokenOut.word,
            UInt256(3_000).word,
            recipient.word,
            amount.word,
            maximum.word,
            UInt256(0).word
        )
    }

    static func swapExactTokens(
        _ path: [Address],
        _ amount: UInt256,
        to recipient: Address = sender,
        minimum: UInt256 = 1
    ) -> [UInt8] {
        ERC20.call(
            "swapExactTokensForTokens(uint256,uint256,address[],address)",
            amount.word,
            minimum.word,
            UInt256(128).word,
            recipient.word,
            UInt256(UInt64(path.count)).word
        ) + path.flatMap(\.word.bytes)
    }

    static func unwrap(_ minimum: UInt256, to recipient: Address) -> [UInt8] {
        ERC20.call("unwrapWETH9(uint256,address)", minimum.word, recipient.word)
    }

    static func multicall(
        _ calls: [[UInt8]],
        deadline: UInt256 = UInt256(TestChain.start + 100_000)
    ) -> [UInt8] {
        var offsets: [UInt8] = []
        var contents: [UInt8] = []
        for call in calls {
            offsets += UInt256(UInt64(32 * calls.count + contents.count)).word.bytes
            contents += UInt256(UInt64(call.count)).word.bytes + call
            contents += Array(repeating: 0, count: (32 - call.count % 32) % 32)
        }
        return ERC20.call(
            "multicall(uint256,bytes[])",
            deadline.word,
            UInt256(64).word,
            UInt256(UInt64(calls.count)).word
        ) + offsets + contents
    }

    static func error(_ text: String) -> [UInt8] {
        let content = Array(text.utf8)
        return ERC20.call(
            "Error(string)",
            UInt256(32).word,
            UInt256(UInt64(content.count)).word
        ) + content + Array(repeating: 0, count: (32 - content.count % 32) % 32)
    }
}
