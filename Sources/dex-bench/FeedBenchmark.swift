import Ethereum
import Glibc

/// A relay with 2,000 subscribers of a pair: how long the changes of a block take to them.
struct FeedBenchmark {
    static let subscribers = 2_000

    private static let blocks = 12
    private static let maximumWait = Duration.milliseconds(250)

    /// - Parameter posts: requests that fill the book.
    static func run(posts: [[UInt8]]) throws -> [Measurement] {
        try Loopback.allow(connections: subscribers)
        let server = try RelayProcess(onOneCore: false)
        defer { server.stop() }
        var load = try HTTPLoad(port: server.port, connections: 64)
        try RelayBenchmark.require(try load.run(posts), 201)
        load.close()
        let feed = try FeedLoad(
            port: server.port,
            path: "/v0/ws",
            subscribers: subscribers,
            subscription: """
                {"type":"subscribe","channel":"orderbook","requestId":1,"payload":{\
                "baseTokenAddress":"\(RelayBenchmarkServer.zrx.lowercaseHex)",\
                "quoteTokenAddress":"\(RelayBenchmarkServer.weth.lowercaseHex)",\
                "snapshot":true,"limit":1}}
                """
        )
        defer { feed.close() }
        var waits: [Duration] = []
        let serverBefore = server.processor
        let loadBefore = FeedLoad.processor
        for number in 2..<2 + blocks {
            let last = feed.sequence
            let seen = try server.block(number)
            let read = try feed.read(
                until: last + UInt64(BenchmarkChain.changesOfBlock),
                within: .seconds(10)
            )
            waits += read.map { $0 - seen }
        }
        let messages = subscribers * blocks
        let each = (server.processor - serverBefore) / messages
        let loadEach = (FeedLoad.processor - loadBefore) / messages
        waits.sort()
        let worst = waits[waits.count * 99 / 100]
        return [
            // Each: the relay's processor time for all changes of a block to one reader.
            Measurement(
                name: "100 changes to 2,000 readers: p99 / 250 ms",
                figure: milliseconds(worst) + "; " + microseconds(each) + " each, reading them "
                    + microseconds(loadEach),
                ratio: worst / maximumWait,
                limit: 1
            )
        ]
    }
}
