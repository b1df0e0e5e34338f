import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// The built binary as a client of the Model Context Protocol meets it, byte by byte.
@Suite("dex mcp, byte by byte")
struct ToolServerTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    private static let meta: JSONValue = [
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": ["name": "probe", "version": "1"],
        "io.modelcontextprotocol/clientCapabilities": [:],
    ]

    @Test("a legacy client: handshake, ping, list, call, what is not there")
    func legacy() async throws {
        let server = try ToolServer(dex)
        for (asked, agreed) in [
            ("2024-11-05", "2024-11-05"), ("2025-03-26", "2025-03-26"),
            ("2025-06-18", "2025-06-18"), ("2025-11-25", "2025-11-25"),
            ("1999-01-01", "2025-11-25"), ("2026-07-28", "2025-11-25"),
        ] {
            let result = try await server.ask(
                1,
                "initialize",
                ["protocolVersion": .string(asked), "capabilities": ["roots": [:]]]
            )["result"]
            #expect(result?["protocolVersion"]?.stringValue == agreed)
            #expect(result?["capabilities"] == ["tools": [:]])
            #expect(result?["serverInfo"]?["name"] == "dex")
            #expect(result?["resultType"] == nil && result?["_meta"] == nil)
        }
        // As mcp 1.13.1 writes them: the method first, no params.
        try server.write("{\"method\":\"notifications/initialized\",\"jsonrpc\":\"2.0\"}\n")
        try server.write("{\"method\":\"notifications/roots/list_changed\",\"jsonrpc\":\"2.0\"}\n")
        try server.write("{\"method\":\"ping\",\"jsonrpc\":\"2.0\",\"id\":2}\n")
        #expect(try await server.answer(2) == ["jsonrpc": "2.0", "id": 2, "result": [:]])
        try server.write("{\"method\":\"tools/list\",\"jsonrpc\":\"2.0\",\"id\":3}\n")
        let list = try await server.answer(3)["result"]
        #expect(list?.objectValue?.members.map(\.key) == ["tools"])
        #expect(list?["tools"]?.arrayValue?.count == 11)
        let call = try await server.ask(
            4,
            "tools/call",
            ["name": "tokens", "arguments": ["query": "DAI"], "_meta": ["progressToken": 4]]
        )["result"]
        #expect(call?["isError"] == false)
        #expect(call?["structuredContent"]?["network"] == "sandbox")
        #expect(
            call?["content"]?.arrayValue?.first?["text"]?.stringValue
                == call?["structuredContent"]?.text
        )
        for method in [
            "logging/setLevel", "resources/list", "prompts/list", "server/discover",
            "subscriptions/listen", "completion/complete", "tools/call2", "",
        ] {
            let error = try await server.ask(5, method)["error"]
            #expect(error?["code"] == -32_601 && error?["data"] == .string(method))
        }
        try server.close()
        #expect(try await server.end() == 0)
    }

    @Test("a modern client: every request says what it speaks, and every result what it is")
    func modern() async throws {
        let server = try ToolServer(dex)
        let discovered = try await server.ask(1, "server/discover", ["_meta": Self.meta])["result"]
        #expect(discovered?["resultType"] == "complete" && discovered?["cacheScope"] == "private")
        #expect(discovered?["supportedVersions"] == ["2026-07-28"])
        let list = try await server.ask(2, "tools/list", ["_meta": Self.meta])["result"]
        #expect(list?["ttlMs"] == 3_600_000 && list?["cacheScope"] == "private")
        #expect(list?["_meta"]?["io.modelcontextprotocol/serverInfo"]?["name"] == "dex")
        let call = try await server.ask(
            3,
            "tools/call",
            [
                "name": "tokens", "arguments": ["query": "DAI"], "_meta": Self.meta,
                "inputResponses": ["approval": ["action": "accept"]], "requestState": "v1",
            ]
        )["result"]
        #expect(call?["resultType"] == "complete" && call?["isError"] == false)
        for (method, meta, code) in [
            ("ping", Self.meta, -32_601), ("subscriptions/listen", Self.meta, -32_601),
            ("tools/list", [:], -32_602),
            ("tools/list", ["io.modelcontextprotocol/protocolVersion": "2026-07-28"], -32_602),
            (
                "tools/list",
                [
                    "io.modelcontextprotocol/protocolVersion": "1900-01-01",
                    "io.modelcontextprotocol/clientCapabilities": [:],
                ], -32_022
            ),
        ] as [(String, JSONValue, Int)] {
            let error = try await server.ask(4, method, ["_meta": meta])["error"]
            #expect(error?["code"] == .integer(code), "\(method) \(meta.text)")
        }
        let begun = try await server.ask(
            5,
            "initialize",
            ["protocolVersion": "2025-11-25", "_meta": Self.meta]
        )["error"]
        #expect(begun?["code"] == -32_022 && begun?["data"]?["supported"] == ["2026-07-28"])
        // The same process serves the other era too.
        try await server.begin()
        #expect(try await server.ask(6, "tools/list")["result"]?["resultType"] == nil)
        #expect(
            try await server.ask(7, "tools/list", ["_meta": Self.meta])["result"]?["ttlMs"] != nil
        )
        try server.close()
        #expect(try await server.end() == 0)
    }

    @Test("what is no request is answered with its code, and the server serves on")
    func malformed() async throws {
        let server = try ToolServer(dex)
        try await server.begin()
        for (line, code) in [
            ("{", -32_700), ("no JSON", -32_700), ("[]", -32_600), ("7", -32_600),
            ("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", -32_600),
            ("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", -32_600),
            ("{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}", -32_600),
            ("{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}", -32_600),
        ] {
            try server.write(line + "\n")
            let answer = try #require(await server.next("the fault of \(line)"))
            #expect(answer["error"]?["code"] == .integer(code) && answer["id"] == .null)
        }
        try server.write([0x22, 0xFF, 0xFE, 0x22, 0x0A])
        #expect(try await server.next("the fault of bytes")?["error"]?["code"] == -32_700)
        for (params, code) in [
            ([:], -32_602), (["name": 1], -32_602), (["name": "nope"], -32_602),
            (["name": "price", "arguments": []], -32_602),
            (["name": "price", "arguments": .null], -32_602),
        ] as [(JSONValue, Int)] {
            let error = try await server.ask(8, "tools/call", params)["error"]
            #expect(error?["code"] == .integer(code), "\(params.text)")
        }
        #expect(try await server.ask(9, "tools/list", ["cursor": "x"])["error"]?["code"] == -32_602)
        #expect(try await server.ask(9, "ping")["result"] == [:])
        try server.close()
        #expect(try await server.end() == 0)
    }

    @Test("lines come in any pieces: none, CR LF, two at once, one in two, ids beyond 2^53")
    func pieces() async throws {
        let server = try ToolServer(dex)
        func ping(_ id: String) -> String {
            "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"ping\"}"
        }
        func pong(_ id: JSONValue) -> JSONValue { ["jsonrpc": "2.0", "id": id, "result": [:]] }
        try server.write("\n\r\n  \n\(ping("1"))\r\n\(ping("2"))\n\(ping("3"))\n")
        for id in 1...3 { #expect(try await server.next("a ping") == pong(.integer(id))) }
        let line = ping("9007199254740993") + "\n" + ping("\"listen-1\"") + "\n"
        for byte in line.utf8 { try server.write([byte]) }
        #expect(try await server.next("a large id") == pong(.number("9007199254740993")))
        #expect(try await server.next("a text") == pong("listen-1"))
        try server.write(ping("\"\\u0000\\n\\u2028\"") + "\n")
        #expect(try await server.next("an odd text") == pong("\u{0}\n\u{2028}"))
        try server.close()
        #expect(try await server.end() == 0)
    }

    @Test("a line of 64 MiB is answered with an error and not kept; the server serves on")
    func longLine() async throws {
        let server = try ToolServer(dex)
        try await server.begin()
        let before = try server.memory.peak
        try await server.write(Data(repeating: UInt8(ascii: "a"), count: 1 << 20), times: 64)
        try server.write("\n")
        let answer = try #require(await server.next("the fault of a long line"))
        #expect(answer["error"]?["code"] == -32_700 && answer["id"] == .null)
        #expect(try await server.ask(1, "ping")["result"] == [:])
        let grown = try server.memory.peak - before
        #expect(grown < 12 << 10, "\(grown) KiB more for a line of 64 MiB")
        try server.close()
        #expect(try await server.end() == 0)
    }

    @Test("a cancelled call gets no answer, before its end or after it")
    func cancelled() async throws {
        let node = try ScriptedServer { $0.waitForClose() }
        defer { node.stop() }
        let server = try ToolServer(dex, "--rpc", node.url, "--timeout", "600")
        try await server.begin()
        func cancel(_ id: String) -> String {
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":"
                + "{\"requestId\":\(id),\"reason\":\"timed out\"}}\n"
        }
        try server.write(ToolServer.call(1, "chart", ["pair": "ZRX/WETH"]))
        try await until("the node is asked") { node.accepted > 0 }
        // Another id, another kind of id, no id.
        for id in ["2", "\"1\"", "null"] { try server.write(cancel(id)) }
        let busy = try await server.ask(1, "tools/call", ["name": "tokens"])["error"]
        #expect(busy?["code"] == -32_600, "an id that is in use")
        try server.write(cancel("1"))
        // Its answer would come before these, or with them.
        #expect(try await server.ask(3, "ping")["result"] == [:])
        try await until("the id is free") {
            let again = try await server.ask(1, "tools/call", ["name": "tokens"])
            return again["result"]?["isError"] == false
        }
        try server.write(cancel("1"))
        #expect(try await server.ask(4, "ping")["result"] == [:])
        try server.close()
        #expect(try await server.next("nothing more") == nil)
        #expect(try await server.end() == 0)
    }

    @Test("of nine calls at once one is busy; the others go on")
    func busy() async throws {
        let node = try ScriptedServer { $0.waitForClose() }
        defer { node.stop() }
        let server = try ToolServer(dex, "--rpc", node.url, "--timeout", "600")
        try await server.begin()
        for id in 1...9 { try server.write(ToolServer.call(id, "chart", ["pair": "ZRX/WETH"])) }
        let refused = try #require(await server.next("the ninth call"))
        #expect(refused["id"] == 9)
        let text = try #require(
            refused["result"]?["content"]?.arrayValue?.first?["text"]?.stringValue
        )
        let error = try JSONParser.parse(text: text)["error"]
        #expect(error?["code"] == "busy" && error?["retryable"] == true && error?["exitCode"] == 6)
        #expect(refused["result"]?["isError"] == true)
        #expect(refused["result"]?["structuredContent"] == nil)
        #expect(try await server.ask(10, "ping")["result"] == [:])
        try server.close()
        #expect(try await server.end() == 0)
    }

    @Test("the end of the input in the middle of a call ends the server with 0; a signal with 130")
    func ends() async throws {
        let node = try ScriptedServer { $0.waitForClose() }
        defer { node.stop() }
        for (signal, status) in [(0, 0), (SIGTERM, 130), (SIGINT, 130)] as [(CInt, Int32)] {
            let before = node.accepted
            let server = try ToolServer(dex, "--rpc", node.url, "--timeout", "600")
            try await server.begin()
            try server.write(ToolServer.call(1, "chart", ["pair": "ZRX/WETH"]))
            try await until("the node is asked") { node.accepted > before }
            if signal == 0 { try server.close() } else { server.send(signal: signal) }
            #expect(try await server.next("no answer") == nil)
            #expect(try await server.end() == status)
        }
    }

    @Test("a client that reads nothing and closes its input leaves no process behind")
    func deaf() async throws {
        let server = try ToolServer(dex)
        try await server.begin()
        // More answers than any pipe holds.
        for id in 1...60 { try server.write(ToolServer.request(id, "tools/list")) }
        try server.close()
        #expect(try await server.end() == 0)
    }

    /// Milliseconds of processor that a command takes, as bash's `times` tells them of its children.
    private func processor(_ argument: String) async throws -> Double {
        let run = try await dex.run(
            [argument],
            environment: [:],
            under: ["/bin/bash", "-c", #""$@" >/dev/null && times"#, "bash"],
            program: DexBinary.executable.path
        )
        // Minutes and seconds in user mode and in the kernel's: "0m0.021s 0m0.006s".
        let times = try #require(run.stdout.split(separator: "\n").last, "\(run.stderr)")
            .matches(of: /([0-9]+)m([0-9.]+)s/)
        try #require(run.status == 0 && times.count == 2, "\(run.stdout) \(run.stderr)")
        return times.reduce(0) {
            $0 + 60_000 * (Double($1.output.1) ?? 0) + 1_000 * (Double($1.output.2) ?? 0)
        }
    }

    @Test("the first answer takes at most twice the processor of `dex --help` after the start")
    func start() async throws {
        var (servers, helps): ([Double], [Double]) = ([], [])
        for _ in 0..<5 {
            let server = try ToolServer(dex)
            try await server.begin()
            servers.append(try server.processor)
            try server.close()
            #expect(try await server.end() == 0)
            helps.append(try await processor("--help"))
        }
        let (best, peer) = (servers.min() ?? .infinity, helps.min() ?? 0)
        #expect(peer > 1 && best > 1 && best <= 2 * peer, "\(servers) ms, --help \(helps) ms")
    }

    @Test("memory stays where it is, call after call")
    func memory() async throws {
        let server = try ToolServer(dex)
        try await server.begin()
        func calls(_ count: Int) async throws {
            for id in 1...count {
                // One that answers, one that fails, one that is refused.
                let tool = ["tokens", "price", "nope"][id % 3]
                try server.write(ToolServer.call(id, tool, tool == "price" ? ["x": 1] : [:]))
                _ = try await server.answer(.integer(id))
            }
        }
        try await calls(300)
        let before = try server.memory.now
        try await calls(1_500)
        let (peak, now) = try server.memory
        #expect(now - before < 2 << 10, "from \(before) to \(now) KiB in 1,500 calls")
        #expect(peak <= 60 << 10, "\(peak) KiB at the peak")
        try server.close()
        #expect(try await server.end() == 0)
    }
}
