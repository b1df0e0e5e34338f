import StrictJSON
import Testing

@testable import DexTerminal

/// What a line of a client asks for, and in which revision.
@Suite("Requests of a model's client")
struct MCPMessageTests {
    private static func read(_ text: String) -> MCPMessage { MCPMessage(Array(text.utf8)) }

    private static func fault(_ text: String) -> (code: Int, id: JSONValue)? {
        guard case .fault(let fault, let id) = read(text) else { return nil }
        return (fault.code, id)
    }

    @Test("ids are strings or integers, and come back digit for digit")
    func ids() {
        for id in [
            "0", "1", "-7", "9007199254740993", "18446744073709551616",
            #""listen-1""#, #""3""#, #""""#,
        ] {
            guard
                case .request(let request) = Self.read(
                    #"{"jsonrpc":"2.0","id":\#(id),"method":"a"}"#
                )
            else {
                Issue.record("\(id) is no id")
                continue
            }
            #expect(request.id.text == id)
        }
        for id in ["null", "1.5", "3.0", "1e3", "true", "{}", "[1]"] {
            let fault = Self.fault(#"{"jsonrpc":"2.0","id":\#(id),"method":"a"}"#)
            #expect(fault?.code == -32_600 && fault?.id == .null, "\(id)")
        }
        let long = String(repeating: "x", count: 257)
        #expect(Self.fault(#"{"jsonrpc":"2.0","id":"\#(long)","method":"a"}"#)?.code == -32_600)
    }

    @Test(
        "what is no request is a fault with its code",
        arguments: [
            ("", -32_700), ("{", -32_700), ("{}x", -32_700), (#"{"a":1,"a":2}"#, -32_700),
            (#"{"jsonrpc":"2.0","id":1,"method":"\ud800"}"#, -32_700), ("\u{FEFF}{}", -32_700),
            ("[]", -32_600), (#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32_600),
            ("1", -32_600), ("null", -32_600), ("{}", -32_600),
            (#"{"id":1,"method":"a"}"#, -32_600),
            (#"{"jsonrpc":"1.0","id":1,"method":"a"}"#, -32_600),
            (#"{"jsonrpc":"2.0","id":1}"#, -32_600),
            (#"{"jsonrpc":"2.0","id":1,"method":1}"#, -32_600),
            (#"{"jsonrpc":"2.0","id":1,"method":"a","params":[]}"#, -32_602),
            (#"{"jsonrpc":"2.0","id":1,"method":"a","params":null}"#, -32_602),
        ]
    )
    func faults(_ text: String, _ code: Int) {
        #expect(Self.fault(text)?.code == code)
    }

    @Test("bytes that are no UTF-8 are no JSON, and a nest is no stack")
    func hostileBytes() {
        guard case .fault(let fault, _) = MCPMessage([0x22, 0xFF, 0x22]) else {
            Issue.record("taken")
            return
        }
        #expect(fault.code == -32_700)
        let nest = String(repeating: "[", count: 500_000)
        #expect(Self.fault(nest)?.code == -32_700)
        let many = "[" + String(repeating: "0,", count: 30_000) + "0]"
        #expect(Self.fault(many)?.code == -32_700)
    }

    @Test("without an id it is a notification; an answer is one to nothing")
    func others() {
        #expect(
            Self.read(#"{"method":"notifications/initialized","jsonrpc":"2.0"}"#)
                == .notification(method: "notifications/initialized", params: JSONObject())
        )
        #expect(Self.read(#"{"jsonrpc":"2.0","id":1,"result":{}}"#) == .answer)
        #expect(Self.read(#"{"jsonrpc":"2.0","id":1,"error":{}}"#) == .answer)
    }

    // MARK: Revisions

    private static func revision(_ meta: String) throws(MCPFault) -> MCPRevision {
        let params = try? JSONParser.parse(text: #"{"_meta":\#(meta)}"#).objectValue  // none: fails
        return try MCPRevision(params ?? JSONObject())
    }

    private static let version = #""io.modelcontextprotocol/protocolVersion""#
    private static let capabilities = #""io.modelcontextprotocol/clientCapabilities""#

    @Test("a request that names a version is modern, and must have what that asks for")
    func modern() throws {
        #expect(try MCPRevision(JSONObject()) == .legacy)
        #expect(try Self.revision("{}") == .legacy)
        #expect(try Self.revision(#"{"progressToken":1}"#) == .legacy)
        #expect(
            try Self.revision(#"{\#(Self.version):"2026-07-28",\#(Self.capabilities):{}}"#)
                == .modern
        )
        for (meta, code) in [
            (#"{\#(Self.version):"2026-07-28"}"#, -32_602),
            (#"{\#(Self.version):"2026-07-28",\#(Self.capabilities):1}"#, -32_602),
            (#"{\#(Self.version):1,\#(Self.capabilities):{}}"#, -32_602),
            (#"{\#(Self.version):"1900-01-01",\#(Self.capabilities):{}}"#, -32_022),
            (#"{\#(Self.version):"2025-11-25",\#(Self.capabilities):{}}"#, -32_022),
            ("1", -32_602),
        ] {
            let fault = #expect(throws: MCPFault.self) { try Self.revision(meta) }
            #expect(fault?.code == code, "\(meta)")
        }
    }

    @Test("a handshake gets its own version if we have it, else our newest")
    func agreement() {
        for version in MCPRevision.legacyVersions {
            #expect(MCPRevision.agreed(version) == version)
        }
        for version in ["1999-01-01", "2026-07-28", ""] {
            #expect(MCPRevision.agreed(version) == "2025-11-25")
        }
    }
}
