import DexTestSupport
import Ethereum
import Foundation
import StrictJSON
import Testing

/// The published suites in packages of PyPI, read where scripts/official-suites puts them.
enum OfficialSuites {
    private static let all = Task {
        try await PythonEnvironment.makeSuites()
        let run = try await PythonEnvironment.run("suites/vectors.py")
        try #require(run.status == 0, "vectors.py failed: \(run.errors)")
        return try JSONParser.parse(run.output)
    }

    /// A suite, as the function of its name in Tests/Python/suites describes it.
    static func suite(_ name: String) async throws -> JSONValue {
        try #require(try await all.value[name], "there is no suite \(name)")
    }

    /// The cases of a suite, or of one of its parts.
    ///
    /// - Parameter count: how many there have to be, so that none is lost unseen.
    static func cases(_ name: String, _ part: String? = nil, count: Int) async throws -> [JSONValue]
    {
        let suite = try await suite(name)
        let cases = try #require((part.map { suite[$0] } ?? suite)?.arrayValue, "\(name)")
        try #require(cases.count == count, "\(name)")
        return cases
    }
}

extension JSONValue {
    /// The bytes of a member with `0x` and digits, or with digits alone.
    func peerBytes(_ name: String) throws -> [UInt8] {
        let text = try peerText(name)
        return try Hex.decode(text.hasPrefix("0x") ? text : "0x" + text)
    }

    /// A number that must be there.
    func peerNumber(_ name: String) throws -> Int {
        try #require(self[name]?.numberText.flatMap { Int($0) }, "no number in \(name)")
    }
}
