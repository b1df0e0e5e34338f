import DexTestSupport
import Testing

@testable import EndToEndTestSupport

@Suite("Colours")
struct ColourTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    @Test("there are none in a pipe, whatever the environment says")
    func pipe() async throws {
        let run = try await dex.run(
            "tokens ZRX --network mainnet",
            environment: ["TERM": "xterm-256color", "COLORTERM": "truecolor"]
        )
        #expect(run.status == 0)
        #expect(!run.stdout.unicodeScalars.contains("\u{1B}"))
    }

    @Test(
        "COLUMNS narrows a screen that is not on a terminal, down to one column",
        arguments: [1, 20, 60]
    )
    func columns(width: Int) async throws {
        let run = try await dex.run(
            "tokens ZRX --network mainnet",
            environment: ["COLUMNS": String(width)]
        )
        #expect(run.status == 0)
        // Words are never broken; the longest here is an address.
        #expect(run.stdout.split(separator: "\n").allSatisfy { $0.count <= max(width, 42) })
    }
}
