import DexTestSupport
import Foundation
import PostgresTestSupport
import Testing

@testable import EndToEndTestSupport

/// `dex relay serve`, killed at every write and at any moment, and started again.
@Suite("A relay that is killed")
struct RelayKillTests {
    @Test("SQLite: no acknowledged order is lost, and none is there twice")
    func sqlite() async throws {
        let dex = try DexBinary()
        try await dex.withSandbox { sandbox in
            let kills = RelayKills.sqlite(KillSettings.process)
            try await run(kills, dex, sandbox) {
                let folder = dex.home.appending(path: "store-\(UUID().uuidString.prefix(8))")
                try FileManager.default.createDirectory(
                    at: folder,
                    withIntermediateDirectories: true
                )
                return .sqlite(folder)
            }
        }
    }

    @Test("PostgreSQL: no acknowledged order is lost, and none is there twice")
    func postgres() async throws {
        // A server of its own: it crashes too.
        let server = try await PostgresServer()
        let dex = try DexBinary()
        try await dex.withSandbox { sandbox in
            let kills = RelayKills.postgres(KillSettings.process)
            try await run(kills, dex, sandbox) { .postgres(try await server.makeDatabase()) }
        }
        try await server.stop()
    }

    private func run(
        _ kills: RelayKills,
        _ dex: DexBinary,
        _ sandbox: TestSandbox,
        _ makeStore: () async throws -> RelayKillStore
    ) async throws {
        let template = try await template(dex)
        let source = try OrderSource(sandbox)
        let start = try await usualStart(dex)
        func bench() async throws -> RelayKillBench {
            try RelayKillBench(
                dex,
                try await makeStore(),
                source: source,
                template: template,
                start: start
            )
        }
        var served = 0
        for kill in kills.young {
            let young = try await bench()
            if try await young.strike(kill) { served += 1 }
            try await young.finish("an empty store, \(kill)")
        }
        let grown = try await bench()
        for kill in kills.grown where try await grown.strike(kill) { served += 1 }
        try await grown.finish("after all kills, DEX_KILL_SEED=\(KillSettings.process.seed)")
        print("\(kills.young.count + kills.grown.count) kills, \(served) while it served")
    }

    /// A relay.toml for both versions, on a port that nobody else is given while the relay is dead.
    private func template(_ dex: DexBinary) async throws -> String {
        let written = try await dex.run("relay init --network sandbox")
        try #require(written.status == 0, "\(written.stderr)")
        let file = dex.home.appending(path: "relay.toml")
        var text = try String(contentsOf: file, encoding: .utf8)
        let port = try FixedPort.free()
        text.replace("listen = \"127.0.0.1:8080\"", with: "listen = \"127.0.0.1:\(port)\"")
        text.replace("protocols = [\"v1\"]", with: "protocols = [\"v1\", \"v4\"]")
        try Data(text.utf8).write(to: file)
        return text
    }

    /// How long a relay takes here to serve.
    private func usualStart(_ dex: DexBinary) async throws -> Duration {
        let mark = UUID().uuidString
        return try await HangWatch.shared.watching(mark, "dex relay serve") {
            let begin = ContinuousClock.now
            let relay = try await ServingRelay(dex, mark: mark)
            let start = ContinuousClock.now - begin
            #expect(await relay.stop() == 0)
            return start
        }
    }
}
