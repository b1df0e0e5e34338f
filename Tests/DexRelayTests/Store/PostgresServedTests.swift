import DexTestSupport
import Ethereum
import EthereumWallet
import PostgresTestSupport
import StrictJSON
import Synchronization
import Testing
import ZeroEx

@testable import DexRelay

/// Two instances as their clients see them over HTTP, while one of them loses its database.
@Suite struct PostgresServedTests {
    /// What happens to the way to the database.
    enum Trouble: String, CaseIterable, Sendable {
        /// Connections break, and new ones are refused.
        case cut
        /// Nothing gets through; connections stay open.
        case swallowed
    }

    /// An instance over a store of its own.
    private struct Instance: ServedRelay {
        let server: RelayServer

        init(_ fixture: RelayFixture, _ store: any OrderStore) {
            let clock = fixture.clock
            server = RelayServer(
                RelayMarket.Terms(
                    configuration: LiveConfiguration(fixture.server.intake.configuration),
                    exchangeProtocol: ZeroExV1()
                ),
                chain: fixture.chain,
                recoverer: Secp256k1(),
                store: store,
                now: { clock.now },
                logger: .silent
            )
        }
    }

    /// Reads of the book without a pause; each must get 200.
    private final class Reader: Sendable {
        private let state = Mutex((reads: 0, refused: [Int](), isStopped: false))

        var reads: Int { state.withLock { $0.reads } }
        var refused: [Int] { state.withLock { $0.refused } }

        func stop() {
            state.withLock { $0.isStopped = true }
        }

        func run(_ relay: RelayConnection) async throws {
            let pair =
                "baseTokenAddress=\(RelayFixture.zrx.lowercaseHex)"
                + "&quoteTokenAddress=\(RelayFixture.weth.lowercaseHex)"
            while !state.withLock({ $0.isStopped }) {
                for path in ["/v0/orders", "/v0/orderbook?\(pair)", "/healthz"] {
                    let status = try await relay.get(path).status
                    state.withLock { state in
                        state.reads += 1
                        if status != 200 { state.refused.append(status) }
                    }
                }
            }
        }
    }

    /// Runs a body with a near instance, and one that is served through a way to the database.
    private func serving(
        _ near: any OrderStore,
        _ far: any OrderStore,
        _ body:
            @escaping @Sendable (
                _ fixture: RelayFixture, _ near: RelayConnection, _ far: RelayConnection
            ) async throws -> Void
    ) async throws {
        let fixture = try RelayFixture()
        let instances = [Instance(fixture, near), Instance(fixture, far)]
        for instance in instances { try await instance.server.restore() }
        let reader = Reader()
        try await instances[0].talk(.socket) { near in
            try await instances[1].talk(.socket) { far in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await reader.run(far) }
                    defer { reader.stop() }
                    try await body(fixture, near, far)
                    reader.stop()
                    try await group.waitForAll()
                }
            }
        }
        #expect(reader.refused.isEmpty)
        #expect(reader.reads > 0)
        print("\(reader.reads) reads, all answered with 200")
    }

    private static func post(
        _ relay: RelayConnection,
        _ fixture: RelayFixture,
        _ salt: UInt64
    ) async throws -> Answer {
        let order = try await fixture.order { $0.salt = UInt256(salt) }
        return try await relay.post("/v0/order", fixture.json(order))
    }

    /// Posts an order that must be accepted: what follows counts it.
    private static func accepted(
        _ relay: RelayConnection,
        _ fixture: RelayFixture,
        _ salt: UInt64
    ) async throws {
        let answer = try await post(relay, fixture, salt)
        try #require(
            answer.status == 201,
            "order \(salt): \(String(decoding: answer.body, as: UTF8.self))"
        )
    }

    private static func count(_ relay: RelayConnection) async throws -> Int {
        try await relay.get("/v0/orders").json.arrayValue?.count ?? -1
    }

    /// Both have the same orders, so many.
    private static func agree(
        _ near: RelayConnection,
        _ far: RelayConnection,
        _ orders: Int
    ) async throws -> Bool {
        let answers = [try await near.get("/v0/orders"), try await far.get("/v0/orders")]
        let count = try answers[0].json.arrayValue?.count
        return count == orders && answers[0].body == answers[1].body
    }

    @Test(
        "without its database an instance serves its book, refuses posts, says so, and catches up",
        arguments: Trouble.allCases
    )
    func lost(_ trouble: Trouble) async throws {
        let database = try await PostgresServer.shared.makeDatabase()
        let proxy = try PostgresProxy(to: database.server.socket)
        defer { proxy.end() }
        let stores = [try await database.open(), try await database.open(through: proxy)]
        try await serving(stores[0], stores[1]) { fixture, near, far in
            try await Self.accepted(far, fixture, 1)
            try await until("1 orders at both instances") {
                try await Self.agree(near, far, 1)
            }
            #expect(try await far.get("/readyz").status == 200)

            switch trouble {
            case .cut:
                proxy.set(.refuse)
                proxy.cutAll()
            case .swallowed: proxy.set(.hold)
            }
            try await until("503 of /readyz") { try await far.get("/readyz").status == 503 }
            let readiness = try await far.get("/readyz")
            #expect(readiness.headers["retry-after"] == "5")
            #expect(
                try readiness.json["reasons"]?.arrayValue == ["The relay's store does not answer."]
            )
            for _ in 0..<20 {
                let refused = try await Self.post(far, fixture, 2)
                #expect(refused.status == 503)
                #expect(refused.headers["retry-after"] == "2")
            }
            // The others do not notice.
            #expect(try await near.get("/readyz").status == 200)
            try await Self.accepted(near, fixture, 3)
            #expect(try await Self.count(near) == 2)
            #expect(try await Self.count(far) == 1)

            proxy.set(.pass)
            let back = ContinuousClock.now
            try await until("2 orders at both instances") {
                try await Self.agree(near, far, 2)
            }
            print("\(trouble): agreed \(ContinuousClock.now - back) after the database was back")
            try await until("200 of /readyz") { try await far.get("/readyz").status == 200 }
            try await Self.accepted(far, fixture, 2)
            try await until("3 orders at both instances") {
                try await Self.agree(near, far, 3)
            }
        }
        for store in stores { try await store.close() }
    }

    @Test("with a slow database reads do not wait, and posts are accepted")
    func slow() async throws {
        let database = try await PostgresServer.shared.makeDatabase()
        let proxy = try PostgresProxy(to: database.server.socket)
        defer { proxy.end() }
        let stores = [try await database.open(), try await database.open(through: proxy)]
        try await serving(stores[0], stores[1]) { fixture, near, far in
            proxy.set(.delay(milliseconds: 60))
            for salt in 1...5 as ClosedRange<UInt64> {
                let begin = ContinuousClock.now
                try await Self.accepted(far, fixture, salt)
                print("a post took \(ContinuousClock.now - begin) at 60 ms each way")
                #expect(try await Self.count(far) == Int(salt))
            }
            #expect(try await far.get("/readyz").status == 200)
            let begin = ContinuousClock.now
            try await until("5 orders at both instances") {
                try await Self.agree(near, far, 5)
            }
            print("agreed \(ContinuousClock.now - begin) after the last post")
            proxy.set(.pass)
        }
        for store in stores { try await store.close() }
    }

    @Test(
        "while the server restarts or crashes all instances serve their books, and agree afterwards",
        arguments: ["fast", "immediate"]
    )
    func restart(_ mode: String) async throws {
        let server = try await PostgresServer()
        let database = try await server.makeDatabase()
        let stores = [try await database.open(), try await database.open()]
        try await serving(stores[0], stores[1]) { fixture, near, far in
            try await Self.accepted(far, fixture, 1)
            try await Self.accepted(near, fixture, 2)
            try await until("2 orders at both instances") {
                try await Self.agree(near, far, 2)
            }
            try await server.stop(mode)
            for relay in [near, far] {
                try await until("503 of /readyz") { try await relay.get("/readyz").status == 503 }
                let refused = try await Self.post(relay, fixture, 3)
                #expect(refused.status == 503)
                #expect(refused.headers["retry-after"] == "2")
            }
            try await server.start()
            let back = ContinuousClock.now
            try await until("a post to be accepted after the restart") {
                try await Self.post(far, fixture, 3).status == 201
            }
            try await until("3 orders at both instances") {
                try await Self.agree(near, far, 3)
            }
            print("\(mode): agreed \(ContinuousClock.now - back) after the server was back")
            for relay in [near, far] {
                try await until("200 of /readyz") { try await relay.get("/readyz").status == 200 }
            }
        }
        for store in stores { try await store.close() }
        try await server.stop()
    }
}
