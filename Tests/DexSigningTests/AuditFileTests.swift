import DexSigning
import Ethereum
import EthereumWallet
import Foundation
import StrictJSON
import Testing
import ZeroEx

@Suite("The audit log in a file")
struct AuditFileTests {
    typealias Bench = SigningBench

    private let folder: SigningFolder

    init() throws {
        folder = try SigningFolder()
    }

    private func bench(limit: String? = "10") throws -> SigningBench {
        var bench = try Bench(log: AuditFile(path: folder.log))
        if let limit { bench.policy.perDay = [.token(Bench.zrx): Bench.units(limit)] }
        return bench
    }

    private func failure(_ body: () async throws(SigningError) -> Void) async -> SigningError? {
        do throws(SigningError) {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    @Test("it is made with its folder, for its owner only, one JSON object a line")
    func made() async throws {
        let path = "\(folder.path)/a/b/audit.jsonl"
        #expect(try AuditFile(path: path).lines(since: 0).isEmpty)
        #expect(!FileManager.default.fileExists(atPath: path))
        try await Bench(log: AuditFile(path: path)).sign(Bench.transfer(Bench.zrx, "1"))
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let text = try String(decoding: Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        #expect(text.hasSuffix("}\n"))
        let lines = text.split(separator: "\n")
        #expect(lines.count == 2)
        for line in lines { _ = try JSONParser.parse(text: String(line)) }
    }

    @Test("what was written is never changed, whatever happens later")
    func appendOnly() async throws {
        let bench = try bench()
        var before = ""
        for nonce in 0..<12 as Range<UInt64> {
            _ = await failure { () async throws(SigningError) in
                try await bench.sign(Bench.transfer(Bench.zrx, "1", nonce: nonce))
            }
            let text = try folder.text()
            #expect(text.hasPrefix(before) && text.count > before.count)
            before = text
        }
        let events = try AuditFile(path: folder.log).lines(since: 0).map(\.event)
        #expect(events.filter { $0 == .signed }.count == 10)
        #expect(events.filter { $0 == .refused }.count == 2)
    }

    @Test("a day is counted by all who sign at once")
    func concurrency() async throws {
        let bench = try bench()
        // Each has the file open for itself, as processes have.
        let signed = await withTaskGroup(of: Bool.self) { group in
            for nonce in 0..<40 as Range<UInt64> {
                group.addTask {
                    let own = Bench.transfer(Bench.zrx, "1", nonce: nonce)
                    return (try? await bench.sign(own)) != nil
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(signed == 10)
        let lines = try AuditFile(path: folder.log).lines(since: 0)
        #expect(lines.filter { $0.event == .refused }.count == 30)
        #expect(try bench.spent() == [.token(Bench.zrx): Bench.units("10")])
    }

    @Test("an allowance that was taken back is read back on all later days")
    func released() async throws {
        var bench = try bench()
        bench.policy.perDay = [.token(Bench.weth): Bench.units("1")]
        let data = ERC20.approve(spender: Bench.address(0x7F), amount: Bench.units("1"))
        try await bench.sign(Bench.transaction(to: Bench.weth, data: data, nonce: 3))
        bench.now += 3 * Policy.day
        #expect(try bench.spent() == [.token(Bench.weth): Bench.units("1")])
        try bench.signer.note(
            Revocation(
                account: bench.key.address,
                chainID: 1,
                nonce: 4,
                token: Bench.weth,
                spender: Bench.address(0x7F),
                unused: Bench.units("0.9")
            )
        )
        #expect(try bench.spent() == [.token(Bench.weth): Bench.units("0.1")])
        bench.now += 30 * Policy.day
        #expect(try bench.spent() == [:])
        // A line of somebody else's making stops signing instead of widening a limit.
        let line = #"{"time":1,"id":"0000000000000001","event":"released","unused":"5"}"#
        let text = try folder.text()
        try Data("\(text)\(line)\n".utf8).write(to: URL(filePath: folder.log))
        let error = await failure { () async throws(SigningError) in
            try await bench.sign(Bench.transfer(Bench.weth, "0.1"))
        }
        #expect(error?.code == "audit-log")
    }

    @Test("it has no key and no signature, so that nobody can send what is in it")
    func noSecrets() async throws {
        let bench = try bench()
        let signed = try await bench.sign(Bench.transfer(Bench.zrx, "1"))
        let order = try await bench.signer.sign(
            Bench.ownOrder("2"),
            terms: SigningTerms(purpose: "limit-order")
        )
        let message = Array("a text that is nobody else's".utf8)
        let signature = try await bench.signer.sign(message: message)
        let text = try folder.text().lowercased()
        var secrets = [
            UInt256(1).word.hex, "nobody else's", Hex.encode(message), Hex.encode(signed.raw),
        ]
        let ours = try #require(order as? SignedOrderV1)
        for part in [signed.signature, ours.signature, signature] {
            secrets += [part.r.hex, part.s.hex]
        }
        for secret in secrets {
            #expect(!text.contains(secret.lowercased().replacing("0x", with: "")))
        }
        #expect(text.contains(signed.hash.hex))
    }

    @Test("only as much is read as the day needs, over chunks of any size")
    func longLog() async throws {
        let bench = try bench(limit: nil)
        try await bench.sign(Bench.transfer(Bench.zrx, "1"))
        let pair = try folder.text()
        // Hundreds of kilobytes of another year in front.
        let old = pair.replacing("\"time\":1800000000", with: "\"time\":1700000000")
        #expect(old != pair)
        let content = "garbage\"}\n" + String(repeating: old, count: 400) + pair
        try Data(content.utf8).write(to: URL(filePath: folder.log))
        let since = Bench.now - 86_400
        let lines = try AuditFile(path: folder.log).lines(since: since)
        #expect(lines.filter { $0.time == Bench.now }.count == 2)
        #expect(lines.count < 5)
        #expect(try bench.spent() == [.token(Bench.zrx): Bench.units("1")])
        // All of it, over many chunks, but the line that is not ours.
        let whole = String(repeating: old, count: 400) + pair
        try Data(whole.utf8).write(to: URL(filePath: folder.log))
        #expect(try AuditFile(path: folder.log).lines(since: 0).count == 802)
    }

    @Test("what a crash left of a line is passed over, and stays on a line of its own")
    func torn() async throws {
        let bench = try bench()
        try await bench.sign(Bench.transfer(Bench.zrx, "4"))
        let whole = try folder.text()
        for cut in [1, 10, 200] {
            let torn = whole + String(whole.prefix(cut))
            try Data(torn.utf8).write(to: URL(filePath: folder.log))
            try await bench.sign(Bench.transfer(Bench.zrx, "6", nonce: 1))
            let text = try folder.text()
            #expect(text.hasPrefix(torn + "\n{"))
            let lines = try AuditFile(path: folder.log).lines(since: 0)
            #expect(lines.count == 4)
            #expect(try bench.spent() == [.token(Bench.zrx): Bench.units("10")])
            let full = await failure { () async throws(SigningError) in
                try await bench.sign(Bench.transfer(Bench.zrx, "1", nonce: 2))
            }
            #expect(full?.code == "policy")
        }
    }

    @Test(
        "a whole line that is not ours stops signing where a day is to be counted",
        arguments: [
            "{}", "{\"time\":1,\"id\":\"a\",\"event\":\"other\"}",
            "{\"time\":1800000000,\"id\":\"a\",\"event\":\"authorized\",\"paid\":[]}",
            "{\"time\":-1,\"id\":\"a\",\"event\":\"signed\"}", "garbage}",
        ]
    )
    func damaged(line: String) async throws {
        let bench = try bench()
        try await bench.sign(Bench.transfer(Bench.zrx, "4"))
        let text = try folder.text()
        try Data((text + line + "\n").utf8).write(to: URL(filePath: folder.log))
        let error = await failure { () async throws(SigningError) in
            try await bench.sign(Bench.transfer(Bench.zrx, "1", nonce: 1))
        }
        #expect(error?.code == "audit-log")
        #expect(error?.kind == .configuration)
        #expect(error?.message.contains(folder.log) == true)
        // Where nothing is counted, it is only appended to.
        try await self.bench(limit: nil).sign(Bench.transfer(Bench.zrx, "1", nonce: 1))
    }

    @Test("a line without an end is refused instead of being read into memory")
    func endless() async throws {
        let bench = try bench()
        let content = Data(repeating: UInt8(ascii: "x"), count: 3 << 20) + Data("\n".utf8)
        try content.write(to: URL(filePath: folder.log))
        let error = await failure { () async throws(SigningError) in
            try await bench.sign(Bench.transfer(Bench.zrx, "1"))
        }
        #expect(error?.message.contains("a line is too long") == true)
    }

    @Test("on a full disk nothing is signed, and half a line is taken back")
    func fullDisk() async throws {
        let bench = try bench(limit: nil)
        try await bench.sign(Bench.transfer(Bench.zrx, "4"))
        // No other file of the tests is this large; the next byte but ten cannot be written.
        let limit: UInt64 = 1 << 33
        let file = try FileHandle(forUpdating: URL(filePath: folder.log))
        try file.truncate(atOffset: limit - 10)
        let before = try file.seekToEnd()
        let error = try await FileLimit.with(limit) {
            await failure { () async throws(SigningError) in
                try await bench.sign(Bench.transfer(Bench.zrx, "1", nonce: 1))
            }
        }
        #expect(error?.code == "audit-log")
        #expect(error?.message.contains("File too large") == true)
        #expect(error?.message.hasSuffix("nothing is signed without it.") == true)
        #expect(try file.seekToEnd() == before)
        try file.close()
    }

    @Test("a file that cannot be written, a folder and a link are refused with the reason")
    func unwritable() async throws {
        let paths = ["/proc/none/audit.jsonl", "/dev/null", folder.path]
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/link",
            withDestinationPath: "\(folder.path)/elsewhere"
        )
        for path in paths + ["\(folder.path)/link"] {
            let bench = try Bench(log: AuditFile(path: path))
            let error = await failure { () async throws(SigningError) in
                try await bench.sign(Bench.transfer(Bench.zrx, "1"))
            }
            #expect(error?.code == "audit-log", "\(path)")
            #expect(error?.message.contains(path) == true)
        }
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/elsewhere"))
    }

    @Test("another process that holds the file is waited for, but not for ever")
    func locked() async throws {
        let file = AuditFile(path: folder.log, patience: 60)
        let bench = try Bench(log: file)
        try await bench.sign(Bench.transfer(Bench.zrx, "1"))
        let descriptor = open(folder.log, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        #expect(flock(descriptor, LOCK_EX) == 0)
        let error = await failure { () async throws(SigningError) in
            try await bench.sign(Bench.transfer(Bench.zrx, "1"))
        }
        #expect(error?.code == "audit-log")
        #expect(error?.message.contains("cannot be locked") == true)
        #expect(flock(descriptor, LOCK_UN) == 0)
        try await bench.sign(Bench.transfer(Bench.zrx, "1"))
    }

    @Test("a file that others may read is closed to them")
    func mode() async throws {
        try Data().write(to: URL(filePath: folder.log))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644],
            ofItemAtPath: folder.log
        )
        try await bench().sign(Bench.transfer(Bench.zrx, "1"))
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.log)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
}

/// A limit for the files of this process, in place of a full disk.
private enum FileLimit {
    static func with(
        _ bytes: UInt64,
        _ body: () async -> SigningError?
    ) async throws -> SigningError? {
        signal(SIGXFSZ, SIG_IGN)
        var old = rlimit()
        try #require(getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &old) == 0)
        var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: old.rlim_max)
        try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
        defer { _ = setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &old) }
        return await body()
    }
}
