import DexSettings
import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// What `dex` prints with --json against the schemas that it prints, by PyPI's jsonschema.
@Suite("JSON Schemas of answers")
struct SchemaTests {
    /// The command lines and answers of a sandbox, each with the schema that it has to be valid by.
    private actor Record {
        private var lines: [String] = []
        private(set) var ended: Set<String> = []

        func add(_ line: String, _ schema: String, _ answer: JSONValue) {
            let entry: JSONValue = [
                "schema": .string(schema), "line": .string(line), "answer": answer,
            ]
            lines.append(entry.text)
            if answer["status"] != "error" { ended.insert(schema) }
        }

        var text: String { lines.joined(separator: "\n") + "\n" }
    }

    /// They need a terminal, another machine, or do not end.
    private static let left: Set<String> = [
        "--watch", "watch", "guard run", "sandbox up", "sandbox follow", "sandbox down",
        "sandbox reset", "relay serve", "live", "provider", "mcp", "manual", "config edit", "init",
        "--help", "--version",
    ]

    /// What the examples of the help do not do: each command that moves money carries it out.
    private static let story = [
        "orderbook ZRX/WETH --raw", "orderbook ZRX/WETH --relays",
        "orderbook WETH/USDC --via pools",
        "price ZRX/WETH --amount 500", "price WETH/USDC --via pools", "pool WETH/USDC",
        "balance --discover", "balance --in USDC", "buy ZRX/WETH 100 --yes",
        "buy WETH/USDC 1 --via pools --yes", "buy ZRX/WETH 50 --via swap --yes",
        "sell ZRX/WETH 10 --yes", "buy ZRX/WETH 100000000", "trades ZRX/WETH", "chart ZRX/WETH",
        "allowance set ZRX unlimited --yes", "allowance set WETH 5", "allowance",
        "limit sell ZRX/WETH 20 --price 0.02 --yes",
        "limit sell ZRX/WETH 100 --price 0.01 --ladder 3 --to 0.02 --yes",
        "limit sell ZRX/WETH 5 --price 0.03 --no-post --yes",
        "limit sell ZRX/WETH 5 --price 0.03 --no-send --out order.json --yes",
        "broadcast order.json", "broadcast order.json --yes", "orders", "orders --mine",
        "cancel --all --yes", "cancel --all", "history --all", "history rebuild --from-block 0",
        "activity", "send ZRX 1 bob --yes", "send ETH 1 bob --yes", "wrap 1 --yes",
        "unwrap 1 --yes",
        "allowance revoke ZRX", "allowance revoke --all --yes", "watch --once", "resume", "doctor",
        "tx list", "block latest", "config show --all", "config set trade.slippage 2",
        "config unset trade.slippage", "policy", "schema", "schema tx list", "completion fish",
        "sandbox fault slow --delay 10", "sandbox fault flaky", "sandbox fault clear",
        "sandbox fault reorg", "relay init --config r.toml", "relay check --config r.toml",
        "relay key add me --config r.toml", "relay key list --config r.toml",
        "relay moderation --config r.toml", "guard add sell ZRX/WETH 10 --below 0.0001 --yes",
        "guard list", "guard remove 1 --yes", "alert add ZRX/WETH --above 1", "alert list",
        "alert remove 1", "wallet sign-message hello --yes", "status 0x1234", "fill 0x12345678 5",
        "tx speedup 0x12345678", "why 0x12345678", "unlock", "wallet list",
        "wrap 1 --no-send --out wrap.json --yes", "tx list", "broadcast wrap.json",
        "broadcast wrap.json --yes", "sandbox status",
    ]

    @Test("every command's answers and errors are valid, and no wrong form of them is")
    func answers() async throws {
        let dex = try DexBinary()
        try dex.write(config: "network = \"sandbox\"\n")
        let schemas = try await Self.schemas(dex)
        let record = Record()
        let up = try await dex.run("sandbox up --detach --quiet --memory --json")
        try #require(up.status == 0, "\(up.stdout) \(up.stderr)")
        await record.add("sandbox up", "sandbox up", try up.json())
        let examples = try await Self.examples(dex)
        #expect(examples.count > 150)
        for line in Self.story + examples { try await Self.note(line, dex, schemas, record) }
        let down = try await dex.run("sandbox down --json")
        await record.add("sandbox down", "sandbox down", try down.json())
        // A mistake in the words has an answer too.
        for schema in schemas.keys.sorted() {
            let run = try await dex.run(["-j"] + schema.words + ["--no-such-option"])
            await record.add("\(schema) --no-such-option", schema, try run.json())
        }
        let folder = dex.home.appending(path: "answers")
        try Self.write(schemas, below: folder)
        try Data(await record.text.utf8).write(to: folder.appending(path: "answers.jsonl"))
        let run = try await PythonEnvironment.run("answers/validate.py", folder.path)
        #expect(run.status == 0, "\(String(decoding: run.output, as: UTF8.self)) \(run.errors)")
        let ended = await record.ended
        #expect(ended.count > 60, "\(ended.sorted())")
    }

    @Test("a group, a command without JSON and an unknown one are named")
    func unknown() async throws {
        let dex = try DexBinary()
        for (words, message) in [
            ("nonsense", "There is no command 'nonsense'."), ("live", "dex live prints no JSON."),
            ("tokens nonsense", "There is no command 'nonsense' there."),
            ("sandbox", "dex sandbox prints no JSON."),
        ] {
            let run = try await dex.run(["schema"] + words.words)
            #expect(run.status == 2 && run.stdout.isEmpty, "\(words)")
            #expect(run.stderr.contains(message), "\(words): \(run.stderr)")
        }
        let short = try await dex.run("schema bal")
        #expect(short.stdout.contains("\"title\": \"dex balance\""))
    }

    /// The schema of each command, by its name.
    private static func schemas(_ dex: DexBinary) async throws -> [String: JSONValue] {
        let list = try await dex.run("schema --json").json()
        var schemas: [String: JSONValue] = [:]
        for entry in list["data"]?["commands"]?.arrayValue ?? [] {
            let name = try #require(entry["command"]?.stringValue)
            let run = try await dex.run(["schema"] + name.words)
            try #require(run.status == 0, "\(name): \(run.stderr)")
            schemas[name] = try run.json()
        }
        #expect(schemas.count > 100)
        return schemas
    }

    private static func write(_ schemas: [String: JSONValue], below folder: URL) throws {
        let place = folder.appending(path: "schemas")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        for (name, schema) in schemas {
            try Data(schema.text.utf8).write(to: place.appending(path: "\(name).json"))
        }
    }

    /// All examples of all help, without `dex`, those that name things first.
    private static func examples(_ dex: DexBinary) async throws -> [String] {
        var lines: [String] = []
        for command in try await HelpPages.shared.commands().keys.sorted() {
            let page = try await dex.run(["help"] + command.words).stdout
            for line in page.replacing(" \\\n    ", with: " ").split(separator: "\n")
            where line.hasPrefix("  dex ") {
                let line = String(line.dropFirst("  dex ".count))
                if !lines.contains(line) { lines.append(line) }
            }
        }
        return lines.filter { line in
            !left.contains { " \(line) ".contains(" \($0) ") }
        }
    }

    /// Runs a command line with --json and keeps what it printed.
    private static func note(
        _ line: String,
        _ dex: DexBinary,
        _ schemas: [String: JSONValue],
        _ record: Record
    ) async throws {
        let words = try #require(CommandWords.split(line))
        let run = try await dex.run(
            ["-jq"] + words.map { Self.isFile($0) ? dex.home.path + "/" + $0 : $0 },
            environment: ["DEX_WALLET": "alice"]
        )
        // A usage error names the first word only, and a list with --csv is no JSON.
        for text in run.stdout.split(separator: "\n") {
            guard let answer = try? JSONParser.parse(text: String(text)) else {
                Issue.record("\(line) printed no JSON: \(text.prefix(80))")
                continue
            }
            let name = answer["command"]?.stringValue ?? ""
            guard let schema = schemas[name] == nil ? Self.named(words, schemas) : name else {
                Issue.record("\(line) has no schema")
                continue
            }
            await record.add(line, schema, answer)
        }
    }

    /// The name of a file that a command writes or reads: none of them may lie in the folder of the
    /// tests.
    private static func isFile(_ word: String) -> Bool {
        [".json", ".jsonl", ".toml", ".svg", ".csv"].contains { word.hasSuffix($0) }
    }

    /// The schema of the words of a command line: of a usage error any is as good.
    private static func named(_ words: [String], _ schemas: [String: JSONValue]) -> String? {
        schemas.keys.sorted().first { $0.words[0] == words[0] } ?? schemas.keys.min()
    }
}

extension String {
    fileprivate var words: [String] { split(separator: " ").map(String.init) }
}
