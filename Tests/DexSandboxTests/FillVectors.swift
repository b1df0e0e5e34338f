import Ethereum
import Foundation
import StrictJSON

@testable import DexSandbox

/// The scenarios that were executed on the genuine contracts in an EVM.
struct FillVectors {
    let contracts: JSONValue
    let accounts: [String: Address]
    let keys: [String: String]
    let tokens: [String: Address]
    let scenarios: [Scenario]

    /// One call and what it did.
    struct Scenario: CustomStringConvertible {
        let name: String
        let timestamp: UInt64
        let before: JSONValue
        let from: Address
        let to: Address
        let data: [UInt8]
        let outcome: JSONValue

        var description: String { name }
        var gasUsed: UInt64 { number(outcome["byBuild"]?["2017"]?["gasUsed"]) }
        var failure: String? { outcome["byBuild"]?["2017"]?["failure"]?.stringValue }
        var succeeded: Bool { outcome["status"]?.numberText == "1" }
    }

    static let all = try? FillVectors()

    init() throws {
        let url = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("ZeroExTests/Vectors/fills-v1.json")
        let json = try JSONParser.parse(Data(contentsOf: url))
        contracts = json["contracts"] ?? .null
        var tokens: [String: Address] = [:]
        for member in contracts.objectValue?.members ?? [] {
            guard member.key != "exchange", member.key != "tokenTransferProxy" else { continue }
            tokens[member.key] = try Address(lenient: member.value.stringValue ?? "")
        }
        self.tokens = tokens
        var accounts: [String: Address] = [:]
        var keys: [String: String] = [:]
        for member in json["accounts"]?.objectValue?.members ?? [] {
            accounts[member.key] = try Address(lenient: member.value["address"]?.stringValue ?? "")
            keys[member.key] = member.value["privateKey"]?.stringValue
        }
        self.accounts = accounts
        self.keys = keys
        scenarios = try (json["scenarios"]?.arrayValue ?? []).map { scenario in
            let call = scenario["call"] ?? .null
            return Scenario(
                name: scenario["name"]?.stringValue ?? "",
                timestamp: number(scenario["blockTimestamp"]),
                before: scenario["before"] ?? .null,
                from: try Address(lenient: call["from"]?.stringValue ?? ""),
                to: try Address(lenient: call["to"]?.stringValue ?? ""),
                data: try Hex.decode(call["data"]?.stringValue ?? ""),
                outcome: scenario["outcome"] ?? .null
            )
        }
    }

    /// The genesis in which a scenario begins; its first block is just before the scenario's.
    func genesis(_ scenario: Scenario) throws -> Genesis {
        let proxy = try Address(lenient: contracts["tokenTransferProxy"]?.stringValue ?? "")
        let kinds: [String: TokenKind] = ["ZRX": .zrx, "WETH": .weth, "NORET": .silent]
        var genesis = Genesis(
            timestamp: scenario.timestamp - 1,
            exchange: try Address(lenient: contracts["exchange"]?.stringValue ?? ""),
            transferProxy: proxy,
            feeToken: tokens["ZRX"] ?? .zero,
            accounts: accounts.values.map {
                GenesisAccount(address: $0, ether: Wei(UInt256(10) * 1_000_000_000_000_000_000))
            },
            tokens: tokens.map { name, address in
                TokenDefinition(
                    address: address,
                    symbol: name,
                    name: name,
                    decimals: 18,
                    kind: kinds[name] ?? .plain
                )
            },
            balances: try amounts(scenario.before["balances"]).map {
                GenesisBalance(token: $0.token, owner: $0.owner, amount: $0.amount)
            },
            allowances: try amounts(scenario.before["allowancesToTokenTransferProxy"]).map {
                GenesisAllowance(
                    token: $0.token,
                    owner: $0.owner,
                    spender: proxy,
                    amount: $0.amount
                )
            }
        )
        genesis.orders = try (scenario.before["orders"]?.arrayValue ?? []).map { order in
            GenesisOrder(
                hash: try Bytes32(hex: order["orderHash"]?.stringValue ?? ""),
                filled: UInt256(decimal: order["filled"]?.stringValue ?? "") ?? .zero,
                cancelled: UInt256(decimal: order["cancelled"]?.stringValue ?? "") ?? .zero
            )
        }
        return genesis
    }

    /// Amounts by owner and token, as the vectors write them.
    func amounts(
        _ json: JSONValue?
    ) throws -> [(owner: Address, token: Address, amount: UInt256)] {
        var amounts: [(Address, Address, UInt256)] = []
        for owner in json?.objectValue?.members ?? [] {
            for token in owner.value.objectValue?.members ?? [] {
                guard let address = accounts[owner.key], let contract = tokens[token.key],
                    let amount = UInt256(decimal: token.value.stringValue ?? "")
                else { throw VectorError.unknown("\(owner.key) \(token.key)") }
                amounts.append((address, contract, amount))
            }
        }
        return amounts
    }
}

enum VectorError: Error {
    case unknown(String)
}

/// A JSON number of at most 64 bits; zero for anything else.
func number(_ json: JSONValue?) -> UInt64 {
    json?.numberText.flatMap { UInt64($0) } ?? 0
}
