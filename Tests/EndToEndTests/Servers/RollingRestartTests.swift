import DexTestSupport
import Ethereum
import Foundation
import PostgresTestSupport
import StrictJSON
import Synchronization
import Testing
import ZeroEx

@testable import EndToEndTestSupport

/// Three instances behind HAProxy, restarted one after the other while clients go on.
@Suite("A rolling restart")
struct RollingRestartTests {
    /// What clients without pause got.
    private final class Load: Sendable {
        private let state = Mutex((answers: 0, failures: [String](), isStopped: false))

        var answers: Int { state.withLock { $0.answers } }
        var failures: [String] { state.withLock { $0.failures } }
        var isStopped: Bool { state.withLock { $0.isStopped } }

        func stop() {
            state.withLock { $0.isStopped = true }
        }

        func note(failure: String?) {
            state.withLock { state in
                state.answers += 1
                if let failure { state.failures.append(failure) }
            }
        }
    }

    @Test("behind HAProxy no request fails, feeds resume, and one instance watches the chain")
    func rolling() async throws {
        let server = try await PostgresServer()
        let database = try await server.makeDatabase()
        let dex = try DexBinary()
        try await dex.withSandbox { sandbox in
            let mark = UUID().uuidString
            try await HangWatch.shared.watching(mark, "three relays behind HAProxy") {
                let relays = try await BalancedRelays(dex, on: database, mark: mark)
                try await run(relays, sandbox)
            }
        }
        try await server.stop()
    }

    private func run(_ relays: BalancedRelays, _ sandbox: TestSandbox) async throws {
        let load = Load()
        let orders = PostedOrders(try OrderSource(sandbox, versions: [.v1]))
        let reader = try FeedReader(relays.url)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for kind in [0, 0, 1, 1, 1] {
                group.addTask {
                    if kind == 0 {
                        try await post(orders, to: relays.url, load)
                    } else {
                        try await read(relays.url, load)
                    }
                }
            }
            group.addTask { try await reader.run() }
            do {
                try await restartAll(relays, load)
                load.stop()
                await reader.stop()
                try await compare(relays, orders, reader)
            } catch {
                load.stop()
                // The reader ends with its connection.
                await relays.end()
                throw error
            }
            await relays.end()
            try await group.waitForAll()
        }
        #expect(load.failures.isEmpty)
        #expect(await reader.resumptions > 0)
        #expect(await reader.gaps == 0)
        #expect(await reader.comparisons == 0)
        print(
            "\(load.answers) answers, \(load.failures.count) failures, "
                + "\(await reader.resumptions) resumptions of the feed"
        )
    }

    private func restartAll(_ relays: BalancedRelays, _ load: Load) async throws {
        try await more(load)
        for index in 0..<3 {
            let before = load.answers
            try await relays.restart(index)
            let (during, back) = (load.answers - before, ContinuousClock.now)
            try await until("one instance to watch") { try await relays.watching().count == 1 }
            print(
                "instance \(index + 1) restarted during \(during) answers; one instance watches "
                    + "\(ContinuousClock.now - back) later"
            )
            try await more(load)
        }
    }

    /// The feed and each instance have exactly the orders that were said to be kept.
    private func compare(
        _ relays: BalancedRelays,
        _ orders: PostedOrders,
        _ reader: FeedReader
    ) async throws {
        try await until("every post to be acknowledged") {
            await orders.maximum == orders.acknowledged.count
        }
        let acknowledged = await orders.acknowledged
        try await until("\(acknowledged.count) orders on the feed") {
            await reader.book.count >= acknowledged.count
        }
        #expect(await reader.book == acknowledged)
        for instance in relays.instances {
            try await until("\(acknowledged.count) orders at \(instance.url)") {
                try await Self.book(instance.url).count >= acknowledged.count
            }
            #expect(try await Self.book(instance.url) == acknowledged, "\(instance)")
        }
    }

    /// Returns when clients got some more answers.
    private func more(_ load: Load) async throws {
        let count = load.answers
        try await until("100 more answers") { load.answers >= count + 100 }
    }

    private func post(_ orders: PostedOrders, to url: String, _ load: Load) async throws {
        var client = try KeptClient(url)
        while !load.isStopped {
            let order = try await orders.next()
            do {
                let answer = try await client.post(order.path, order.body)
                _ = await orders.answered(order, answer)
                load.note(failure: answer.status == order.success ? nil : "POST: \(answer)")
            } catch let error as KeptClient.Broken {
                await orders.unanswered(order)
                load.note(failure: "POST: \(error)")
                client = try KeptClient(url)
            }
            try await Task.sleep(for: .milliseconds(40))
        }
        // What failed is posted again, so that the books can be compared.
        while let order = try await orders.nextOpen() {
            _ = await orders.answered(order, try await client.post(order.path, order.body))
        }
    }

    private func read(_ url: String, _ load: Load) async throws {
        let pair =
            "baseTokenAddress=\(FaultTrader.zrx.lowercaseHex)"
            + "&quoteTokenAddress=\(FaultTrader.weth.lowercaseHex)"
        var client = try KeptClient(url)
        while !load.isStopped {
            for target in ["/v0/orderbook?\(pair)&per_page=20", "/v0/orders?per_page=20", "/"] {
                do {
                    let answer = try await client.get(target)
                    load.note(failure: answer.status == 200 ? nil : "GET \(target): \(answer)")
                } catch let error as KeptClient.Broken {
                    load.note(failure: "GET \(target): \(error)")
                    client = try KeptClient(url)
                }
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// All orders that an instance shows.
    private static func book(_ url: String) async throws -> Set<OrderHash> {
        let client = try KeptClient(url)
        var hashes: Set<OrderHash> = []
        for page in 1...1_000 {
            let answer = try await client.get("/v0/orders?page=\(page)&per_page=100")
            let items = try #require(
                try JSONParser.parse(text: answer.body).arrayValue,
                "\(answer)"
            )
            for item in items { hashes.insert(try RelayKillBench.hash(.v1, item)) }
            if items.count < 100 { break }
        }
        return hashes
    }
}
