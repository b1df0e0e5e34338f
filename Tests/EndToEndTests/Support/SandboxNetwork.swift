import DexTestSupport
import StrictJSON
import Testing

/// A network of the sandbox: what is done on one has to go the same way on the other.
enum SandboxNetwork: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case v1 = "sandbox"
    case v4 = "sandbox-v4"

    var testDescription: String { rawValue }
}

extension DexBinary {
    /// Makes a network the default, with more lines of config.toml.
    func use(_ network: SandboxNetwork, _ more: String = "") throws {
        try write(config: "network = \"\(network.rawValue)\"\n\(more)")
    }

    /// The base URL of a network's relay in the sandbox that runs.
    func relay(of network: SandboxNetwork) async throws -> String {
        let data = try await run("sandbox", "status", "--json").json()["data"]
        let found = data?["networks"]?.arrayValue?.first {
            $0["name"]?.stringValue == network.rawValue
        }
        return try #require(found?["relay"]?.stringValue)
    }
}
