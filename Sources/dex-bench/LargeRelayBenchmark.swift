import DexCore
import Ethereum
import Glibc
import StrictJSON
import ZeroEx

/// A hosted relay with 100,000 orders and 2,000 readers: its start, its memory, and how soon a
/// fill leaves its book.
struct LargeRelayBenchmark {
    private static let ordersOfVersion = 50_000
    private static let fills = 5
    private static let megabyte = 1_048_576.0
    private static let maximumMemory = 400.0
    private static let longestStart = Duration.seconds(5)
    private static let longestFill = Duration.seconds(1)

    static func run(binary: String) async throws -> [Measurement] {
        try Loopback.allow(connections: FeedBenchmark.subscribers)
        var sandbox = try BenchmarkSandbox(binary: binary, orders: ordersOfVersion)
        let store = "\(sandbox.home)/large.sqlite"
        try sandbox.copyOrders(to: [store])
        let relay = try HostedRelayProcess(sandbox, store: store)
        defer { relay.stop() }
        let pair = try tokens()
        let feed = try FeedLoad(
            port: relay.port,
            path: "/v0/ws",
            subscribers: FeedBenchmark.subscribers,
            subscription: """
                {"type":"subscribe","channel":"orderbook","requestId":1,"payload":{\
                "baseTokenAddress":"\(pair.base)","quoteTokenAddress":"\(pair.quote)",\
                "snapshot":true,"limit":1}}
                """
        )
        defer { feed.close() }
        let orders = try relay.orderCount()
        guard orders >= 2 * ordersOfVersion else { throw TooFew(orders: orders) }
        var slowest = Duration.zero
        for hash in try hashes(relay, pair).prefix(fills) {
            slowest = max(slowest, try await fill(hash, sandbox, relay, feed))
        }
        let memory = Double(relay.peakMemory) / megabyte
        try sandbox.stop()
        return [
            Measurement(
                name: "\(orders) orders and 2,000 readers: memory / 400 MiB",
                figure: "\(decimals(memory, 1)) MiB",
                ratio: memory / maximumMemory,
                limit: 1
            ),
            Measurement(
                name: "\(orders) orders: from start to ready / 5 s",
                figure: milliseconds(relay.startTime),
                ratio: relay.startTime / longestStart,
                limit: 1
            ),
            Measurement(
                name: "a fill leaves the book, slowest of \(fills) / 1 s",
                figure: milliseconds(slowest),
                ratio: slowest / longestFill,
                limit: 1
            ),
        ]
    }

    private static func tokens() throws -> (base: String, quote: String) {
        let sandbox = try NetworkCatalog.bundled().first { $0.isSandbox }
        let tokens = try TokenMap(chainID: sandbox?.chainID ?? 0)
        func address(_ symbol: String) throws -> String {
            guard let token = tokens.search(symbol).first(where: { $0.symbol == symbol }) else {
                throw NoToken(symbol: symbol)
            }
            return token.address.lowercaseHex
        }
        return (try address("ZRX"), try address("WETH"))
    }

    /// Asks that anyone may fill, beyond the first, which have a history.
    private static func hashes(
        _ relay: HostedRelayProcess,
        _ pair: (base: String, quote: String)
    ) throws -> [OrderHash] {
        let page = try relay.get(
            "/v0/orderbook?baseTokenAddress=\(pair.base)&quoteTokenAddress=\(pair.quote)"
                + "&per_page=100&page=2"
        )
        let asks = try JSONParser.parse(page.body)["asks"]?.arrayValue ?? []
        let version = ZeroExV1()
        return try asks.map { try version.decodeOrder($0) }.filter { $0.taker == .zero }
            .map(\.hash)
    }

    /// Fills an order with the binary.
    ///
    /// - Returns: from its block until every reader was told and the relay serves it no more.
    private static func fill(
        _ hash: OrderHash,
        _ sandbox: BenchmarkSandbox,
        _ relay: HostedRelayProcess,
        _ feed: FeedLoad
    ) async throws -> Duration {
        try feed.settle()
        let last = feed.sequence
        let height = try sandbox.height()
        let filling = Task.detached {
            try sandbox.run([
                "fill", hash.description, "--network", "sandbox", "--wallet", "bob", "--yes", "-q",
                "--relay", "http://127.0.0.1:\(relay.port)/v0",
            ])
        }
        // The block came after the last answer without it.
        var mined = Moment.now
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            let asked = Moment.now
            if try sandbox.height() != height { break }
            mined = asked
            usleep(500)
        }
        let read = try feed.read(until: last + 1, within: .seconds(20))
        let gone = try Notice.wait(.seconds(20), for: "The end of order \(hash)") {
            try relay.get("/v0/order/\(hash)").status == 404 ? Moment.now : nil
        }
        let child = try await filling.value
        guard child.exitCode == 0 else {
            throw ChildProcessError.exited(["dex", "fill", hash.description], child.exitCode)
        }
        return max(gone, read.max() ?? gone) - mined
    }

    private struct TooFew: Error, CustomStringConvertible {
        let orders: Int

        var description: String { "The relay has \(orders) orders only." }
    }

    private struct NoToken: Error, CustomStringConvertible {
        let symbol: String

        var description: String { "The sandbox's chain has no token \(symbol)." }
    }
}
