import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

@Suite("An unlocked key that is asked without dex")
struct UnlockAroundTests {
    private let home: WalletHome
    private var dex: DexBinary { home.dex }

    init() throws {
        home = try WalletHome()
    }

    private var socket: String {
        dex.home.appending(path: "agent/\(WalletHome.address.lowercased().dropFirst(2))").path
    }

    private func unlock(_ policy: String) async throws {
        _ = try home.file("policy.toml", policy)
        _ = try await home.importKey()
        let made = try await dex.run(
            ["unlock", "main", "--for", "5m", "--network", "mainnet", "--json"],
            environment: home.password()
        )
        try #require(made.status == 0, "\(made.stdout) \(made.stderr)")
    }

    /// What a program that is not dex asks for: to send so many wei to a stranger.
    private static func transfer(_ wei: String, nonce: Int) -> JSONValue {
        question(
            [
                "transaction": [
                    "type": "legacy", "price": "1", "tip": "0", "chainId": "1",
                    "nonce": .string(String(nonce)), "gas": "21000",
                    "to": "0x00000000000000000000000000000000000000b0",
                    "value": .string(wei), "data": "0x", "accessList": [],
                ]
            ]
        )
    }

    private static let thief = JSONValue.string("0x00000000000000000000000000000000000000b0")

    /// A permit for so much WETH to a stranger, whom the program calls the swap API's contract.
    private static func permit(
        _ amount: String,
        nonce: String,
        genuine: [JSONValue] = [thief]
    ) -> JSONValue {
        question(
            [
                "permit": [
                    "chainId": "1", "contract": "0x000000000022d473030f116ddee9f6b43ac78ba3",
                    "token": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
                    "amount": .string(amount), "spender": thief, "nonce": .string(nonce),
                    "deadline": "4000000000",
                ]
            ],
            genuine: genuine
        )
    }

    private static func question(_ content: JSONValue, genuine: [JSONValue] = []) -> JSONValue {
        [
            "version": 5, "ask": "sign", "network": "mainnet", "purpose": "fill",
            "replacing": false, "slippage": .null, "genuine": .array(genuine),
            "content": content,
        ]
    }

    /// The answers to questions over connections that dex itself seems to have made.
    private func ask(_ questions: [JSONValue]) async throws -> [JSONValue] {
        let run = try await PythonEnvironment.run(
            "clients/agent_around_dex.py",
            socket,
            DexBinary.executable.path,
            JSONValue.array(questions).text
        )
        try #require(run.status == 0, "\(run.errors)")
        let answers = try JSONParser.parse(Array(run.output)).arrayValue
        return try #require(answers)
    }

    private func audit() throws -> [JSONValue] {
        guard let text = try? Data(contentsOf: dex.home.appending(path: "audit.jsonl")) else {
            return []
        }
        return try String(decoding: text, as: UTF8.self).split(separator: "\n")
            .map { try JSONParser.parse(text: String($0)) }
    }

    @Test("it signs nothing that policy.toml forbids, and nothing without a line in the audit log")
    func policy() async throws {
        try await unlock("[max_per_day]\nETH = \"0.5\"")
        let answers = try await ask([
            Self.transfer("500000000000000001", nonce: 0),
            Self.transfer("400000000000000000", nonce: 0),
            Self.transfer("200000000000000000", nonce: 1),
        ])
        try #require(answers.count == 3)
        #expect(answers[0]["error"]?["code"] == "policy", "\(answers)")
        #expect(answers[1]["signature"] != nil, "\(answers)")
        #expect(answers[2]["error"]?["code"] == "policy", "\(answers)")
        let rule = "The rule max_per_day.ETH of \(dex.home.path)/policy.toml forbids this: "
        #expect(answers[2]["error"]?["message"]?.stringValue?.hasPrefix(rule) == true)
        let lines = try audit()
        #expect(lines.map { $0["event"] } == ["refused", "authorized", "signed", "refused"])
        #expect(lines.filter { $0["event"] != "signed" }.allSatisfy { $0["key"] == "agent" })
        #expect(lines.last?["policy"]?.stringValue == "\(dex.home.path)/policy.toml")
    }

    @Test("whomever a program calls the swap API's, no more than the amounts is signed away")
    func permits() async throws {
        try await unlock("[max_per_day]\nWETH = 1")
        let answers = try await ask([
            Self.permit("1000000000000000001", nonce: "1"),
            Self.permit("600000000000000000", nonce: "1", genuine: []),
            Self.permit("600000000000000000", nonce: "1"),
            Self.permit("600000000000000000", nonce: "2"),
        ])
        try #require(answers.count == 4)
        #expect(answers[0]["error"]?["code"] == "policy", "\(answers)")
        #expect(answers[1]["error"]?["code"] == "foreign-permit", "\(answers)")
        #expect(answers[2]["signature"] != nil, "\(answers)")
        #expect(answers[3]["error"]?["code"] == "policy", "\(answers)")
        let lines = try audit()
        #expect(
            lines.map { $0["event"] } == ["refused", "refused", "authorized", "signed", "refused"]
        )
        #expect(lines.filter { $0["event"] != "signed" }.allSatisfy { $0["kind"] == "permit" })
    }

    @Test("it signs nothing while policy.toml is faulty, or others could have changed it")
    func faulty() async throws {
        try await unlock("max_fee = 1")
        let transfer = Self.transfer("1", nonce: 0)
        _ = try home.file("policy.toml", "max_fees = 1")
        #expect(try await ask([transfer]).first?["error"]?["code"] == "bad-policy")
        _ = try home.file("policy.toml", "max_fee = 1", mode: 0o666)
        #expect(try await ask([transfer]).first?["error"]?["code"] == "alterable-policy")
        let path = dex.home.appending(path: "policy.toml").path
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(
            atPath: path,
            withDestinationPath: "gone/policy.toml"
        )
        #expect(try await ask([transfer]).first?["error"]?["code"] == "file")
        try FileManager.default.removeItem(atPath: path)
        #expect(try audit().isEmpty)
        _ = try home.file("policy.toml", "max_fee = 1")
        #expect(try await ask([transfer]).first?["signature"] != nil)
    }
}
