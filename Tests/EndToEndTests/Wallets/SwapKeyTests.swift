import DexTestSupport
import Foundation
import StrictJSON
import Synchronization
import Testing

@testable import EndToEndTestSupport

/// The key of the swap API, from the environment or a file to the header of a request, and to no
/// other place.
///
/// `dex doctor` is what asks the API here: it needs no node for that.
@Suite("The key of the swap API")
struct SwapKeyTests {
    private let dex: DexBinary
    private let key =
        "swap-"
        + String((0..<24).map { _ in "abcdefghijkmnpqrstuvwxyz23456789".randomElement() ?? "a" })

    init() throws {
        dex = try DexBinary()
    }

    /// An API that takes the key, and what it was asked with.
    private final class API: Sendable {
        let seen = Mutex<[ScriptedRequest]>([])

        func server(
            _ answer: ScriptedAnswer = ScriptedAnswer(body: #"{"chains":[{"chainId":8453}]}"#)
        ) throws -> ScriptedServer {
            try ScriptedServer.answering { [self] request in
                seen.withLock { $0.append(request) }
                return answer
            }
        }

        /// The key of each request.
        var keys: [String?] { seen.withLock { $0.map { $0.header("0x-api-key") } } }
    }

    private func keyFile(_ content: String, mode: Int = 0o600) throws -> String {
        let file = dex.home.appending(path: "zeroex.key")
        try Data(content.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        return file.path
    }

    private func config(_ server: ScriptedServer, _ more: String = "") throws {
        try dex.write(config: "[networks.base.swap]\napi = \"\(server.url)\"\n\(more)\n")
    }

    private func doctor(
        _ more: [String] = [],
        environment: [String: String] = [:]
    ) async throws -> DexBinary.Run {
        try await dex.run(
            ["doctor", "--network", "base", "--json", "--verbose"] + more,
            environment: environment
        )
    }

    private func isSecret(_ run: DexBinary.Run) -> Bool {
        !(run.stdout + run.stderr).contains(key)
    }

    // MARK: Where it comes from

    @Test("a file of mode 600 beside config.toml holds it, and the environment wins")
    func sources() async throws {
        let api = API()
        let server = try api.server()
        defer { server.stop() }
        _ = try keyFile(" \(key)\r\n")
        try config(server, "key_file = \"zeroex.key\"")
        let fromFile = try await doctor()
        // There is no node, so that its contracts are left.
        #expect(
            try fromFile.check("swap")["found"]?.stringValue?.hasPrefix(
                "\(server.url) serves chain 8453"
            ) == true,
            "\(fromFile.stdout)"
        )
        let other = key + "-other"
        let fromVariable = try await doctor(environment: ["DEX_ZEROEX_API_KEY": other + "\n"])
        #expect(api.keys == [key, other])
        #expect(isSecret(fromFile) && isSecret(fromVariable))
        #expect(api.seen.withLock { $0.allSatisfy { $0.header("0x-version") == "v2" } })
        #expect(api.seen.withLock { $0.allSatisfy { $0.target == "/swap/chains" } })
    }

    @Test("a file that others may read or that is not there, and what is no key, end with exit 3")
    func refused() async throws {
        let api = API()
        let server = try api.server()
        defer { server.stop() }
        try config(server, "key_file = \"zeroex.key\"")
        let missing = try await doctor()
        #expect(try missing.check("swap")["status"] == "fail", "\(missing.stdout)")
        #expect(
            try missing.check("swap").remedies.contains(
                "Correct it: dex config set networks.base.swap.key_file FILE"
            )
        )
        for mode in [0o640, 0o604, 0o644, 0o660] {
            let path = try keyFile(key, mode: mode)
            let run = try await doctor()
            let row = try run.check("swap")
            #expect(row["status"] == "fail", "\(mode)")
            #expect(row.remedies.first?.contains("chmod 600 \(path)") == true, "\(row)")
            #expect(isSecret(run))
        }
        for content in ["", "\n", "\(key) \(key)", "\(key)\n\(key)\n"] {
            _ = try keyFile(content)
            let run = try await doctor()
            #expect(try run.check("swap")["status"] == "fail", "\(content.debugDescription)")
            #expect(isSecret(run))
        }
        let variable = try await doctor(environment: ["DEX_ZEROEX_API_KEY": "\(key)\r\nX: 1"])
        #expect(try variable.check("swap")["status"] == "fail")
        #expect(isSecret(variable))
        #expect(api.keys.isEmpty)
    }

    @Test("a trade with a key that cannot be used ends with exit 3; one on the book needs none")
    func trade() async throws {
        let api = API()
        let server = try api.server()
        defer { server.stop() }
        try config(server, "key_file = \"zeroex.key\"")
        _ = try keyFile(key, mode: 0o644)
        // Nothing listens there, so that a command that comes so far ends with exit 4.
        let words = [
            "market-buy", "USDC/WETH", "1", "--network", "base", "--rpc", "http://127.0.0.1:1",
            "--relay", "http://127.0.0.1:1", "--wallet", "0x" + String(repeating: "22", count: 20),
            "--dry-run", "--json",
        ]
        let best = try await dex.run(words)
        #expect(best.status == 3, "\(best.stdout)")
        #expect(try best.json()["error"]?["code"] == "bad-swap-key")
        let book = try await dex.run(words + ["--via", "book"])
        #expect(book.status == 4, "\(book.stdout)")
        try config(server, "key_file = \"zeroex.key\"\nvia = \"book\"")
        #expect(try await dex.run(words).status == 4)
        #expect(try await dex.run(words + ["--via", "swap"]).status == 3)
        // What does not trade does not read it.
        #expect(try await dex.run("network list --json").status == 0)
        #expect(try await dex.run("tokens --network base").status == 0)
        #expect(api.keys.isEmpty)
    }

    // MARK: Where it does not go

    @Test("a server that refuses the key, repeats it or sends us on gets it told to nobody")
    func answers() async throws {
        let other = API()
        let elsewhere = try other.server()
        defer { elsewhere.stop() }
        let echo = #"{"name":"\#(key)","message":"the key \#(key) is not known"}"#
        let location = "Location: \(elsewhere.url)/\(key)"
        for answer in [
            ScriptedAnswer("401 Unauthorized", body: echo), ScriptedAnswer("400 Bad", body: echo),
            ScriptedAnswer("200 OK", body: echo), ScriptedAnswer("301 Moved", headers: [location]),
            ScriptedAnswer("307 Moved", headers: [location]), ScriptedAnswer("451 No", body: echo),
        ] {
            let api = API()
            let server = try api.server(answer)
            defer { server.stop() }
            try config(server)
            let run = try await doctor(environment: ["DEX_ZEROEX_API_KEY": key])
            #expect(try run.check("swap")["status"] == "fail", "\(answer.status)")
            #expect(api.keys == [key], "\(answer.status): asked once")
            #expect(isSecret(run), "\(answer.status): \(run.stdout) \(run.stderr)")
        }
        #expect(other.keys.isEmpty)
    }

    @Test("no file, argument, variable or write but that of the request has it")
    func systemCalls() async throws {
        let api = API()
        let server = try api.server()
        defer { server.stop() }
        let vault = try DexBinary()
        let path = vault.home.appending(path: "key").path
        try Data((key + "\n").utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        try config(server, "key_file = \"\(path)\"")
        let trace = vault.home.appending(path: "trace").path
        let run = try await dex.run(
            ["doctor", "--network", "base", "--json", "--verbose"],
            environment: [:],
            under: ["/usr/bin/strace"] + SystemCallTrace.arguments(output: trace),
            program: DexBinary.executable.path
        )
        #expect(api.keys == [key])
        #expect(isSecret(run))
        let secret = Array(key.utf8)
        let calls = try SystemCallTrace(contentsOf: trace).calls
        let holders = calls.filter { call in
            call.texts.contains { $0.firstRange(of: secret) != nil }
        }
        // The request itself, whichever call libcurl sends it with.
        #expect(holders.count == 1, "\(holders.map(\.name))")
        #expect(holders.allSatisfy { ["send", "sendto", "write", "sendmsg"].contains($0.name) })
        let opened = try #require(
            calls.firstIndex { call in
                call.name.hasPrefix("open") && call.texts.contains(Array(path.utf8))
            }
        )
        let isUndumpable = calls[..<opened].contains {
            $0.name == "prctl" && $0.line.contains("PR_SET_DUMPABLE") && $0.line.hasSuffix("= 0")
        }
        #expect(isUndumpable, "a core dump would hold it")
        let files = FileManager.default.enumerator(at: dex.home, includingPropertiesForKeys: nil)
        for case let file as URL in try #require(files) {
            // Folders and the like have no content.
            guard let content = try? Data(contentsOf: file) else { continue }
            #expect(content.firstRange(of: secret) == nil, "\(file.path)")
        }
    }

    @Test("config show and get name the file and never what is in it")
    func shown() async throws {
        let path = try keyFile(key)
        let set = try await dex.run("config set networks.base.swap.key_file \(path)")
        #expect(set.status == 0, "\(set.stderr)")
        #expect(try await dex.run("config set networks.base.swap.via swap").status == 0)
        let get = try await dex.run("config get networks.base.swap.via --json")
        #expect(try get.json()["data"]?["value"] == "swap")
        let show = try await dex.run("config show --verbose")
        #expect(show.stdout.contains("networks.base.swap.key_file = \"\(path)\""))
        let list = try await dex.run("network list --json")
        let networks = try #require(try list.json()["data"]?["networks"]?.arrayValue)
        let base = try #require(networks.first { $0["name"] == "base" })
        #expect(base["swap"]?["api"] == "https://api.0x.org")
        #expect(base["swap"]?["via"] == "swap")
        let wrong = try await dex.run("config set networks.base.swap.key \(key)")
        #expect(wrong.status == 2)
        for run in [set, get, show, list, wrong] { #expect(isSecret(run), "\(run.stderr)") }
    }
}
