import DexRelay
import DexSandbox
import Ethereum
import EthereumWallet
import HTTPServing
import HTTPTypes
import Logging
import NIOCore
import NIOPosix

@testable import ZeroEx

/// A simulated chain and a relay over it for orders of v1 and v4, in memory, the same every time they
/// are made.
struct ServerFixture: Sendable {
    let chain: SandboxChain
    let relay: RelayServer

    /// A swap venue with one pool.
    static let swap = GenesisSwap(
        wrapped: SampleOrders.weth,
        pools: [
            GenesisPool(
                address: GenesisSwap.pool(1),
                first: GenesisPool.Side(token: SampleOrders.zrx, reserve: 1 << 70),
                second: GenesisPool.Side(token: SampleOrders.weth, reserve: 1 << 60)
            )
        ]
    )

    init() throws {
        let maker = try PrivateKeySigner(key: UInt256(0x1111).word).address
        let sender = try PrivateKeySigner(key: UInt256(0x5EED).word).address
        let zrx = TokenDefinition(
            address: SampleOrders.zrx,
            symbol: "ZRX",
            name: "0x Protocol Token",
            decimals: 18
        )
        let weth = TokenDefinition(
            address: SampleOrders.weth,
            symbol: "WETH",
            name: "Wrapped Ether",
            decimals: 18,
            kind: .weth
        )
        var genesis = Genesis(
            timestamp: SampleOrders.now - 100,
            exchange: SampleOrders.exchange,
            transferProxy: SampleOrders.proxy,
            feeToken: SampleOrders.zrx,
            accounts: [maker, sender].map { GenesisAccount(address: $0, ether: Wei(1 << 80)) },
            tokens: [zrx, weth],
            swap: Self.swap
        )
        for owner in [maker, sender] {
            for token in [SampleOrders.zrx, SampleOrders.weth] {
                genesis.balances.append(
                    GenesisBalance(token: token, owner: owner, amount: 1 << 80)
                )
                genesis.allowances.append(
                    GenesisAllowance(token: token, owner: owner, spender: SampleOrders.proxy)
                )
                genesis.allowances.append(
                    GenesisAllowance(
                        token: token,
                        owner: owner,
                        spender: Self.swap.allowanceHolder
                    )
                )
            }
        }
        chain = try SandboxChain(
            genesis: genesis,
            configuration: ChainConfiguration(
                now: { SampleOrders.now },
                recoverer: Secp256k1()
            )
        )
        let side = { (token: Address) in
            RelayTokenPair.Side(token: token, minimum: nil, maximum: 1 << 70, precision: 8)
        }
        let pairs = [
            RelayTokenPair(tokenA: side(SampleOrders.zrx), tokenB: side(SampleOrders.weth))
        ]
        let native = SampleOrdersV4.domain
        relay = RelayServer(
            RelayMarket.Terms(
                configuration: LiveConfiguration(
                    RelayConfiguration(
                        contracts: ExchangeContracts(
                            exchange: SampleOrders.exchange,
                            transferContract: SampleOrders.proxy,
                            feeToken: SampleOrders.zrx
                        ),
                        pairs: pairs
                    )
                ),
                exchangeProtocol: ZeroExV1()
            ),
            [
                RelayMarket.Terms(
                    configuration: LiveConfiguration(
                        RelayConfiguration(
                            contracts: ExchangeContracts(
                                exchange: native.exchange,
                                // The allowances of the fixture are to the one that v1 has.
                                transferContract: SampleOrders.proxy,
                                feeToken: nil
                            ),
                            pairs: pairs
                        )
                    ),
                    exchangeProtocol: SampleOrdersV4.zeroEx
                )
            ],
            chain: NativeOrdersChain(
                wrapped: chain,
                domain: native
            ),
            recoverer: Secp256k1(),
            store: try SQLiteOrderStore(path: nil),
            now: { SampleOrders.now },
            logger: Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    /// A way to send requests into the relay's router.
    func relayConnection() -> RelayConnection {
        RelayConnection(router: relay.router())
    }
}

/// A chain on which every order of v4 is fillable whole; all else is asked of another one.
private struct NativeOrdersChain: ChainClient {
    let wrapped: any ChainClient
    let domain: ExchangeDomainV4

    func read(
        _ reads: [ChainRead]
    ) async throws(ChainError) -> [Result<ChainAnswer, ChainError>] {
        var answers = try await wrapped.read(reads)
        for (index, read) in reads.enumerated() {
            guard case .call(let request, _) = read, request.to == domain.exchange,
                case .limit(.batchRelevantStates(let orders, _))? =
                    try? ExchangeCallV4(data: request.data)
            else { continue }
            let states = orders.map { order in
                OrderRelevantStateV4(
                    info: OrderInfoV4(
                        orderHash: order.hash(in: domain),
                        status: .fillable,
                        filled: 0
                    ),
                    fillable: order.takerAmount,
                    isSignatureValid: true
                )
            }
            answers[index] = .success(.bytes(ExchangeAnswerV4.batchRelevantStates(states).data))
        }
        return answers
    }

    func send(raw: [UInt8]) async throws(ChainError) -> TransactionHash {
        try await wrapped.send(raw: raw)
    }
}

/// The relay's router without a socket.
struct RelayConnection: Sendable {
    /// What the relay answered.
    struct Answer: Sendable {
        let status: Int
        /// Names and values.
        let headers: [(String, String)]
        let body: [UInt8]
    }

    fileprivate let router: Router

    /// Sends one request.
    func send(_ method: String, _ path: String, _ body: [UInt8]) async throws -> Answer {
        let head = HTTPRequest(
            method: HTTPRequest.Method(method) ?? .get,
            scheme: "http",
            authority: "relay.test",
            path: path
        )
        let response = try await router.respond(
            to: Request(
                head,
                peer: "fuzz",
                eventLoop: MultiThreadedEventLoopGroup.singleton.any()
            ),
            body: ByteBuffer(bytes: body)
        )
        return Answer(
            status: response.status.code,
            headers: response.headers.map { ($0.name.rawName, $0.value) },
            body: Array(response.body.readableBytesView)
        )
    }
}
