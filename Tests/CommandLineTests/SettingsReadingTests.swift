import ArgumentParser
import DexCore
import DexSettings
import Foundation
import Synchronization
import Testing

@testable import DexCommandLine

/// config.toml is read once for a command, whoever asks for its settings.
@Suite("Settings that a command reads")
struct SettingsReadingTests {
    /// Counts the readings of a file that can change.
    private final class CountedFile: Sendable {
        let text: Mutex<String>
        let count = Mutex(0)

        init(_ text: String) { self.text = Mutex(text) }

        var reading: SettingsReading {
            SettingsReading(ProcessEnvironment { ["DEX_HOME": "/none"][$0] }) {
                path throws(DexError) in
                self.count.withLock { $0 += 1 }
                return try SettingsFile(
                    content: Array(self.text.withLock { $0 }.utf8),
                    path: path
                )
            }
        }
    }

    private func context(_ line: TypedLine) throws -> CommandContext {
        let command = try #require(try line.parse() as? any DexCommand)
        let environment = ProcessEnvironment { ["DEX_HOME": "/none"][$0] }
        return CommandContext(
            options: command.options,
            environment: environment,
            console: Console(
                settings: command.options.output,
                environment: environment,
                interruption: Interruption()
            ),
            name: line.path.reportedName,
            config: line.settings
        )
    }

    @Test("an alias, the default pair, and all that a command asks for are one reading")
    func once() throws {
        let file = CountedFile(
            "[aliases]\nob = \"orderbook --depth 3\"\n[trade]\npair = \"ZRX/WETH\"\nslippage = \"2\"\n"
        )
        let line = TypedLine(["-j", "ob"], file.reading)
        let context = try context(line)
        #expect(try context.settings().text(["trade", "pair"]) == "ZRX/WETH")
        _ = try context.network(try context.settings())
        #expect(try context.tradeSettings().slippage == 200)
        _ = try context.readSettings()
        _ = try EffectiveSettings(context).all()
        #expect(file.count.withLock { $0 } == 1)
    }

    @Test("a line that needs no settings reads none")
    func none() {
        let file = CountedFile("")
        let line = TypedLine(["orderbook", "ZRX/WETH"], file.reading)
        #expect(line.problem == nil && (try? line.parse()) is OrderbookCommand)
        #expect(file.count.withLock { $0 } == 0)
    }

    @Test("a faulty file is one reading too, and the same error each time")
    func faulty() throws {
        let file = CountedFile("nonsense")
        let line = TypedLine(["ob"], file.reading)
        let failure = try #require(line.failure)
        #expect(line.problem != nil && line.settings.pair == nil)
        let again = #expect(throws: DexError.self) { try line.settings.read() }
        #expect(again?.message == failure.message)
        #expect(file.count.withLock { $0 } == 1)
    }

    @Test("what is saved, and what others saved during a question, is what holds from then on")
    func changes() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "dex-settings-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let environment = ProcessEnvironment { ["DEX_HOME": folder][$0] }
        let (mine, other) = (SettingsReading(environment), SettingsReading(environment))
        var settings = try mine.read()
        try settings.file.set([(["trade", "pair"], .text("ZRX/WETH"))])
        try mine.save(settings)
        #expect(try mine.read().text(["trade", "pair"]) == "ZRX/WETH")
        #expect(try other.read().text(["trade", "pair"]) == "ZRX/WETH")
        var changed = try other.read()
        try changed.file.set([(["network"], .text("mainnet"))])
        try other.save(changed)
        #expect(try mine.read().text(["network"]) == nil)
        #expect(try mine.readAgain().text(["network"]) == "mainnet")
        #expect(try mine.read().text(["trade", "pair"]) == "ZRX/WETH")
    }
}
