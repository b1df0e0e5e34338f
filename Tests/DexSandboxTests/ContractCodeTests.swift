import Ethereum
import EthereumWallet
import Testing
import Uniswap

@testable import DexSandbox

/// The byte code that the chain is born with, and where it keeps what.
@Suite("The contracts of block 0")
struct ContractCodeTests {
    /// What the genesis and the faults write.
    private static let variables: [ContractCode.Name: [String]] = [
        .allowanceHolder: [], .permit2: [], .tickLens: [], .v3Quoter: [],
        .constantPool: ["token_0", "token_1", "reserve_0", "reserve_1"],
        .exchange: ["zrx_token", "transfer_proxy", "filled", "cancelled"],
        .exchangeProxy: ["features", "used", "protocol_fee_multiplier"],
        .erc20: token, .silentToken: token, .tetherToken: token, .weth9: token, .zrxToken: token,
        .heavyToken: token, .upgradeableToken: token + ["implementation"],
        .feeToken: token + ["fee_millionths"],
        .settlerRegistry: ["current", "previous", "paused", "locked"],
        .settlerStandIn: ["wrapped"], .tokenTransferProxy: ["authorized", "authorities"],
        .v2Factory: ["pairs", "locked"],
        .v2Pair: ["factory", "token0", "token1", "reserve0", "reserve1", "timestamp"],
        .v3Factory: ["feeAmountTickSpacing", "pools", "locked"],
        .v3Pool: ["state", "liquidity", "ticks", "bitmap", "ring"], .v3Router: ["amount_in"],
    ]
    private static let token = [
        "balanceOf", "allowance", "totalSupply", "name", "symbol", "decimals",
    ]

    @Test(
        "each is in the resource, with all that is written to it",
        arguments: ContractCode.Name.allCases
    )
    func complete(_ name: ContractCode.Name) throws {
        let contract = try #require(ContractCode.all[name])
        #expect(contract.runtime().count > 60)
        for variable in try #require(Self.variables[name]) {
            #expect(contract.slot(variable) != .word(.max), "\(variable)")
        }
        // All tokens have a balance at the same place, so one may become another.
        if Self.variables[name]?.contains("balanceOf") == true {
            for variable in Self.token {
                #expect(contract.slot(variable) == ContractCode.named(.erc20).slot(variable))
            }
        }
    }

    @Test("nobody changes the lists of Settlers, pairs and pools by a transaction")
    func locked() async throws {
        let venue = try TestChain.withSwap()
        let bob = venue.bob.address.word
        for data in [
            ERC20.call("setPaused(bool)", UInt256(1).word),
            ERC20.call("setCurrent(uint256,address)", UInt256(2).word, bob),
        ] {
            #expect(await venue.refusal(of: TestChain.swap.registry, data) == [])
        }
        let pools = try TestChain.withUniswap()
        let (dai, weth) = (TestChain.dai.word, TestChain.weth.word)
        for (factory, data) in [
            (
                TestChain.uniswap.v2Factory,
                ERC20.call("setPair(address,address,address)", dai, weth, bob)
            ),
            (
                TestChain.uniswap.v3Factory,
                ERC20.call(
                    "setPool(address,address,uint24,address)",
                    dai,
                    weth,
                    UInt256(3_000).word,
                    bob
                )
            ),
            (
                TestChain.uniswap.v3Factory,
                ERC20.call("setFee(uint24,int24)", UInt256(1).word, UInt256(1).word)
            ),
        ] {
            #expect(await pools.refusal(of: factory, data) == [])
        }
    }
}
