import EVM
import Ethereum
import Foundation
import StrictJSON
import Testing

/// Programs of our own with the answers of the executable specification.
///
/// scripts/interpreter-vectors makes them again.
@Suite("Vectors of the executable specification")
struct VectorTests {
    @Test(
        "equal ending, gas, logs, answer and state",
        arguments: ["words", "state", "rules"],
        [Revision.cancun, .prague, .osaka]
    )
    func vectors(_ family: String, _ revision: Revision) throws {
        let world = try Vectors.world()
        let lines = try Vectors.lines(family)
        #expect(lines.count > 500)
        var differences = 0
        for line in lines {
            let vector = try InterpreterCase(JSONParser.parse(line.utf8), world)
            let text: String
            let lines: [String]
            do {
                let run = try vector.run(revision, world)
                (text, lines) = (run.text, run.lines)
            } catch {
                (text, lines) = ("\(error)", [])
            }
            guard text != vector.result(revision) else { continue }
            differences += 1
            // The first ones are enough to see why.
            guard differences <= 8 else { continue }
            Issue.record(
                """
                \(vector.name): \(text) instead of \(vector.result(revision))
                \(lines.joined(separator: "\n"))
                """
            )
        }
        #expect(differences == 0)
    }

    @Test("a refused or failed transaction leaves the state as it was")
    func failures() throws {
        let world = try Vectors.world()
        var count = 0
        for line in try Vectors.lines("rules") {
            let vector = try InterpreterCase(JSONParser.parse(line.utf8), world)
            guard vector.result(.osaka).hasPrefix("refused") else { continue }
            count += 1
            let state = vector.state()
            let execution = Execution(state, .osaka, recoverer: InterpreterCase.recoverer)
            #expect(throws: Execution.Gap.self) {
                try execution.run(vector.message, in: vector.block(.osaka, world))
            }
            for (address, entry) in state.entries {
                guard case .known(let record) = execution.account(address) else {
                    Issue.record("\(vector.name): \(address) is unknown")
                    continue
                }
                #expect(record == entry.record, "\(vector.name): \(address)")
            }
        }
        #expect(count > 50)
    }
}

/// The files of `Vectors`.
enum Vectors {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "Vectors")

    static func world() throws -> CaseWorld {
        let url = folder.appending(path: "world.json")
        return try CaseWorld(
            JSONParser.parse(Data(contentsOf: url))
        )
    }

    /// A case each.
    static func lines(_ family: String) throws -> [String] {
        let url = folder.appending(path: "\(family).jsonl")
        return String(decoding: try Data(contentsOf: url), as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }
}
