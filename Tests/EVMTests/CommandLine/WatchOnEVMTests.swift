import DexTestSupport
import Ethereum
import StrictJSON
import Testing

/// What real contracts emit, told once.
@Suite("Watching, on an EVM", .timeLimit(.minutes(10)))
struct WatchOnEVMTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth

    /// One look in a process of its own; the events that it told.
    private func look(
        _ stage: EVMStage,
        _ party: Party,
        _ options: String...
    ) async throws -> [JSONValue] {
        let run = try await stage.binary.run(
            ["watch", "--once", "--json", "--wallet", party.address.checksummed] + options
        )
        #expect(run.status == 0, "\(run.stdout) \(run.stderr)")
        return try run.stdout.split(separator: "\n").compactMap { line in
            let data = try JSONParser.parse(text: String(line)).at("data")
            return data.at("event") == "status" ? nil : data
        }
    }

    private func words(_ events: [JSONValue]) -> [String] {
        events.map { event in
            "\(event.at("phase").stringValue ?? "?") \(event.at("event").stringValue ?? "?")"
        }
    }

    @Test(
        "a fill is one event for its maker, two transfers for its taker, and undone with its block"
    )
    func story() async throws {
        try await EVMStage.run(Scene.aliceApproved(.zrx)) { stage in
            #expect(try await look(stage, .alice).isEmpty)
            #expect(try await look(stage, .dave).isEmpty)
            let placed = try await stage.dex(
                .alice,
                "place-limit",
                "sell",
                "ZRX/WETH",
                "40",
                "--price",
                "0.002"
            )
            let hash = try placed.text("orderHash")
            let snapshot = try stage.node.call("evm_snapshot")
            let filled = try await stage.dex(.dave, "fill", hash, "15")

            let told = try await look(stage, .alice)
            #expect(words(told) == ["new fill"])
            let fill = try #require(told.first)
            #expect(fill.at("orderHash") == .string(hash))
            #expect(fill.at("transaction") == filled.data.at("transactions.-1.hash"))
            #expect(try fill.raw("gives") == zrx("15"))
            #expect(try fill.raw("wants") == weth("0.03"))
            #expect(fill.at("counterparty") == .string(try Party.dave.address.checksummed))
            let taken = try await look(stage, .dave)
            #expect(Set(words(taken)) == ["new received", "new sent"])
            #expect(try await look(stage, .alice).isEmpty)

            try stage.node.call("evm_revert", snapshot)
            for _ in 0..<3 { try stage.node.call("evm_mine") }
            let undone = try await look(stage, .alice)
            #expect(words(undone) == ["undone fill"])
            #expect(undone.first?.at("transaction") == fill.at("transaction"))
            #expect(try await look(stage, .alice, "--from", "first").isEmpty)
            #expect(Set(words(try await look(stage, .dave))) == ["undone received", "undone sent"])
        }
    }
}
