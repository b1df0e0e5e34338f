import DexTerminal
import DexTestSupport
import Foundation
import Testing

/// pyte, a terminal that others wrote, on what a full screen is sent.
@Suite("Grids on pyte's screen")
struct GridScreenTests {
    @Test("10,000 random states and a storm of sizes look on pyte's screen as in the grid")
    func states() async throws {
        var bytes: [UInt8] = []
        var states = 0
        var random = SeededGenerator(seed: 2_020)
        for (number, depth) in ColorDepth.allCases.enumerated() {
            for part in 0..<5 {
                var story = GridStory(
                    depth,
                    isLight: part % 2 == 1,
                    seed: UInt64(100 * number + part)
                )
                for index in 0..<500 {
                    if index % 25 == 0 {
                        story.resize(columns: 1 + random.below(34), rows: 1 + random.below(9))
                    }
                    story.step("state \(number).\(part).\(index)", changes: random.below(6))
                }
                bytes += story.bytes
                states += story.states
            }
        }
        var storm = GridStory(.trueColor, isLight: false, seed: 7)
        for (index, size) in Self.storm(&random).enumerated() {
            storm.resize(columns: size.columns, rows: size.rows)
            storm.step("storm \(index)", changes: 12)
        }
        bytes += storm.bytes
        #expect(states == 10_000)
        let file = FileManager.default.temporaryDirectory.appending(path: "grids-\(UUID()).bin")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }  // the folder of the tests goes too
        let report = try await PeerReport("grid_screens.py", file.path)
        report.expectAgreement(checks: 4, comparisons: 10_000 + storm.states)
    }

    /// From 1x1 to 300x100, in jumps.
    private static func storm(
        _ random: inout SeededGenerator
    ) -> [(columns: Int, rows: Int)] {
        var sizes = [(columns: 1, rows: 1), (300, 100), (1, 100), (300, 1), (40, 12), (200, 60)]
        for _ in 0..<40 { sizes.append((1 + random.below(120), 1 + random.below(40))) }
        return sizes + [(1, 1), (80, 24)]
    }
}
