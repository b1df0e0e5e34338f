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
        let state = SandboxState(
            pid: 42,
            rpc: "http://127.0.0.1:1",
            networks: [
                .init(name: "sandbox", version: .v1, relay: "http://127.0.0.1:2/v0"),
                .init(name: "sandbox-v4", version: .v4, relay: "http://127.0.0.1:2/sra/v4"),
            ],
            swap: "http://127.0.0.1:3",
            chainID: 1337,
            seed: .max,
            startedAt: 1_700_000_000,
            accounts: try SandboxAccounts(seed: 3).all
        )
        let lock = try folder.value.lock()
        #expect(try SandboxState.read(folder.value) == nil)
        try state.write(to: folder.value)
        #expect(try SandboxState.read(folder.value) == state)
        #expect(state.relay(.v4) == "http://127.0.0.1:2/sra/v4")
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

    @Test("settings are kept, and asking for others is refused with the way out")
    func settings() throws {
        let folder = try TemporaryFolder()
        let first = try SandboxSettings.load(folder.value, seed: 5, orders: nil, now: 125)
        #expect(first.start == 120)
        let again = try SandboxSettings.load(folder.value, seed: nil, orders: nil, now: 9_999)
        #expect(again == first)
        #expect(
            throws: SandboxHostError.otherSettings(name: "seed", found: "5", asked: "6")
        ) {
            try SandboxSettings.load(folder.value, seed: 6, orders: nil, now: 0)
        }
        let error = try #require(throws: SandboxHostError.self) {
            try SandboxSettings.load(folder.value, seed: nil, orders: 10, now: 0)
        }
        #expect(
            throws: SandboxHostError.otherSettings(name: "protocol-fee", found: "0", asked: "7")
        ) {
            try SandboxSettings.load(folder.value, seed: 5, orders: nil, protocolFee: 7, now: 0)
        }
        #expect(error.description.contains("with orders as usual, not 10"))
        for text in [
            "{}", #"{"seed":"1","start":-1}"#, #"{"seed":"x","start":1}"#, "nonsense",
            #"{"seed":"1","start":1,"protocolFee":4294967296}"#,
        ] {
            try SandboxFolder.replace(folder.value.settingsFile, with: Array(text.utf8))
            #expect(throws: SandboxHostError.self) {
                try SandboxSettings.load(folder.value, seed: nil, orders: nil, now: 0)
            }
        }
        try folder.value.removeData()
        let anew = try SandboxSettings.load(folder.value, seed: nil, orders: nil, now: 60)
        #expect(anew == SandboxSettings(seed: 1, orders: nil, now: 60))
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
