import DexCore
import DexNetwork
import Ethereum
import Glibc
import Synchronization
import Uniswap
import ZeroEx

/// Prices of Uniswap's pools at a node far away: how many requests of `dex price` follow each other,
/// and how long the quotes of twelve paths take beside one small call.
enum PoolPriceBenchmark {
    /// Requests after each other.
    private static let maximumRounds = 3.0
    private static let maximumQuotes = 1.3
    private static let quotes = 12
    private static let runs = 5

    /// So long that computing counts as no trip, on a busy machine too.
    private static let longDelay = 1_000
    private static let shortDelay = 100

    static func run(binary: String) async throws -> [Measurement] {
        var measurements = try await atNode(delay: longDelay) { url, folder in
            try [[], ["--amount", "2"], ["--amount", "2", "--side", "sell"]].map {
                try rounds(binary, $0, url, folder)
            }
        }
        measurements += try await atNode(delay: shortDelay) { url, _ in
            [try await twelvePaths(url)]
        }
        return measurements
    }

    /// - Parameter delay: milliseconds.
    private static func atNode(
        delay: Int,
        _ measure: (_ url: String, _ folder: TemporaryHome) async throws -> [Measurement]
    ) async throws -> [Measurement] {
        let folder = try TemporaryHome()
        Notice.write("\(delay)", to: "\(folder.path)/delay")
        let server = try ServerProcess(role: PoolMarketServer.role, folder: folder.path)
        defer { server.stop() }
        let port = try Notice.wait(.seconds(30), for: "The benchmark's node") {
            Notice.read("\(folder.path)/port").flatMap { UInt16($0) }
        }
        let measurements = try await measure("http://127.0.0.1:\(port)", folder)
        try folder.remove()
        return measurements
    }

    private static func rounds(
        _ binary: String,
        _ arguments: [String],
        _ url: String,
        _ folder: TemporaryHome
    ) throws -> Measurement {
        func counted() -> (rounds: Int, requests: Int) {
            let words = (Notice.read("\(folder.path)/rounds") ?? "").split(separator: " ")
            let numbers = words.compactMap { Int($0) }
            return (numbers.first ?? 0, numbers.last ?? 0)
        }
        let before = counted()
        let command =
            [binary, "price", PoolMarketServer.pair, "--network", PoolMarketServer.network]
            + arguments + ["--rpc", url, "--json", "--quiet"]
        let child = try ChildProcess.run(
            command,
            environment: ["DEX_HOME": folder.path, "DEX_NETWORK": PoolMarketServer.network],
            keepsOutput: true
        )
        guard child.exitCode == 0 else {
            print(child.output)
            throw ChildProcessError.exited(command, child.exitCode)
        }
        let after = counted()
        let rounds = after.rounds - before.rounds
        let words = (["dex price"] + arguments).joined(separator: " ")
        return Measurement(
            name: "\(words), pools alone: trips / \(Int(maximumRounds))",
            figure: "\(rounds) (\(after.requests - before.requests) requests)",
            ratio: Double(rounds) / maximumRounds,
            limit: 1
        )
    }

    /// The last round trip of a price, with all that follows it, against a call of one token.
    private static func twelvePaths(_ url: String) async throws -> Measurement {
        let (network, pools) = try PoolMarketServer.bundled()
        let (weth, usdc) = try PoolMarketServer.tokens()
        let transport = TimedTransport(CurlTransport())
        let chain = JSONRPCChainClient(urls: [url], transport: transport)
        let small = ChainRead.call(
            CallRequest(to: weth, data: ERC20.call("decimals()")),
            .latest
        )
        // The connection is open from here on.
        _ = try await chain.read([small])
        var calls: [Duration] = []
        var trips: [Duration] = []
        var quoted = 0
        for _ in 0..<runs {
            calls.append(
                try await ContinuousClock().measure { _ = try await chain.read([small]) }
            )
            // Anew each time, since it remembers what the factory confirmed.
            guard
                let source = PoolSource(
                    network,
                    chain: chain,
                    tokens: try TokenMap(chainID: network.chainID),
                    now: { UInt64(clamping: time(nil)) }
                )
            else { throw NoPath() }
            transport.forget()
            _ = try await source.price(
                SwapRequest(
                    chainID: network.chainID,
                    sell: .token(weth),
                    buy: .token(usdc),
                    amount: .exactIn(2_000_000_000_000_000_000),
                    slippage: 5_000
                )
            )
            let end = ContinuousClock.now
            let sent = transport.sent
            guard let first = sent.first,
                let begin = sent.first(where: { $0.began >= first.ended })?.began
            else { throw NoPath() }
            trips.append(end - begin)
            let quoter = Array(pools.quoter.lowercaseHex.dropFirst(2).utf8)
            quoted = sent.filter { $0.began >= begin }.map { $0.count(of: quoter) }.reduce(0, +)
        }
        guard quoted >= quotes else { throw NoPath() }
        return Measurement(
            name: "\(quotes) paths (\(quoted) quotes) / one call (\(milliseconds(median(calls))))",
            figure: milliseconds(median(trips)),
            ratio: median(trips) / median(calls),
            limit: maximumQuotes
        )
    }

    private struct NoPath: Error, CustomStringConvertible {
        var description: String { "The benchmark's node has too few paths." }
    }
}

/// Remembers when each request was sent and answered.
private final class TimedTransport: HTTPTransport {
    struct Sent {
        let body: [UInt8]
        let began: ContinuousClock.Instant
        let ended: ContinuousClock.Instant

        /// How often a text is in the body.
        func count(of text: [UInt8]) -> Int {
            String(decoding: body, as: UTF8.self).lowercased()
                .split(
                    separator: String(decoding: text, as: UTF8.self),
                    omittingEmptySubsequences: false
                )
                .count - 1
        }
    }

    private let wrapped: any HTTPTransport
    private let requests = Mutex<[Sent]>([])

    init(_ wrapped: any HTTPTransport) {
        self.wrapped = wrapped
    }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let began = ContinuousClock.now
        let response = try await wrapped.send(request)
        requests.withLock {
            $0.append(Sent(body: request.body, began: began, ended: .now))
        }
        return response
    }

    /// In the order of their answers.
    var sent: [Sent] { requests.withLock { $0 } }

    func forget() { requests.withLock { $0 = [] } }
}
