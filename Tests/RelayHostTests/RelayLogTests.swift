import DexCore
import DexRelay
import Logging
import StrictJSON
import Synchronization
import Testing
import ZeroEx

@testable import RelayHost

/// Keeps the lines of a log.
final class LogLines: Sendable {
    private let kept = Mutex<[String]>([])

    var all: [String] { kept.withLock { $0 } }

    func add(_ line: String) { kept.withLock { $0.append(line) } }

    func log(_ form: RelaySettings.LogForm, _ level: Logger.Level = .notice) -> RelayLog {
        RelayLog(form: form, level: level, milliseconds: { 1_795_415_932_045 }) { self.add($0) }
    }
}

@Suite("The log of a relay")
struct RelayLogTests {
    private let lines = LogLines()

    @Test("JSON: one object a line, with the time, the request's id and whatever the message has")
    func json() throws {
        var logger = lines.log(.json).logger
        logger[metadataKey: "request"] = "abc"
        logger.warning("It \"broke\"\n\u{1B}[31m", metadata: ["level": "fake", "pair": "ZRX/WETH"])
        let line = try #require(lines.all.first)
        #expect(!line.contains("\n"))
        let json = try JSONParser.parse(text: line)
        #expect(json["time"] == "2026-11-23T06:38:52.045Z")
        #expect(json["level"] == "warning")
        #expect(json["message"] == "It \"broke\"\n\u{1B}[31m")
        #expect(json["requestId"] == "abc" && json["pair"] == "ZRX/WETH")
    }

    @Test("text: a sentence without anything that steers a terminal")
    func text() throws {
        lines.log(.text).logger.error("It broke\n\u{1B}[31mred", metadata: ["b": "2", "a": "1"])
        #expect(lines.all == ["2026-11-23 06:38:52 error: It broke red (a 1, b 2)"])
    }

    @Test("the level changes for loggers that exist already")
    func level() {
        let log = lines.log(.text)
        let logger = log.logger
        logger.info("left out")
        log.level = .info
        logger.info("written")
        log.level = .error
        logger.warning("left out")
        #expect(lines.all.count == 1)
    }
}

@Suite("Reading a relay's settings again")
struct SettingsReloadTests {
    private let lines = LogLines()
    private let live = LiveConfiguration(
        RelayConfiguration(contracts: SettingsFixture.contracts(.v4), pairs: [])
    )

    private func reload(_ text: String, over old: RelaySettings) -> RelaySettings {
        SettingsReload(
            read: { () throws(DexError) in try SettingsFixture.settings(text) },
            contracts: [.v4: SettingsFixture.contracts(.v4)],
            live: [.v4: live],
            log: lines.log(.text)
        ).reload(old, started: old)
    }

    @Test("what can be taken is taken and named")
    func taken() throws {
        let old = try SettingsFixture.settings(SettingsFixture.mainnet())
        let new = reload(SettingsFixture.mainnet("[limits]\norders = 9"), over: old)
        #expect(live.current.maximumOrders == 9 && live.current.pairs.count == 1)
        #expect(new.file.integer("limits", "orders") == 9)
        #expect(lines.all.contains { $0.contains("changed: limits.orders.") })
        #expect(!lines.all.contains { $0.contains("restart") })
    }

    @Test(
        "a faulty file changes nothing and says what is wrong",
        arguments: [
            "listen = ", SettingsFixture.mainnet("[limits]\norders = 0"),
            SettingsFixture.mainnet("[fees]\ntaker_share = 1"),
            SettingsFixture.mainnet(pairs: "[]"),
        ]
    )
    func faulty(_ text: String) throws {
        let old = try SettingsFixture.settings(SettingsFixture.mainnet())
        let new = reload(text, over: old)
        #expect(new.file.values == old.file.values)
        #expect(live.current.pairs.isEmpty)
        let line = try #require(lines.all.first)
        #expect(line.contains("error: The settings are unchanged"), "\(line)")
        #expect(line.contains("/etc/dex/relay.toml"))
    }

    @Test("what cannot be taken now is named, again at every reload until the restart")
    func waiting() throws {
        let old = try SettingsFixture.settings(SettingsFixture.mainnet())
        let text = SettingsFixture.mainnet("listen = \"127.0.0.1:1\"\nstop_seconds = 3")
        let new = reload(text, over: old)
        #expect(new.stopSeconds == 3)
        _ = reload(text, over: old)
        #expect(lines.all.count { $0.contains("wait for a restart of the relay: listen.") } == 2)
    }
}
