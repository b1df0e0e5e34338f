import DexTestSupport
import Foundation
import Testing

@testable import EndToEndTestSupport

/// The signature cache of the built `dex`: what a book shows never depends on it.
@Suite("The signature cache, from outside")
struct SignatureCacheTests {
    private let dex: DexBinary
    private let folder: URL
    private let manager = FileManager.default

    init() throws {
        dex = try DexBinary()
        folder = dex.home.appending(path: "cache")
    }

    private var key: URL { folder.appending(path: "signatures.key") }
    private var signatures: URL { folder.appending(path: "signatures") }

    private func book() async throws -> String {
        let run = try await dex.run("orderbook ZRX/WETH --depth 100 --csv")
        #expect(run.status == 0 && run.stderr.isEmpty, "\(run.stderr)")
        return run.stdout
    }

    private func mode(_ url: URL) throws -> Int? {
        try manager.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }

    @Test(
        "a second command shows the same and recovers nothing, and damage is ignored and replaced",
        arguments: SandboxNetwork.allCases
    )
    func damage(network: SandboxNetwork) async throws {
        try dex.use(network)
        try await dex.withSandbox { _ in
            let first = try await book()
            #expect(first.components(separatedBy: "\r\n").count > 50)
            let whole = try Data(contentsOf: signatures)
            #expect(try mode(signatures) == 0o600 && mode(key) == 0o600 && mode(folder) == 0o700)
            #expect(try Data(contentsOf: key).count == 32)
            #expect((whole.count - 40).isMultiple(of: 16) && whole.count > 40 + 16 * 50)
            // A file that was not written again: every signature was found in it.
            let inode = try manager.attributesOfItem(atPath: signatures.path)[.systemFileNumber]
            #expect(try await book() == first)
            let again = try manager.attributesOfItem(atPath: signatures.path)[.systemFileNumber]
            #expect(inode as? Int == again as? Int && inode is Int)

            var flipped = whole
            flipped[whole.count / 2] ^= 1
            for damaged in [flipped, whole.dropLast(7), Data(), Data(repeating: 7, count: 1 << 21)]
            {
                try damaged.write(to: signatures)
                try #require(chmod(signatures.path, 0o600) == 0)
                #expect(try await book() == first)
                #expect(try Data(contentsOf: signatures).count == whole.count)
            }
            // One that others may read, and a link to elsewhere, are replaced as well.
            try #require(chmod(signatures.path, 0o644) == 0)
            #expect(try await book() == first)
            #expect(try mode(signatures) == 0o600)
            let elsewhere = dex.home.appending(path: "elsewhere")
            try manager.moveItem(at: signatures, to: elsewhere)
            try manager.createSymbolicLink(at: signatures, withDestinationURL: elsewhere)
            let linked = try Data(contentsOf: elsewhere)
            #expect(try await book() == first)
            #expect(try Data(contentsOf: elsewhere) == linked)
            let kind = try manager.attributesOfItem(atPath: signatures.path)[.type]
            #expect(kind as? FileAttributeType == .typeRegular)
        }
    }

    @Test("a home in which nothing can be kept shows the same, without a word")
    func unwritable() async throws {
        try dex.use(.v1)
        try await dex.withSandbox { _ in
            let first = try await book()
            try manager.removeItem(at: folder)
            // Even root cannot make a file in a file.
            try Data("no folder".utf8).write(to: folder)
            for _ in 0..<2 { #expect(try await book() == first) }
            #expect(try Data(contentsOf: folder) == Data("no folder".utf8))
        }
    }

    @Test("trading and lists use it too, and keep what they verify")
    func otherCommands() async throws {
        try dex.use(.v1)
        try await dex.withSandbox { _ in
            for words in [
                ["price", "ZRX/WETH"], ["pairs"], ["orders", "--pair", "ZRX/WETH"],
                ["market-buy", "--via", "book", "ZRX/WETH", "5", "--dry-run"],
            ] {
                if manager.fileExists(atPath: folder.path) { try manager.removeItem(at: folder) }
                let run = try await dex.run(words)
                #expect([0, 30].contains(run.status), "\(words) \(run.stderr)")
                #expect(manager.fileExists(atPath: signatures.path), "\(words)")
            }
        }
    }
}
