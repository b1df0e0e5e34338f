import DexTestSupport
import Foundation
import StrictJSON
import Testing

/// What a script of Tests/Python/evm found out about the contracts.
struct ContractReport {
    /// One check; no differences mean that the contracts did what they should.
    struct Check {
        let name: String
        let differences: [String]
        let gasUsed: Int?
        let expectedGas: Int?
    }

    let checks: [Check]

    /// Runs a script.
    ///
    /// - Parameters:
    ///   - script: its name below Tests/Python/evm.
    ///   - vectors: the name of its file below Tests/ZeroExTests/Vectors; nil if it takes none.
    ///   - arguments: that it takes otherwise.
    init(script: String, vectors: String? = nil, arguments: [String] = []) async throws {
        let folder = PythonEnvironment.root.appending(path: "Tests/ZeroExTests/Vectors")
        let files = vectors.map { [folder.appending(path: $0).path] } ?? []
        let run = try await PythonEnvironment.run("evm/\(script)", files + arguments)
        try #require(run.status == 0, "\(script) failed: \(run.errors)")
        let items = try #require(try JSONParser.parse(run.output)["checks"]?.arrayValue)
        checks = try items.map { item in
            Check(
                name: try #require(item["name"]?.stringValue),
                differences: try #require(item["differences"]?.arrayValue).map {
                    try #require($0.stringValue)
                },
                gasUsed: item["gasUsed"]?.numberText.flatMap { Int($0) },
                expectedGas: item["expectedGas"]?.numberText.flatMap { Int($0) }
            )
        }
    }
}
