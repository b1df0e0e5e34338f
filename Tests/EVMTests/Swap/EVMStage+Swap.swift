import DexTestSupport
import Ethereum
import Foundation
import StrictJSON
import Testing

/// What tests do with the Swap API and its contracts.
extension EVMStage {
    /// Runs a body on a stage with a Swap API, whose pools are handed to it.
    static func swapping(
        _ change: (inout Scene) throws -> Void = { _ in },
        _ body: (EVMStage, EVMPool, EVMPool) async throws -> Void
    ) async throws {
        var scene = Scene(with: .dai)
        scene.swap = try SwapScene()
        try change(&scene)
        let pools = try #require(scene.swap).pools
        try await run(scene) { stage in
            try await body(stage, pools[0], pools[1])
        }
    }

    /// Lets every later quote be wrong in one way of docs/evm.md; nil: in none.
    func lie(_ name: String?, location: SourceLocation = #_sourceLocation) throws {
        let body: JSONValue = ["lie": name.map { .string($0) } ?? .null]
        let answer = try ScriptedRequest.post("/control", body.text)
            .send(to: try #require(node.swap, sourceLocation: location))
        let start = String(decoding: answer.prefix(12), as: UTF8.self)
        #expect(start == "HTTP/1.1 200", sourceLocation: location)
    }

    /// The most that the trade of a run let the venue take, by its call data; base units.
    func maximumSold(_ run: CommandRun, byPermit: Bool = false) throws -> UInt256 {
        let sent = try node.call(
            "eth_getTransactionByHash",
            .string(try run.text("transactions.-1.hash"))
        )
        let data = try Hex.decode(try sent.text("input"))
        // The third word of exec; or of TRANSFER_FROM, whose six words and signature come last.
        let start = byPermit ? data.count - 97 - 4 * 32 : 4 + 2 * 32
        try #require(start > 0 && start + 32 <= data.count)
        return try #require(UInt256(bigEndian: data[start..<(start + 32)]))
    }

    /// A call of a contract of the tests' own, by words.
    func call(_ signature: String, _ words: Bytes32...) -> [UInt8] {
        Array(Keccak256.hash(signature.utf8).bytes.prefix(4)) + words.flatMap(\.bytes)
    }
}

extension Address {
    /// The address in a word of call data.
    var word: Bytes32 {
        UInt256(Bytes32(bytes: Array(repeating: 0, count: 12) + bytes) ?? .zero).word
    }
}
