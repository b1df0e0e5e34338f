import DexTestSupport
import Ethereum
import Foundation
import PostgresTestSupport
import SandboxHost
import StrictJSON
import Synchronization
import Testing
import ZeroEx

/// A relay with a store of its own that is killed again and again while orders are posted.
struct RelayKillBench: Sendable {
    /// Who posts at once.
    private static let posters = 3
    /// More orders than any kill lets pass.
    private static let maximumOrders = 5_000

    let dex: DexBinary
    let store: RelayKillStore
    private let orders: PostedOrders
    /// The path of its relay.toml.
    private let settings: String
    /// A usual start.
    private let start: Duration

    /// - Parameters:
    ///   - template: a relay.toml of the sandbox's chain.
    ///   - start: how long a start takes here.
    init(
        _ dex: DexBinary,
        _ store: RelayKillStore,
        source: OrderSource,
        template: String,
        start: Duration
    ) throws {
        self.dex = dex
        self.store = store
        self.start = start
        orders = PostedOrders(source)
        let file = dex.home.appending(path: "relay-\(UUID().uuidString.prefix(8)).toml")
        settings = file.path
        let text = template.replacing("sqlite:relay.sqlite", with: store.setting)
        try Data(text.utf8).write(to: file)
    }

    // MARK: Kills

    /// Starts the relay, lets orders be posted, and kills it.
    ///
    /// - Returns: whether it had come to serve.
    @discardableResult
    func strike(_ kill: RelayKill) async throws -> Bool {
        let mark = UUID().uuidString
        return try await HangWatch.shared.watching(mark, "dex relay serve, \(kill)") {
            var timer: Task<Void, any Error>?
            defer { timer?.cancel() }
            let relay: ServingRelay
            do {
                relay = try await ServingRelay(
                    dex,
                    mark: mark,
                    "--config",
                    settings,
                    environment: kill.environment(store.place),
                    onStart: { process in
                        guard case .moment(let part) = kill else { return }
                        let delay = start * part / 1_000
                        timer = Task {
                            try await Task.sleep(for: delay)
                            Glibc.kill(process, SIGKILL)
                        }
                    }
                )
            } catch let error as ServingRelay.NotServing where error.status == 137 {
                return false
            }
            do {
                try await checkKept(relay, "\(kill)")
                let ending = Ending(kill)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<Self.posters {
                        group.addTask { try await post(to: relay, ending) }
                    }
                    group.addTask { try await disturb(kill, relay, ending) }
                    try await group.waitForAll()
                }
                let status = await relay.status()
                #expect(status == 137, "\(kill)")
            } catch {
                relay.send(SIGKILL)
                _ = await relay.status()
                throw error
            }
            return true
        }
    }

    /// Every order that was said to be kept is there at the start, and none that was never posted.
    private func checkKept(_ relay: ServingRelay, _ story: String) async throws {
        let count = try #require(relay.report["orderCount"]?.numberText.flatMap { Int($0) })
        let (minimum, maximum) = (await orders.acknowledged.count, await orders.maximum)
        #expect(
            minimum <= count && count <= maximum,
            "\(minimum)...\(maximum), not \(count): \(story)"
        )
    }

    /// Whether a relay may end now.
    private final class Ending: Sendable {
        private let isExpected: Mutex<Bool>

        init(_ kill: RelayKill) {
            switch kill {
            case .step, .torn, .moment: isExpected = Mutex(true)
            case .databaseCrash, .backendKilled: isExpected = Mutex(false)
            }
        }

        func expect() {
            isExpected.withLock { $0 = true }
        }

        /// - Throws: `failure` if the relay must not end yet.
        func check(_ failure: KeptClient.Broken) throws {
            guard isExpected.withLock({ $0 }) else { throw failure }
        }
    }

    /// Posts until the connection breaks.
    private func post(to relay: ServingRelay, _ ending: Ending) async throws {
        let client: KeptClient
        do {
            client = try KeptClient(relay.url)
        } catch let error as KeptClient.Broken {
            // It was killed before anybody could post.
            return try ending.check(error)
        }
        while true {
            let order = try await orders.next()
            let answer: KeptClient.Answer
            do {
                answer = try await client.post(order.path, order.body)
            } catch let error as KeptClient.Broken {
                await orders.unanswered(order)
                return try ending.check(error)
            }
            guard await orders.maximum < Self.maximumOrders else {
                throw KeptClient.Broken(description: "the relay is never killed")
            }
            if await !orders.answered(order, answer) {
                try await Task.sleep(for: .milliseconds(10))
            }
        }
    }

    /// Ends a part of the database while orders are posted, and the relay when posts go on.
    private func disturb(
        _ kill: RelayKill,
        _ relay: ServingRelay,
        _ ending: Ending
    ) async throws {
        guard case .postgres(let database) = store else { return }
        switch kill {
        case .step, .torn, .moment: return
        case .databaseCrash:
            try await postSome()
            try await database.server.stop("immediate")
            try await database.server.start()
        case .backendKilled:
            try await postSome()
            let processes = try await database.run(
                """
                SELECT pid::bigint FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()
                """
            )
            let process = try #require(processes.first.flatMap { pid_t(exactly: $0) })
            // PostgreSQL ends all its processes then, and starts again by itself.
            Glibc.kill(process, SIGKILL)
        }
        try await postSome()
        ending.expect()
        relay.send(SIGKILL)
    }

    /// Returns when some more orders are kept.
    private func postSome() async throws {
        let count = await orders.acknowledged.count
        try await until("10 more acknowledged orders") {
            await orders.acknowledged.count >= count + 10
        }
    }

    // MARK: The end

    /// Starts the relay once more and holds what it has against what its clients were told.
    func finish(_ story: String) async throws {
        let mark = UUID().uuidString
        let served = try await HangWatch.shared.watching(mark, "dex relay serve") {
            let relay = try await ServingRelay(dex, mark: mark, "--config", settings)
            do {
                try await checkKept(relay, story)
                let client = try KeptClient(relay.url)
                while let order = try await orders.nextOpen() {
                    let answer = try await client.post(order.path, order.body)
                    try #require(await orders.answered(order, answer), "\(story)")
                }
                let served = try await listed(client)
                #expect(await relay.stop() == 0, "\(story)")
                return served
            } catch {
                relay.send(SIGKILL)
                _ = await relay.status()
                throw error
            }
        }
        let acknowledged = await orders.acknowledged.map(\.hex).sorted()
        #expect(served.map(\.hex).sorted() == acknowledged, "served: \(story)")
        let export = try await dex.run("relay export --config \(settings)")
        #expect(export.status == 0, "\(export.stderr) \(story)")
        let exported = try export.stdout.split(separator: "\n").map { line in
            let json = try JSONParser.parse(text: String(line))
            let version = json["version"]?.stringValue.flatMap { ProtocolVersion(rawValue: $0) }
            return try Self.hash(try #require(version), json["order"])
        }
        #expect(exported.map(\.hex).sorted() == acknowledged, "exported: \(story)")
        try await store.check(orders: acknowledged.count, story)
    }

    /// The orders of both versions, as often as they are listed.
    private func listed(_ client: KeptClient) async throws -> [OrderHash] {
        var hashes: [OrderHash] = []
        for page in 1...Self.maximumOrders {
            let answer = try await client.get("/v0/orders?page=\(page)&per_page=100")
            let items = try #require(try JSONParser.parse(text: answer.body).arrayValue)
            for item in items { hashes.append(try Self.hash(.v1, item)) }
            if items.count < 100 { break }
        }
        for page in 1...Self.maximumOrders {
            let answer = try await client.get("/sra/v4/orders?page=\(page)&perPage=100")
            let json = try JSONParser.parse(text: answer.body)
            let items = try #require(json["records"]?.arrayValue, "\(answer)")
            for item in items { hashes.append(try Self.hash(.v4, item["order"])) }
            if items.count < 100 { break }
        }
        return hashes
    }

    static func hash(_ version: ProtocolVersion, _ order: JSONValue?) throws -> OrderHash {
        try SandboxDeployment(version).exchangeProtocol.decodeOrder(try #require(order)).hash
    }
}
