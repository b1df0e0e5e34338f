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
                await dex.data("balance ETH --wallet bob")["account"]?.stringValue
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

    @Test("what Permit2 lets others move is listed, in CSV too, and ends by one transaction")
    func permit2() async throws {
        let permit2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3"
        try await dex.withSandbox { _ in
            let bob = try #require(
                await dex.data("balance ETH --wallet bob")["account"]?.stringValue
            )
            let balances = try await dex.data("balance ZRX WETH")["balances"]?.arrayValue ?? []
            let addresses = balances.dropFirst().compactMap {
                $0["token"]?["address"]?.stringValue
            }
            #expect(addresses.count == 2)
            for token in addresses {
                _ = try await dex.data(arguments: [
                    "transact", permit2, "approve(address,address,uint160,uint48)", token, bob,
                    "5000000000000000000", "281474976710655", "--yes",
                ])
            }
            _ = try await dex.data(arguments: [
                "transact", "ZRX", "approve(address,uint256)", permit2, "2000000000000000000",
                "--yes",
            ])
            for line in ["allowance list", "allowance list --from-block 1"] {
                let rows = try await dex.data(line)["permit2"]?.arrayValue ?? []
                #expect(rows.map { $0["token"]?["symbol"] } == ["WETH", "ZRX"])
                #expect(rows.map { $0["spenderName"] } == ["bob", "bob"])
                #expect(rows.map { $0["allowance"]?["value"] } == ["5", "5"])
                #expect(rows.map { $0["isUsable"] } == [.bool(false), .bool(true)])
            }
            for width in [80, 120] {
                let screen = try await dex.run("allowance", environment: ["COLUMNS": "\(width)"])
                #expect(screen.stdout.contains("Others may move by Permit2"), "\(screen.stdout)")
                #expect(screen.stdout.split(separator: "\n").allSatisfy { $0.count <= width })
            }
            let csv = try await dex.run("allowance list --csv")
            #expect(csv.stdout.contains(",bob,permit2,") && csv.stdout.contains(",Permit2,token,"))

            let one = try await dex.data("allowance revoke ZRX --spender bob --yes")
            #expect(one["allowances"]?.arrayValue?.map { $0["by"] } == ["permit2"])
            #expect(one["allowances"]?.arrayValue?.map { $0["allowance"]?["raw"] } == ["0"])
            _ = try await dex.data(arguments: [
                "transact", permit2, "approve(address,address,uint160,uint48)", addresses[0], bob,
                "7", "281474976710655", "--yes",
            ])
            let plan = try await dex.run("allowance revoke --all")
            #expect(plan.status == 25, "\(plan.stderr)")
            #expect(plan.stdout.contains("Take 3 allowances back"), "\(plan.stdout)")
            let all = try await dex.data("allowance revoke --all --yes")
            #expect(all["transactions"]?.arrayValue?.count == 2)
            #expect(
                all["allowances"]?.arrayValue?.map { $0["allowance"]?["raw"] }
                    == ["0", "0", "0"]
            )
            let after = try await dex.data("allowance list")
            #expect(after["permit2"]?.arrayValue?.isEmpty == true)
            #expect(after["others"]?.arrayValue?.isEmpty == true)
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
