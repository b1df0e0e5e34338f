import DexSandbox
import Ethereum
import Logging
import StrictJSON
import Synchronization

/// 0x's Swap API v2 over the sandbox's own pools.
///
/// It reads nothing but the chain. Its call data is written by its own code, so a client's rules
/// are not tested against themselves.
///
/// Source: 0x's OpenAPI description.
final class SwapAPI: Sendable {
    /// A request without its host.
    struct Request: Sendable {
        let path: String
        /// The parameters of the query, without escapes.
        var items: [(name: String, value: String)] = []
        /// The header 0x-api-key.
        var key: String?
        /// The header 0x-version.
        var version: String?
    }

    struct Reply: Hashable, Sendable {
        var status = 200
        var isWebPage = false
        let body: [UInt8]
    }

    /// The route of a sold token to the Settler.
    enum Endpoint: String, CaseIterable, Sendable {
        case allowanceHolder = "allowance-holder"
        case permit2

        /// The contract that is approved.
        var spender: Address {
            switch self {
            case .allowanceHolder: GenesisSwap.allowanceHolder
            case .permit2: GenesisSwap.permit2
            }
        }
    }

    static let pricePaths = Endpoint.allCases.map { "/swap/\($0.rawValue)/price" }
    static let quotePaths = Endpoint.allCases.map { "/swap/\($0.rawValue)/quote" }
    static let chainsPath = "/swap/chains"
    static let sourcesPath = "/sources"

    /// How long a quote can be sent, in seconds.
    static let lifetime: UInt64 = 300
    /// The delay of the fault `slow`.
    static let slowness = Duration.seconds(30)

    private let chain: any ChainClient
    private let chainID: UInt64
    private let board: FaultRegistry
    private let now: @Sendable () -> UInt64
    private let sleep: @Sendable (Duration) async throws -> Void
    private let logger: Logger
    private let answered = Mutex<UInt64>(0)

    /// - Parameter now: seconds since 1970.
    init(
        chain: any ChainClient,
        chainID: UInt64 = SandboxTokens.chainID,
        board: FaultRegistry,
        now: @escaping @Sendable () -> UInt64,
        sleep: @escaping @Sendable (Duration) async throws -> Void = {
            try await ContinuousClock().sleep(for: $0)
        },
        logger: Logger = Logger(label: "dex.sandbox.swap") { _ in SwiftLogNoOpLogHandler() }
    ) {
        self.chain = chain
        self.chainID = chainID
        self.board = board
        self.now = now
        self.sleep = sleep
        self.logger = logger
    }

    /// Answers a request; every refusal is an answer.
    ///
    /// - Throws: only what interrupts the delay of the fault `slow`.
    func answer(_ request: Request) async throws -> Reply {
        let time = now()
        let id = identifier(time)
        let zid = Hex.encode(id.bytes.prefix(12))
        do throws(SwapAPIError) {
            guard request.key?.isEmpty == false else { throw .noKey }
            guard request.version == "v2" else {
                throw .invalid([.init(field: "0x-version", reason: "Must be v2")])
            }
            switch request.path {
            case Self.chainsPath: return Reply(body: chains(zid).utf8)
            case Self.sourcesPath: return Reply(body: try sources(request, zid).utf8)
            default: break
            }
            guard let (endpoint, isFirm) = Self.endpoint(request.path) else { throw .nothingHere }
            let query = try SwapAPIQuery(request.items, isFirm: isFirm, chainID: chainID)
            let quote = SwapQuoting(
                query: query,
                endpoint: endpoint,
                isFirm: isFirm,
                chainID: chainID,
                snapshot: try await snapshot(query, endpoint),
                time: time,
                id: id,
                zid: zid
            )
            let strike = board.quoteStrike { kind in
                (isFirm || kind.strikesPrices) && (!query.isDirectWrap || kind.strikesWraps)
            }
            switch strike?.kind {
            case .html: return Self.webPage
            case .slow: try await pause()
            default: break
            }
            return Reply(body: JSONValue.object(try quote.body(strike)).utf8)
        } catch {
            if error.isInterruption { throw CancellationError() }
            return Reply(status: error.status, body: error.json(zid).utf8)
        }
    }

    private func snapshot(
        _ query: SwapAPIQuery,
        _ endpoint: Endpoint
    ) async throws(SwapAPIError) -> SwapSnapshot {
        do throws(ChainError) {
            return try await SwapSnapshot.read(chain, for: query, spender: endpoint.spender)
        } catch {
            logger.error("The swap API got no answer of the chain: \(error)")
            throw .failed
        }
    }

    private func pause() async throws(SwapAPIError) {
        do {
            try await sleep(Self.slowness)
        } catch {
            throw .interrupted
        }
    }

    /// A new word for each answer; ids and nonces come from it.
    private func identifier(_ time: UInt64) -> Bytes32 {
        let count = answered.withLock { count in
            count &+= 1
            return count
        }
        return Keccak256.hash("dex sandbox swap \(time) \(count)".utf8)
    }

    private static func endpoint(_ path: String) -> (Endpoint, isFirm: Bool)? {
        if let index = pricePaths.firstIndex(of: path) { return (Endpoint.allCases[index], false) }
        if let index = quotePaths.firstIndex(of: path) { return (Endpoint.allCases[index], true) }
        return nil
    }

    private func chains(_ zid: String) -> JSONValue {
        [
            "chains": [
                ["chainId": .integer(chainID), "chainName": "Sandbox"]
            ],
            "zid": .string(zid),
        ]
    }

    private func sources(
        _ request: Request,
        _ zid: String
    ) throws(SwapAPIError) -> JSONValue {
        var fields = SwapAPIFields(request.items)
        fields.check(chainID: chainID)
        guard fields.faults.isEmpty else { throw .invalid(fields.faults) }
        return ["sources": [.string(SwapAnswer.source)], "zid": .string(zid)]
    }

    private static let webPage = Reply(
        isWebPage: true,
        body: Array("<!doctype html>\n<title>Sandbox</title>\n<p>A fault of the sandbox.\n".utf8)
    )
}
