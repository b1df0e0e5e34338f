import DexRelay
import DexTestSupport
import Ethereum
import EthereumWallet
import Logging
import Testing

@testable import ZeroEx

/// Our relay with a market of v4 on a port of its own, over a chain on which every maker has funds
/// and nothing of any order is filled.
enum PeerRelayV4 {
    static let domain = ExchangeDomainV4(chainID: 137, exchange: address(0xF4))
    static let base = address(0xB1)
    static let quote = address(0xB2)
    static let feeRecipient = address(0xFE)
    static let fee: UInt64 = 7
    static let now: UInt64 = 1_700_000_000

    /// Serves while the body runs; the body gets the port.
    static func serve(_ body: @escaping @Sendable (Int) async throws -> Void) async throws {
        let relay = try relay()
        let (ports, sender) = AsyncStream.makeStream(of: Int.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            let application = relay.application(port: 0) { sender.yield($0) }
            group.addTask {
                defer { sender.finish() }
                do {
                    try await application.run()
                } catch is CancellationError {}
            }
            group.addTask {
                let port = try #require(
                    try await ports.next("the relay's port"),
                    "the relay did not start"
                )
                try await body(port)
            }
            defer { group.cancelAll() }
            // The first to end is the body: the server runs until it is cancelled.
            try await group.next()
        }
    }

    private static func relay() throws -> RelayServer {
        func side(_ token: Address) -> RelayTokenPair.Side {
            .init(token: token, minimum: nil, maximum: nil, precision: nil)
        }
        return RelayServer(
            RelayMarket.Terms(
                configuration: LiveConfiguration(
                    RelayConfiguration(
                        contracts: ExchangeContracts(
                            exchange: domain.exchange,
                            transferContract: domain.exchange,
                            feeToken: nil
                        ),
                        pairs: [RelayTokenPair(tokenA: side(base), tokenB: side(quote))],
                        fees: FeeSchedule(
                            recipient: feeRecipient,
                            standard: .init(makerFee: 0, takerFee: UInt256(fee))
                        )
                    )
                ),
                exchangeProtocol: ZeroExV4(domain: domain, signatureKind: .ethSign)
            ),
            chain: FundedChain(),
            recoverer: Secp256k1(),
            store: try SQLiteOrderStore(path: nil),
            now: { now },
            logger: Logger(label: "tests.relay") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    private static func address(_ number: UInt64) -> Address {
        Address(truncating: UInt256(number).word)
    }
}

/// Answers each question as if all makers had 2^100 of every token.
private struct FundedChain: ChainClient {
    func read(
        _ reads: [ChainRead]
    ) async throws(ChainError) -> [Result<ChainAnswer, ChainError>] {
        reads.map(answer)
    }

    func send(raw: [UInt8]) async throws(ChainError) -> TransactionHash {
        throw .nonsense("a relay sends nothing")
    }

    private func answer(_ read: ChainRead) -> Result<ChainAnswer, ChainError> {
        switch read {
        case .block:
            let hash = BlockHash(UInt256(1).word)
            return .success(
                .block(
                    Block(
                        number: 1,
                        hash: hash,
                        parentHash: hash,
                        timestamp: PeerRelayV4.now,
                        baseFeePerGas: nil,
                        gasLimit: 0,
                        gasUsed: 0
                    )
                )
            )
        case .call(let request, _) where request.to == PeerRelayV4.domain.exchange:
            guard
                case .limit(.batchRelevantStates(let orders, _))? =
                    try? ExchangeCallV4(data: request.data)
            else { return .failure(.reverted(data: [], message: "unknown call")) }
            let states = orders.map { order in
                OrderRelevantStateV4(
                    info: OrderInfoV4(
                        orderHash: order.hash(in: PeerRelayV4.domain),
                        status: .fillable,
                        filled: 0
                    ),
                    fillable: order.takerAmount,
                    isSignatureValid: true
                )
            }
            return .success(.bytes(ExchangeAnswerV4.batchRelevantStates(states).data))
        case .call: return .success(.bytes((UInt256(1) << 100).bigEndianBytes))
        default: return .failure(.rpc(code: -32601, message: "not for a relay"))
        }
    }
}
