import DexTestSupport
import Foundation
import GRDB
import StrictJSON
import Testing

/// A home whose agents trade on the sandbox, and what tests of plans do and read there.
struct AgentHome: Sendable {
    let dex: DexBinary

    /// Some trades of a few ZRX, and no large one.
    static let policy = """
        [mcp]
        networks = ["sandbox"]
        [mcp.max_per_trade]
        WETH = "0.01"
        ZRX = "5"
        [mcp.max_per_day]
        WETH = "0.02"
        ZRX = "10"

        """
    /// The wallet's name.
    static let wallet = "agent"
    static let password = "open sesame"
    /// What `dex approve` asks of a wallet's owner.
    static let passwordPrompt = "Password of agent"
    static let question = "[y/N] "

    /// - Parameter policy: of policy.toml; nil for none.
    init(_ dex: DexBinary, policy: String? = AgentHome.policy) throws {
        self.dex = dex
        if let policy { try write(policy, to: "policy.toml") }
    }

    /// Writes a file of the home that only its user may read.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        let url = dex.home.appending(path: name)
        try Data(text.utf8).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
        return url.path
    }

    // MARK: The wallet

    /// The environment with a file that holds the wallet's password.
    func passwordFile() throws -> [String: String] {
        ["DEX_PASSWORD_FILE": try write(Self.password + "\n", to: "password")]
    }

    /// Makes a wallet of a trader's key.
    func importWallet(of trader: FaultTrader) async throws {
        let run = try await dex.run(
            [
                "wallet", "import", "key", Self.wallet, "--light", "--from",
                try write(trader.key + "\n", to: "key"), "--json",
            ],
            environment: passwordFile()
        )
        try #require(run.status == 0, "\(run.stdout) \(run.stderr)")
    }

    /// Keeps the wallet's key in a process of its own.
    func unlock(_ options: String...) async throws {
        let run = try await dex.run(
            ["unlock", Self.wallet, "--for", "1h", "--network", "sandbox", "--json"] + options,
            environment: passwordFile()
        )
        try #require(run.status == 0, "\(run.stdout) \(run.stderr)")
    }

    func lock() async throws {
        let run = try await dex.run("lock --json")
        try #require(run.status == 0, "\(run.stdout) \(run.stderr)")
    }

    // MARK: What is kept

    /// The lines of the audit log; none without one.
    func audit() throws -> [JSONValue] {
        let file = dex.home.appending(path: "audit.jsonl")
        guard FileManager.default.fileExists(atPath: file.path) else { return [] }
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .map { try JSONParser.parse(text: String($0)) }
    }

    /// What was authorized for a plan, by the audit log.
    func authorized(for plan: String) throws -> [JSONValue] {
        try audit().filter {
            $0["event"] == "authorized" && $0["plan"]?.stringValue == plan
        }
    }

    /// What was authorized for a plan, and then signed.
    func signed(for plan: String) throws -> [JSONValue] {
        let signed = Set(try audit().filter { $0["event"] == "signed" }.map { $0["id"] })
        return try authorized(for: plan).filter { signed.contains($0["id"]) }
    }

    /// A plan as `dex approve show` tells it.
    func plan(_ id: String) async throws -> JSONValue {
        let run = try await dex.run("approve show \(id) --json")
        try #require(run.status == 0, "\(run.stdout) \(run.stderr)")
        return try #require(try run.json()["data"])
    }

    func state(of id: String) async throws -> String {
        try await plan(id)["state"]?.stringValue ?? "none"
    }

    /// Lets a plan's time be over.
    func expire(_ id: String) async throws {
        let file = dex.home.appending(path: "sandbox/journal.sqlite")
        try await DatabaseQueue(path: file.path).write { database in
            try database.execute(
                sql: "UPDATE agent_plans SET created = 1, expires = 601 WHERE id = ?",
                arguments: [id]
            )
            try #require(database.changesCount == 1)
        }
    }

    // MARK: Servers

    /// A server that may do all.
    func server(
        allow: String = "do",
        wallet: String = "alice",
        _ options: [String] = [],
        environment: [String: String] = [:]
    ) throws -> ModelClient {
        try ModelClient(
            dex,
            ["--allow", allow, "--wallet", wallet] + options,
            environment: environment
        )
    }
}

extension ModelClient {
    /// Makes a plan, which has to be open.
    ///
    /// - Returns: its id and all of it.
    func plan(
        _ tool: String,
        _ arguments: JSONValue,
        location: SourceLocation = #_sourceLocation
    ) async throws -> (id: String, data: JSONValue) {
        let reply = try await call(tool, arguments)
        let data = try #require(reply.data, "\(reply)", sourceLocation: location)
        #expect(data["state"] == "open", "\(reply)", sourceLocation: location)
        return (try #require(reply.planID, sourceLocation: location), data)
    }

    /// Plans to buy ZRX.
    func planBuy(
        _ amount: String,
        via: String = "book",
        location: SourceLocation = #_sourceLocation
    ) async throws -> (id: String, data: JSONValue) {
        try await plan("plan_trade", Self.buying(amount, via: via), location: location)
    }

    static func buying(_ amount: String, via: String = "book") -> JSONValue {
        [
            "pair": "ZRX/WETH", "side": "buy", "amount": .string(amount),
            "via": .string(via),
        ]
    }

    func execute(_ plan: String, wait: Int? = nil) async throws -> ModelReply {
        try await answer(to: beginExecute(plan, wait: wait))
    }

    func beginExecute(_ plan: String, wait: Int? = nil) -> Int {
        guard let wait else { return begin("execute", ["plan": .string(plan)]) }
        return begin("execute", ["plan": .string(plan), "wait": .integer(wait)])
    }
}
