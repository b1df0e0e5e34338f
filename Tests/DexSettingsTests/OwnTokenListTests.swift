import DexCore
import Ethereum
import Foundation
import Testing

@testable import DexSettings

@Suite("A network's own token list on disk")
final class OwnTokenListTests {
    private static let time = "2026-11-25T10:00:00Z"
    private let folder: URL
    private let foo = Token(
        address: Address(truncating: UInt256(1).word),
        symbol: "FOO",
        name: "Foo",
        decimals: 8
    )

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)  // nothing else to do
    }

    private var config: String { folder.appending(path: "config.toml").path }

    private func settings(_ text: String? = nil) throws -> Settings {
        if let text { try Data(text.utf8).write(to: URL(filePath: config)) }
        return Settings(file: try SettingsFile(path: config))
    }

    private func list(_ settings: Settings, of name: String = "sandbox") throws -> OwnTokenList {
        try OwnTokenList(of: try settings.network(name), settings)
    }

    @Test("the first token makes the file and names it in config.toml, whose rest stays as it was")
    func first() throws {
        let settings = try settings("# mine\nnetwork = \"sandbox\"\n")
        var list = try list(settings)
        #expect(list.isNew && list.path.hasSuffix("/sandbox.tokenlist.json"))
        try list.add(foo, timestamp: Self.time)
        try list.save(settings)
        let text = try String(contentsOfFile: config, encoding: .utf8)
        #expect(
            text == "# mine\nnetwork = \"sandbox\"\n\n[networks.sandbox]\n"
                + "tokens = \"sandbox.tokenlist.json\"\n"
        )
        let attributes = try FileManager.default.attributesOfItem(atPath: list.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let again = try self.list(try self.settings())
        #expect(!again.isNew)
        #expect(try again.document.tokens == [foo])
    }

    @Test("a network's own file is changed where it is, and config.toml is not touched")
    func named() throws {
        let text = "[networks.sandbox]\ntokens = \"sub/mine.json\"\n"
        let file = folder.appending(path: "sub/mine.json")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "sub"),
            withIntermediateDirectories: true
        )
        var document = TokenListDocument(network: "x", chainID: 1337)
        try document.add(foo, timestamp: Self.time)
        try Data(document.bytes).write(to: file)
        let settings = try settings(text)
        var list = try list(settings)
        try list.remove(foo, timestamp: Self.time)
        try list.save(settings)
        #expect(try String(contentsOfFile: config, encoding: .utf8) == text)
        #expect(try self.list(settings).document.tokens.isEmpty)
    }

    @Test("a file that no setting names is not taken for the network's")
    func stray() throws {
        let settings = try settings("")
        try Data("{}".utf8).write(to: folder.appending(path: "sandbox.tokenlist.json"))
        let error = #expect(throws: DexError.self) { try list(settings) }
        #expect(error?.code == "stray-token-list")
        #expect(error?.hint?.contains("dex config set networks.sandbox.tokens") == true)
    }

    @Test("a list that another program changed meanwhile keeps that change")
    func changed() throws {
        let settings = try settings("")
        var (first, second) = (try list(settings), try list(settings))
        try first.add(foo, timestamp: Self.time)
        try first.save(settings)
        try second.add(
            Token(
                address: Address(truncating: UInt256(2).word),
                symbol: "BAR",
                name: "Bar",
                decimals: 8
            ),
            timestamp: Self.time
        )
        let error = #expect(throws: DexError.self) { try second.save(settings) }
        #expect(error?.code == "config-changed")
        #expect(try list(try self.settings()).document.tokens == [foo])
    }

    @Test("where config.toml cannot be changed, no list is left behind")
    func allOrNothing() throws {
        // The whole table on one line: no place for one more key.
        let settings = try settings(
            "networks = { mine = { chain_id = 7, exchange = "
                + "\"0x12459C951127e0c374FF9105DdA097662A027093\" } }\n"
        )
        var list = try list(settings, of: "mine")
        try list.add(foo, timestamp: Self.time)
        let error = #expect(throws: DexError.self) { try list.save(settings) }
        #expect(error?.code == "config-layout")
        #expect(!FileManager.default.fileExists(atPath: list.path))
    }
}
