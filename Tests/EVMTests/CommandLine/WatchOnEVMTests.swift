import DexTestSupport
import Ethereum
import StrictJSON
import Testing

/// What real contracts emit, told once.
@Suite("Watching, on an EVM")
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

    @Test("ether that is paid, wrapped, unwrapped and paid by a contract, to the wei")
    func ether() async throws {
        try await EVMStage.run(Scene()) { stage in
            let alice = try Party.alice.address
            let bob = try Party.bob.address.checksummed
            #expect(try await look(stage, .alice).isEmpty)
            let sent = try await stage.dex(.alice, "send", "ETH", "2.000000000000000001", bob)
            let wrapped = try await stage.dex(.alice, "wrap", "1.5")
            let snapshot = try stage.node.call("evm_snapshot")
            let unwrapped = try await stage.dex(.alice, "unwrap", "0.25")
            let got = try await stage.dex(.bob, "send", "ETH", "0.5", alice.checksummed)
            // A contract that is made pays on what it is made with: CALL with the value to alice.
            let code: [UInt8] =
                [0x60, 0, 0x60, 0, 0x60, 0, 0x60, 0, 0x34, 0x73] + alice.bytes + [0x5A, 0xF1, 0]
            let paying = try await stage.transaction(
                by: .dave,
                to: nil,
                data: code,
                value: weth.raw("0.75")
            )
            try stage.send(paying)

            let told = try await look(stage, .alice)
            #expect(
                words(told) == [
                    "new sent", "new wrapped", "new unwrapped", "new received", "new received",
                ]
            )
            #expect(
                try told.map { try $0.raw("amount") }
                    == ["2.000000000000000001", "1.5", "0.25", "0.5", "0.75"].map { try weth($0) }
            )
            #expect(
                told.map { $0.at("amount").at("symbol") } == ["ETH", "WETH", "WETH", "ETH", "ETH"]
            )
            #expect(told[0].at("counterparty") == .string(bob))
            #expect(told[0].at("logIndex").isNull && told[0].at("orderHash").isNull)
            for (event, run) in zip(told, [sent, wrapped, unwrapped, got]) {
                #expect(event.at("transaction") == run.data.at("transactions.-1.hash"))
            }
            #expect(told[4].at("transaction").isNull && told[4].at("counterparty").isNull)
            #expect(try await look(stage, .alice, "--from", "first").isEmpty)

            try stage.node.call("evm_revert", snapshot)
            try stage.node.call("evm_mine", ["blocks": 4])
            let undone = try await look(stage, .alice)
            #expect(
                words(undone) == ["undone unwrapped", "undone received", "undone received"]
            )
            #expect(Set(undone.map { $0.at("block") }) == Set(told[2...].map { $0.at("block") }))
            #expect(try await look(stage, .alice, "--from", "first").isEmpty)
        }
    }
}
