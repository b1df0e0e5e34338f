import Ethereum
import EthereumWallet
import Uniswap
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

extension FakePools {
    /// A network with these pools and no relay.
    func session(
        environment: DexCore.Environment = TestClock().environment,
        chainID: UInt64 = 1,
        deployment: UniswapDeployment? = nil
    ) -> Session {
        for token in [Self.base, Self.quote, Self.weth] {
            chain.answerOnce(token, ERC20.decimals, with: 18)
        }
        chain.set { $0.chainID = 1 }
        return Session(
            network: Network(
                name: "live",
                chainID: chainID,
                rpc: ["http://127.0.0.1:1"],
                relay: nil,
                pools: deployment ?? self.deployment,
                protocolVersion: .v1,
                exchange: .zero,
                weth: Self.weth
            ),
            exchangeProtocol: ZeroExV1(),
            chain: chain,
            relay: nil,
            tokens: TokenMap(),
            recoverer: Secp256k1(),
            environment: environment
        )
    }

    /// BASE/QUOTE as a user who knows no symbols types it.
    static let pairText = "\(base.checksummed)/\(quote.checksummed)"

    static let pair = Pair(base: token(base, "BASE"), quote: token(quote, "QUOTE"))

    static func token(_ address: Address, _ symbol: String) -> Token {
        Token(address: address, symbol: symbol, name: symbol, decimals: 18)
    }

    /// The node answers some calls otherwise; nil leaves one as it is.
    func lie(_ lie: @escaping @Sendable (CallRequest) -> Result<[UInt8], ChainError>?) {
        chain.set { state in
            let honest = state.onCall
            state.onCall = { call, tag in lie(call) ?? honest?(call, tag) ?? .success([]) }
        }
    }
}
