import Ethereum
import EthereumWallet
import Glibc
import StrictJSON
import ZeroEx

/// A hosted relay under load: posts that are on disk when they are answered, and pages of a book.
struct RelayBenchmark {
    private static let warmUp = 1_000
    /// Posts come in rounds with bare recoveries between them: a slow moment of the machine affects
    /// both.
    private static let rounds = 5
    private static let postsOfRound = 3_000
    /// Connections that post at once, each the next one when it has its answer, and the most that a
    /// post then takes of a bare recovery: few share the cost of a commit among fewer.
    private static let makers: [(connections: Int, maximum: Double)] = [(256, 1.6), (64, 2.0)]
    private static let pagesOfRound = 4_000
    /// 80 us where a bare recovery takes 50.
    private static let maximumOfPage = 1.6
    private static let minimumPosts = 4_000.0
    private static let minimumPages = 10_000.0

    /// - Parameters:
    ///   - verification: measures bare recoveries.
    ///   - show: gets each group as it is measured.
    static func run(
        _ verification: VerificationBenchmark,
        _ show: ([Measurement]) -> Void
    ) async throws {
        let posts = try await self.posts(warmUp + rounds * postsOfRound)
        show(
            try await Steady.measured {
                [try KnownMakerBenchmark.run(recovery: verification.recoveryProcessorTime)]
            }
        )
        for (connections, maximum) in makers {
            show(
                try await Steady.measured {
                    try measurePosts(posts, verification, from: connections, maximum: maximum)
                }
            )
        }
        let book = Array(posts.prefix(2_000))
        show(try await Steady.measured { try measurePages(book, verification) })
        show(try await Steady.measured { try FeedBenchmark.run(posts: book) })
    }

    /// Requests between bare recoveries, which surround them.
    private struct Round {
        let answers: [HTTPLoad.Answer]
        let wall: Duration
        /// Processor time of the relay for a request.
        let each: Duration
        /// The same in bare recoveries of that moment.
        let ratio: Double

        init(
            _ requests: [[UInt8]],
            _ load: inout HTTPLoad,
            _ server: RelayProcess,
            _ verification: VerificationBenchmark
        ) throws {
            let recovery = verification.processorTimeOfOnePass
            let before = server.processor
            let clock = ContinuousClock()
            let start = clock.now
            answers = try load.run(requests)
            wall = clock.now - start
            each = (server.processor - before) / requests.count
            ratio = each / ((recovery + verification.processorTimeOfOnePass) / 2)
        }
    }

    private static func measurePosts(
        _ posts: [[UInt8]],
        _ verification: VerificationBenchmark,
        from connections: Int,
        maximum: Double
    ) throws -> [Measurement] {
        let server = try RelayProcess(onOneCore: false)
        defer { server.stop() }
        var load = try HTTPLoad(port: server.port, connections: connections)
        defer { load.close() }
        try require(try load.run(Array(posts.prefix(warmUp))), 201)
        var times: [Duration] = []
        var ratios: [Double] = []
        var wall = Duration.zero
        for start in stride(from: warmUp, to: posts.count, by: postsOfRound) {
            let requests = Array(posts[start..<start + postsOfRound])
            let round = try Round(requests, &load, server, verification)
            try require(round.answers, 201)
            wall += round.wall
            times.append(round.each)
            ratios.append(round.ratio)
        }
        let rate = Double(rounds * postsOfRound) / (wall / .seconds(1))
        return [
            Measurement(
                name: "a durable post, \(connections) connections: processor time / bare recover",
                figure: microseconds(median(times)),
                ratio: median(ratios),
                limit: maximum
            ),
            Measurement(
                name: "4,000 posts a second / posts a second from \(connections) connections",
                figure: "\(decimals(rate, 0)) a second",
                ratio: minimumPosts / rate,
                limit: 1
            ),
        ]
    }

    private static func measurePages(
        _ posts: [[UInt8]],
        _ verification: VerificationBenchmark
    ) throws -> [Measurement] {
        let server = try RelayProcess(onOneCore: true)
        defer { server.stop() }
        var load = try HTTPLoad(port: server.port, connections: 8)
        defer { load.close() }
        try require(try load.run(posts), 201)
        let path =
            "/v0/orderbook?baseTokenAddress=\(RelayBenchmarkServer.zrx.lowercaseHex)"
            + "&quoteTokenAddress=\(RelayBenchmarkServer.weth.lowercaseHex)&per_page=50"
        // 50 of each side: 100 orders.
        let requests = (0..<pagesOfRound).map { index in
            Array("GET \(path)&page=\(index % 4 + 1) HTTP/1.1\r\nHost: relay.test\r\n\r\n".utf8)
        }
        try require(try load.run(requests), 200)
        var times: [Duration] = []
        var ratios: [Double] = []
        var wall = Duration.zero
        var size = 0
        for _ in 0..<rounds {
            let round = try Round(requests, &load, server, verification)
            try require(round.answers, 200)
            wall += round.wall
            times.append(round.each)
            ratios.append(round.ratio)
            size = round.answers.reduce(0) { $0 + $1.length } / round.answers.count
        }
        let rate = Double(rounds * pagesOfRound) / (wall / .seconds(1))
        let others = server.processor
        let wrk = try WrkRun(
            url: "http://127.0.0.1:\(server.port)\(path)",
            connections: 32,
            seconds: 3
        )
        let eachOfWrk = (server.processor - others) / wrk.requests
        return [
            Measurement(
                name: "a page of 100 orders: processor time / bare recover",
                figure: "\(microseconds(median(times))) for \(size / 1_024) KiB",
                ratio: median(ratios),
                limit: maximumOfPage
            ),
            Measurement(
                name: "10,000 pages a second / pages a second",
                figure: "\(decimals(rate, 0)) a second",
                ratio: minimumPages / rate,
                limit: 1
            ),
            Measurement(
                name: "10,000 pages a second / those that wrk reads",
                figure: "\(decimals(wrk.requestsPerSecond, 0)) a second, "
                    + microseconds(eachOfWrk),
                ratio: minimumPages / wrk.requestsPerSecond,
                limit: 1
            ),
        ]
    }

    /// Requests that post different orders, half of them asks.
    private static func posts(_ count: Int) async throws -> [[UInt8]] {
        let signer = try PrivateKeySigner(key: UInt256(0x1111).word)
        let protocolV1 = ZeroExV1()
        var posts: [[UInt8]] = []
        for index in 0..<UInt64(count) {
            let isAsk = index.isMultiple(of: 2)
            let draft = OrderDraft(
                exchange: RelayBenchmarkServer.contracts.exchange,
                maker: signer.address,
                makerToken: isAsk ? RelayBenchmarkServer.zrx : RelayBenchmarkServer.weth,
                takerToken: isAsk ? RelayBenchmarkServer.weth : RelayBenchmarkServer.zrx,
                makerAmount: 1_000_000,
                takerAmount: UInt256(2_000_000 + index * 7_919 % 10_007),
                expiry: UInt256(UInt64(clamping: time(nil)) + 3_600),
                salt: UInt256(index)
            )
            let order = try await protocolV1.sign(draft, with: signer)
            let body = protocolV1.encodeOrder(order).utf8
            let head =
                "POST /v0/order HTTP/1.1\r\nHost: relay.test\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
            posts.append(Array(head.utf8) + body)
        }
        return posts
    }

    /// Every answer has this status.
    static func require(_ answers: [HTTPLoad.Answer], _ status: Int) throws {
        if let wrong = answers.first(where: { $0.status != status }) {
            throw WrongAnswer(status: wrong.status, expected: status)
        }
    }

    private struct WrongAnswer: Error, CustomStringConvertible {
        let status: Int
        let expected: Int

        var description: String { "The relay answered \(status), not \(expected)." }
    }
}
