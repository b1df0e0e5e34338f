import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

@Suite("Allowances of every spender, and a token list that cannot be read")
struct GrantTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    @Test("what others may move is listed by name and amount, and taken back")
    func others() async throws {
        try await dex.withSandbox { _ in
            let bob = try #require(
                await dex.data("balance ETH --wallet bob")["owner"]?.stringValue
            )
            let stranger = "0x1111111111111111111111111111111111111111"
            for spender in [bob, stranger] {
                _ = try await dex.data(arguments: [
                    "transact", "ZRX", "approve(address,uint256)", spender, "5000000000000000000",
                    "--yes",
                ])
            }
            _ = try await dex.data("allowance set WETH 2 --yes")
            let list = try await dex.data("allowance list")
            #expect(list["allowances"]?.arrayValue?.map { $0["token"]?["symbol"] } == ["WETH"])
            let others = list["others"]?.arrayValue ?? []
            #expect(others.map { $0["spender"]?.stringValue } == [bob, stranger])
            #expect(others.map { $0["spenderName"] } == ["bob", .null])
            #expect(others.map { $0["allowance"]?["value"] } == ["5", "5"])
            let screen = try await dex.run("allowance")
            #expect(screen.stdout.contains("Others may move"), "\(screen.stdout)")
            #expect(screen.stdout.contains("bob") && screen.stdout.contains(stranger))
            #expect(screen.stdout.split(separator: "\n").allSatisfy { $0.count <= 80 })

            // Piece by piece, and of one token.
            let events = try await dex.data("allowance list ZRX --from-block 1")
            #expect(events["others"]?.arrayValue?.count == 2)

            let one = try await dex.data("allowance revoke ZRX --spender bob --yes")
            #expect(one["allowances"]?.arrayValue?.map { $0["allowance"]?["raw"] } == ["0"])
            let nothing = try await dex.run("allowance revoke ZRX --spender bob")
            #expect(nothing.status == 0, "\(nothing.stderr)")
            #expect(nothing.stdout.contains("There is no allowance to take back"))

            let plan = try await dex.run("allowance revoke --all")
            #expect(plan.status == 25, "\(plan.stderr)")
            #expect(plan.stdout.contains("Take 2 allowances back"), "\(plan.stdout)")
            #expect(plan.stdout.split(separator: "\n").allSatisfy { $0.count <= 80 })
            let all = try await dex.data("allowance revoke --all --yes")
            #expect(all["plan"]?["revocations"]?.arrayValue?.count == 2)
            #expect(all["transactions"]?.arrayValue?.count == 2)
            let after = try await dex.data("allowance list")
            #expect(after["allowances"]?.arrayValue?.isEmpty == true)
            #expect(after["others"]?.arrayValue?.isEmpty == true)
            for line in ["revoke", "revoke ZRX --all", "revoke ZRX --from-block 1"] {
                #expect(try await dex.run("allowance \(line)").status == 2)
            }
        }
    }

    @Test("odd entries of a token list are one warning, and no list keeps back a revocation")
    func oddList() async throws {
        try await dex.withSandbox { _ in
            _ = try await dex.data("allowance set ZRX 1 --yes")
            try dex.write(config: "[networks.sandbox]\ntokens = \"my.tokenlist.json\"\n")
            let list = dex.configFile.deletingLastPathComponent()
                .appending(path: "my.tokenlist.json")
            let chain = try #require(
                await dex.data("sandbox status")["chainId"]?.numberText
            )
            let text = """
                {"name":"Mine","timestamp":"2024-05-01T12:00:00Z",\
                "version":{"major":1,"minor":0,"patch":0},"tokens":[\
                {"chainId":1,"address":5},{"chainId":\(chain),"address":"0x12","symbol":"A B"}]}
                """
            try Data(text.utf8).write(to: list)
            let odd = try await dex.run("balance --json")
            #expect(odd.status == 0, "\(odd.stderr)")
            let warnings = try odd.json()["warnings"]?.arrayValue ?? []
            #expect(
                warnings.filter {
                    $0.stringValue?.hasPrefix("1 entry of your token list is left out") == true
                }.count == 1
            )
            try Data("{".utf8).write(to: list)
            #expect(try await dex.run("balance").status == 3)
            let revoked = try await dex.run("allowance revoke ZRX --yes --json")
            #expect(revoked.status == 0, "\(revoked.stdout)")
            #expect(try revoked.json()["data"]?["allowance"]?["raw"] == "0")
            #expect(
                try revoked.json()["warnings"]?.arrayValue?.contains {
                    $0.stringValue?.contains("This command does without it") == true
                } == true
            )
            #expect(try await dex.run("cancel --all").status != 3)
        }
    }
}
