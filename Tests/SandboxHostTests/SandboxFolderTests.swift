import Ethereum
import Foundation
import Testing
import ZeroEx

@testable import SandboxHost

@Suite struct SandboxFolderTests {
    @Test("a folder that is not there is not in use and has no state")
    func absent() throws {
        let folder = SandboxFolder("/nonexistent/dex/sandbox")
        #expect(!folder.isInUse)
        #expect(try SandboxState.read(folder) == nil)
        try folder.removeData()
    }

    @Test("one lock at a time; the next may have it once it is let go")
    func lock() throws {
        let folder = try TemporaryFolder()
        let lock = try folder.value.lock()
        #expect(folder.value.isInUse)
        #expect(throws: SandboxHostError.alreadyRunning(folder: folder.value.path)) {
            try folder.value.lock()
        }
        #expect(throws: SandboxHostError.alreadyRunning(folder: folder.value.path)) {
            try folder.value.removeData()
        }
        lock.release()
        #expect(!folder.value.isInUse)
        try folder.value.lock().release()
    }

    @Test("the state comes back as it was written, but only while somebody holds the lock")
    func state() throws {
        let folder = try TemporaryFolder()
        let listen = try #require(ListenAddress("fd00::5"))
        var state = SandboxState(
            listen,
            rpc: 1,
            networks: [
                .init(SandboxDeployment(.v1), relay: "http://[fd00::5]:2/v0"),
                .init(SandboxDeployment(.v4), relay: "http://[fd00::5]:2/sra/v4"),
            ],
            chainID: 1337,
            coin: .ether,
            genesis: BlockHash(UInt256(7).word),
            seed: .max,
            startedAt: 1_700_000_000,
            accounts: try SandboxAccounts(seed: 3).all
        )
        state.swap = "http://[fd00::5]:3"
        #expect(state.rpc == "http://[fd00::5]:1")
        #expect(state.reachableHosts == ["[fd00::5]"])
        let lock = try folder.value.lock()
        #expect(try SandboxState.read(folder.value) == nil)
        try state.write(to: folder.value)
        #expect(try SandboxState.read(folder.value) == state)
        #expect(state.relay(.v4) == "http://[fd00::5]:2/sra/v4")
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.value.stateFile)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        // A sandbox that died leaves its file behind, not its lock.
        lock.release()
        #expect(try SandboxState.read(folder.value) == nil)
    }

    @Test(
        "a damaged state is an error that names the file, never a trap",
        arguments: [
            "", "{", "[]", "{}", #"{"pid":-1}"#, #"{"pid":99999999999999999999}"#,
            #"""
            {"pid":1,"rpc":"x","networks":[],"swap":"y","chainId":1,"seed":"1","startedAt":1,
            "accounts":[]}
            """#,
            #"""
            {"pid":1,"rpc":"x","networks":[{"name":"a","protocol":"v5","relay":"b"}],"swap":"y",
            "chainId":1,"seed":"1","startedAt":1,"accounts":[]}
            """#,
            #"""
            {"pid":1,"rpc":"x","networks":[{"name":"a","protocol":"v1","relay":"b"}],"chainId":1,
            "seed":"1","startedAt":1,"accounts":[]}
            """#,
        ]
    )
    func damagedState(text: String) throws {
        let folder = try TemporaryFolder()
        let lock = try folder.value.lock()
        defer { lock.release() }
        try SandboxFolder.replace(folder.value.stateFile, with: Array(text.utf8))
        let error = try #require(throws: SandboxHostError.self) {
            try SandboxState.read(folder.value)
        }
        #expect(error.description.contains(folder.value.stateFile))
        #expect(error.description.contains("dex sandbox reset"))
    }

    private func load(
        _ folder: TemporaryFolder,
        now: UInt64 = 0,
        _ choose: (inout SandboxSettings.Choices) -> Void = { _ in }
    ) throws(SandboxHostError) -> SandboxSettings {
        var choices = SandboxSettings.Choices()
        choose(&choices)
        return try SandboxSettings.load(folder.value, choices, now: now)
    }

    @Test("chain id, coin, accounts and funded addresses are kept, and fixed from the start")
    func networkSettings() throws {
        let folder = try TemporaryFolder()
        let (one, two) = (
            Address(truncating: UInt256(1).word), Address(truncating: UInt256(2).word)
        )
        #expect(throws: SandboxHostError.nobodyFunded) {
            try load(folder) { $0.hasNamedAccounts = false }
        }
        let first = try load(folder, now: 60) {
            $0.chainID = 5_555
            $0.coin = CoinSymbol("lab")
            $0.hasNamedAccounts = false
            $0.funded = [one, two, one]
        }
        #expect(first.funded == [one, two])
        #expect(first.coin.text == "LAB")
        #expect(try first.accounts().all.isEmpty)
        #expect(try load(folder, now: 999) == first)
        #expect(SandboxSettings(first.json) == first)
        for (name, change) in [
            ("chain-id", { $0.chainID = 1_337 }), ("coin", { $0.coin = .ether }),
            ("accounts", { $0.hasNamedAccounts = true }), ("fund", { $0.funded = [two, one] }),
        ] as [(String, (inout SandboxSettings.Choices) -> Void)] {
            let error = try #require(throws: SandboxHostError.self) {
                try load(folder) { change(&$0) }
            }
            #expect(error.description.contains("begun with \(name) "))
        }
        // One of before there were such settings.
        let old = #"{"seed":"1","start":60,"orders":null,"protocolFee":0}"#
        try SandboxFolder.replace(folder.value.settingsFile, with: Array(old.utf8))
        #expect(try load(folder) == SandboxSettings(now: 60))
    }

    @Test("a URL for another machine has its host and the same port and path")
    func otherHost() {
        #expect(
            SandboxState.url("http://127.0.0.1:8546/v0", at: "192.168.1.5")
                == "http://192.168.1.5:8546/v0"
        )
        #expect(SandboxState.url("http://[::1]:8545", at: "[fd00::5]") == "http://[fd00::5]:8545")
        #expect(SandboxState.url("nonsense", at: "192.168.1.5") == nil)
    }

    @Test("settings are kept, and asking for others is refused with the way out")
    func settings() throws {
        let folder = try TemporaryFolder()
        let first = try load(folder, now: 125) { $0.seed = 5 }
        #expect(first.start == 120)
        let again = try load(folder, now: 9_999)
        #expect(again == first)
        #expect(
            throws: SandboxHostError.otherSettings(name: "seed", found: "5", asked: "6")
        ) {
            try load(folder) { $0.seed = 6 }
        }
        let error = try #require(throws: SandboxHostError.self) {
            try load(folder) { $0.orders = 10 }
        }
        #expect(
            throws: SandboxHostError.otherSettings(name: "protocol-fee", found: "0", asked: "7")
        ) {
            try load(folder) { $0.protocolFee = 7 }
        }
        #expect(error.description.contains("with orders as usual, not 10"))
        for text in [
            "{}", #"{"seed":"1","start":-1}"#, #"{"seed":"x","start":1}"#, "nonsense",
            #"{"seed":"1","start":60,"protocolFee":4294967296}"#,
            #"{"seed":"1","start":61,"protocolFee":0}"#,
            #"{"seed":"1","start":60,"protocolFee":0,"chainId":0}"#,
            #"{"seed":"1","start":60,"protocolFee":0,"chainId":9223372036854775772}"#,
            #"{"seed":"1","start":60,"protocolFee":0,"coin":"ZRX"}"#,
            #"{"seed":"1","start":60,"protocolFee":0,"coin":"E T H"}"#,
            #"{"seed":"1","start":60,"protocolFee":0,"namedAccounts":1}"#,
            #"{"seed":"1","start":60,"protocolFee":0,"funded":["0x12"]}"#,
            // A contract of the sandbox: ZRX.
            #"""
            {"seed":"1","start":60,"protocolFee":0,
            "funded":["0xe41d2489571d322189246dafa5ebde1f4699f498"]}
            """#,
        ] {
            try SandboxFolder.replace(folder.value.settingsFile, with: Array(text.utf8))
            #expect(throws: SandboxHostError.self) {
                try load(folder)
            }
        }
        try folder.value.removeData()
        let anew = try load(folder, now: 60)
        #expect(anew == SandboxSettings(now: 60))
    }

    @Test("a folder that cannot be made is an error with its path")
    func unwritable() {
        let error = #expect(throws: SandboxHostError.self) {
            try SandboxFolder("/proc/dex/sandbox").make()
        }
        #expect(error?.description.contains("/proc/dex") == true)
    }
}

/// A folder that is removed with its owner.
final class TemporaryFolder: Sendable {
    let value: SandboxFolder

    init() throws {
        value = SandboxFolder(
            FileManager.default.temporaryDirectory
                .appendingPathComponent("dex-sandbox-\(UUID().uuidString)/sandbox").path
        )
        try value.make()
    }

    deinit {
        try? FileManager.default.removeItem(
            at: URL(fileURLWithPath: value.path).deletingLastPathComponent()
        )
    }
}
