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
    private static let makers: [(connections: Int, most: Double)] = [(256, 1.6), (64, 2.0)]
    private static let pageCount = 20_000
    private static let maximumPage = Duration.microseconds(80)
    private static let leastPosts = 4_000.0
    private static let leastPages = 10_000.0

    /// - Parameter verification: measures bare recoveries.
    static func run(_ verification: VerificationBenchmark) async throws -> [Measurement] {
        let posts = try await self.posts(warmUp + rounds * postsOfRound)
        let measured =
            try [KnownMakerBenchmark.run(recovery: verification.recoveryProcessorTime)]
            + makers.flatMap {
                try measurePosts(posts, verification, from: $0.connections, most: $0.most)
            }
        let book = Array(posts.prefix(2_000))
        return measured + (try measurePages(book)) + (try FeedBenchmark.run(posts: book))
    }

    private static func measurePosts(
        _ posts: [[UInt8]],
        _ verification: VerificationBenchmark,
        from connections: Int,
        most: Double
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
            let round = Array(posts[start..<start + postsOfRound])
            let recovery = verification.processorTimeOfOnePass
            let before = server.processor
            var answers: [HTTPLoad.Answer] = []
            wall += try ContinuousClock().measure { answers = try load.run(round) }
            let each = (server.processor - before) / postsOfRound
            try require(answers, 201)
            times.append(each)
            // The recoveries before and after a round surround it.
            let around = (recovery + verification.processorTimeOfOnePass) / 2
            ratios.append(each / around)
        }
        let rate = Double(rounds * postsOfRound) / (wall / .seconds(1))
        return [
            Measurement(
                name: "a durable post, \(connections) connections: processor time / bare recover",
                figure: microseconds(median(times)),
                ratio: median(ratios),
                limit: most
            ),
            Measurement(
                name: "4,000 posts a second / posts a second from \(connections) connections",
                figure: "\(decimals(rate, 0)) a second",
                ratio: leastPosts / rate,
                limit: 1
            ),
        ]
    }

    private static func measurePages(_ posts: [[UInt8]]) throws -> [Measurement] {
        let server = try RelayProcess(onOneCore: true)
        defer { server.stop() }
        var load = try HTTPLoad(port: server.port, connections: 8)
        defer { load.close() }
        try require(try load.run(posts), 201)
        let path =
            "/v0/orderbook?baseTokenAddress=\(RelayBenchmarkServer.zrx.lowercaseHex)"
            + "&quoteTokenAddress=\(RelayBenchmarkServer.weth.lowercaseHex)&per_page=50"
        // 50 of each side: 100 orders.
        let requests = (0..<pageCount).map { index in
            Array("GET \(path)&page=\(index % 4 + 1) HTTP/1.1\r\nHost: relay.test\r\n\r\n".utf8)
        }
        try require(try load.run(Array(requests.prefix(pageCount / 10))), 200)
        let before = server.processor
        var answers: [HTTPLoad.Answer] = []
        let wall = try ContinuousClock().measure { answers = try load.run(requests) }
        let each = (server.processor - before) / pageCount
        try require(answers, 200)
        let rate = Double(pageCount) / (wall / .seconds(1))
        let others = server.processor
        let wrk = try WrkRun(
            url: "http://127.0.0.1:\(server.port)\(path)",
            connections: 32,
            seconds: 3
        )
        let eachOfWrk = (server.processor - others) / wrk.requests
        let size = answers.reduce(0) { $0 + $1.length } / answers.count
        return [
            Measurement(
                name: "a page of 100 orders: processor time / 80 us",
                figure: "\(decimals(each / .microseconds(1), 1)) us for \(size / 1_024) KiB",
                ratio: each / maximumPage,
                limit: 1
            ),
            Measurement(
                name: "10,000 pages a second / pages a second",
                figure: "\(decimals(rate, 0)) a second",
                ratio: leastPages / rate,
                limit: 1
            ),
            Measurement(
                name: "10,000 pages a second / those that wrk reads",
                figure: "\(decimals(wrk.requestsPerSecond, 0)) a second, "
                    + microseconds(eachOfWrk),
                ratio: leastPages / wrk.requestsPerSecond,
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
