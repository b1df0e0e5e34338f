import DexTestSupport
import EVM
import Ethereum
import StrictJSON
import Testing

/// Contracts as they were published, run here and on py-evm.
@Suite("Genuine contracts")
struct GenuineContractTests {
    @Test("Uniswap's v3 is deployed, filled and traded with the gas, logs and words of py-evm")
    func uniswap() async throws {
        try await PythonEnvironment.makeSuites()
        let run = try await PythonEnvironment.run("interpreter/genuine_trades.py")
        try #require(run.status == 0, "\(run.errors)")
        let world = try Vectors.world()
        var previous: (execution: Execution, known: KnownKeys)?
        var endings: [Substring] = []
        for line in String(decoding: run.output, as: UTF8.self).split(separator: "\n") {
            let step = try InterpreterCase(JSONParser.parse(line.utf8), world)
            let state = step.state()
            var (execution, known) =
                previous
                ?? (
                    Execution(state, .prague, recoverer: InterpreterCase.recoverer),
                    KnownKeys(state)
                )
            let result = try step.run(execution, step.block(.prague, world), &known)
            previous = (execution, known)
            #expect(
                result.text == step.result(.prague),
                "\(step.name):\n\(result.lines.joined(separator: "\n"))"
            )
            endings.append(result.text.prefix { $0 != " " })
        }
        // A second pool and a price that nobody gives are refused by the contracts.
        #expect(endings.count { $0 == "succeeded" } == 23)
        #expect(endings.count { $0 == "reverted" } == 2)
    }
}
