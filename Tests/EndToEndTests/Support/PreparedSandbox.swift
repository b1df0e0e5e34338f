import DexTestSupport
import Foundation

/// A sandbox's folder that is made once for all tests.
///
/// A sandbox that goes on in a copy of it has the usual market without signing and checking its 840
/// orders again.
enum PreparedSandbox {
    private static let maker = Task { () async throws -> DexBinary in
        let dex = try DexBinary()
        for line in ["sandbox up --detach --quiet", "sandbox down --quiet"] {
            let run = try await dex.run(line)
            guard run.status == 0 else { throw NotMade(run: run) }
        }
        return dex
    }

    /// Puts a copy where the sandbox of a home is.
    static func copy(into dex: DexBinary) async throws {
        let files = FileManager.default
        let source = folder(of: try await maker.value)
        let target = folder(of: dex)
        try files.createDirectory(
            at: target,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        for name in try files.contentsOfDirectory(atPath: source.path) where isData(name) {
            try files.copyItem(at: source.appending(path: name), to: target.appending(path: name))
        }
    }

    private static func folder(of dex: DexBinary) -> URL {
        dex.home.appending(path: "sandbox")
    }

    /// The chain, the orders and the settings; locks and logs are a sandbox's own.
    private static func isData(_ name: String) -> Bool {
        ["chain.sqlite", "relay.sqlite", "sandbox.json"].contains(name) || name.hasSuffix("-wal")
    }

    private struct NotMade: Error, CustomStringConvertible {
        let run: DexBinary.Run
        var description: String { "no sandbox was prepared: \(run.stdout) \(run.stderr)" }
    }
}
