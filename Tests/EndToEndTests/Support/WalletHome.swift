import DexTestSupport
import Foundation
import StrictJSON
import Testing

/// A `dex` with a home of its own, and what tests of wallets put there.
struct WalletHome: Sendable {
    let dex: DexBinary

    /// A key that is known from web3.js's documentation.
    static let key = "0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318"
    static let address = "0x2c7536E3605D9C16a7a3D7b1898e529396a65c23"

    init() throws {
        dex = try DexBinary()
    }

    /// A file in the home.
    func file(_ name: String, _ content: String, mode: Int = 0o600) throws -> String {
        let url = dex.home.appending(path: name)
        try Data(content.utf8).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
        return url.path
    }

    func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    /// The environment with a file that holds a password.
    func password(_ text: String = "open sesame") throws -> [String: String] {
        ["DEX_PASSWORD_FILE": try file("password", text + "\n")]
    }

    /// Runs a command that has to succeed, and returns its data.
    func done(
        _ arguments: String...,
        environment: [String: String] = [:],
        input: String = ""
    ) async throws -> JSONValue {
        let run = try await dex.run(
            arguments + ["--json"],
            environment: environment,
            input: input
        )
        try #require(run.status == 0, "\(arguments): \(run.stdout) \(run.stderr)")
        return try #require(run.json()["data"])
    }

    /// Makes a wallet of the known key.
    func importKey(_ name: String = "main") async throws -> JSONValue {
        try await done(
            "wallet",
            "import",
            "key",
            name,
            "--light",
            "--from",
            file("key", Self.key + "\n"),
            environment: password()
        )
    }
}
