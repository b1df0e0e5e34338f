import DexTestSupport
import EVM
import Ethereum
import Foundation
import StrictJSON
import Testing

/// Random byte code with what py-evm makes of it.
///
/// `DEX_INTERPRETER_SEED` chooses another sample; `DEX_INTERPRETER_COUNT` its size.
@Suite("Random programs against py-evm")
struct RandomProgramTests {
    private static let count =
        ProcessInfo.processInfo.environment["DEX_INTERPRETER_COUNT"].flatMap { Int($0) } ?? 150

    @Test("equal ending, gas, logs, answer and state")
    func random() async throws {
        let count = Self.count
        let run = try await PythonEnvironment.run(
            "interpreter/judge.py",
            "\(SampleSeed.of("INTERPRETER"))",
            "\(count)"
        )
        try #require(run.status == 0, "\(run.errors)")
        let world = try Vectors.world()
        let lines = String(decoding: run.output, as: UTF8.self).split(separator: "\n")
        #expect(lines.count == count)
        var endings: [Substring: Int] = [:]
        for line in lines {
            let program = try InterpreterCase(JSONParser.parse(line.utf8), world)
            guard let result = try Self.run(program, world) else {
                endings["unsupported", default: 0] += 1
                continue
            }
            #expect(
                result.text == program.result(.prague),
                "\(program.name):\n\(result.lines.joined(separator: "\n"))\n\(line)"
            )
            endings[result.text.prefix { $0 != " " }, default: 0] += 1
        }
        // Programs that all end alike say little.
        #expect(endings["succeeded", default: 0] > lines.count / 10)
        #expect(endings["failed", default: 0] > lines.count / 20)
        #expect(endings["unsupported", default: 0] <= 1 + lines.count / 50)
    }

    /// nil for a program that calls a precompile that there is none of here, as random bytes can.
    private static func run(_ program: InterpreterCase, _ world: CaseWorld) throws -> CaseRun? {
        do {
            return try program.run(.prague, world)
        } catch {
            guard case .precompile = error else { throw error }
            return nil
        }
    }
}
