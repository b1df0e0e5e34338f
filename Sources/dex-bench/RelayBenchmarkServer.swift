import DexRelay
import Ethereum
import EthereumWallet
import Glibc
import Hummingbird
import Logging
import ZeroEx

/// A relay in a process of its own, so that its processor time is its own.
///
/// It keeps its orders in SQLite as a hosted relay does; its chain answers at once.
enum RelayBenchmarkServer {
    /// The first argument of the process.
    static let role = "--serve-relay"

    static let zrx = Address(truncating: UInt256(0xA1).word)
    static let weth = Address(truncating: UInt256(0xA2).word)
    static let contracts = ExchangeContracts(
        exchange: Address(truncating: UInt256(0xE1).word),
        transferContract: Address(truncating: UInt256(0xE2).word),
        feeToken: zrx
    )

    /// Serves until the process is killed; the port is written to `port` in the folder.
    static func run(folder: String) async throws {
        func side(_ token: Address) -> RelayTokenPair.Side {
            RelayTokenPair.Side(token: token, minimum: nil, maximum: nil, precision: nil)
        }
        let relay = RelayServer(
            configuration: LiveConfiguration(
                RelayConfiguration(
                    contracts: contracts,
                    pairs: [RelayTokenPair(tokenA: side(zrx), tokenB: side(weth))],
                    maximumOrdersOfMaker: 100_000
                )
            ),
            exchangeProtocol: ZeroExV1(),
            chain: InstantChain(),
            recoverer: Secp256k1(),
            store: try SQLiteOrderStore(path: "\(folder)/relay.sqlite"),
            now: { UInt64(clamping: time(nil)) },
            logger: Logger(label: "bench.relay") { _ in SwiftLogNoOpLogHandler() }
        )
        try await relay.restore()
        let application = relay.application(port: 0) { port in
            // Written aside and renamed, so that it is never read half.
            guard let file = fopen("\(folder)/port.new", "w") else { return }
            fputs("\(port)", file)
            fclose(file)
            rename("\(folder)/port.new", "\(folder)/port")
        }
        try await application.run()
    }
}

/// A chain on which nothing is filled and every maker owns 2^100 of everything.
private struct InstantChain: ChainClient {
    private static let unavailable: [UInt8] = [0x7e, 0x9a, 0xbb, 0x50]

    func read(
        _ reads: [ChainRead]
    ) async throws(ChainError) -> [Result<ChainAnswer, ChainError>] {
        reads.map { read in
            switch read {
            case .block:
                let hash = BlockHash(UInt256(1).word)
                return .success(
                    .block(
                        Block(
                            number: 1,
                            hash: hash,
                            parentHash: hash,
                            timestamp: 0,
                            baseFeePerGas: nil,
                            gasLimit: 0,
                            gasUsed: 0
                        )
                    )
                )
            case .call(let request, _):
                let isOrder = request.data.starts(with: Self.unavailable)
                return .success(.bytes((isOrder ? .zero : UInt256(1) << 100).bigEndianBytes))
            default: return .failure(.rpc(code: -32601, message: "not for a relay"))
            }
        }
    }

    func send(raw: [UInt8]) async throws(ChainError) -> TransactionHash {
        throw .nonsense("a relay sends nothing")
    }
}
