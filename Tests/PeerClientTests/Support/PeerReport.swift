import DexTestSupport
import Foundation
import StrictJSON
import Testing

/// What a script of Tests/Python/clients found out about our servers and our files.
struct PeerReport {
    /// One check; no differences mean that the other program found what it expected.
    struct Check {
        let name: String
        let comparisons: Int
        let differences: [String]
    }

    let checks: [Check]

    /// The path of the built `dex`.
    static let dex = DexBinary.executable.path

    /// Runs a script to its end.
    init(_ script: String, _ arguments: String...) async throws {
        let output = try await Self.output(of: script, arguments)
        let items = try #require(try JSONParser.parse(output)["checks"]?.arrayValue)
        checks = try items.map { item in
            Check(
                name: try #require(item["name"]?.stringValue),
                comparisons: try #require(item["comparisons"]?.numberText.flatMap { Int($0) }),
                differences: try #require(item["differences"]?.arrayValue).map {
                    try #require($0.stringValue)
                }
            )
        }
    }

    /// What a script printed.
    static func output(of script: String, _ arguments: [String]) async throws -> Data {
        let run = try await PythonEnvironment.run("clients/\(script)", arguments)
        try #require(run.status == 0, "\(script) failed: \(run.errors)")
        return run.output
    }

    /// Every check of so many has found nothing, and has compared something.
    ///
    /// - Parameter comparisons: how many there are at least, so that none is lost unseen.
    func expectAgreement(checks count: Int, comparisons: Int) {
        #expect(checks.count == count)
        for check in checks {
            #expect(check.differences == [], "\(check.name)")
            #expect(check.comparisons > 0, "\(check.name)")
        }
        #expect(checks.reduce(0) { $0 + $1.comparisons } >= comparisons)
    }
}
