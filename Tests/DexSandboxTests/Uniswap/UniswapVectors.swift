import EVM
import Ethereum
import EthereumWallet
import Foundation
import StrictJSON
import Uniswap

@testable import DexSandbox

/// The swaps that were executed on the genuine contracts in an EVM.
struct UniswapVectors {
    static let all = try? UniswapVectors()
    static let time: UInt64 = 1_700_000_000

    let sender: Address
    /// By symbol.
    let tokens: [String: Address]
    let scenarios: [Scenario]

    /// One transaction, the pools before it, and what it did.
    struct Scenario: CustomStringConvertible, Sendable {
        let name: String
        let pools: [JSONValue]
        let legs: [JSONValue]
        let to: Address
        let value: UInt256
        let data: [UInt8]
        let result: JSONValue

        var description: String { name }
        var succeeded: Bool { result["status"]?.numberText == "1" }
        var reason: String? { result["reason"]?.stringValue }
    }

    init() throws {
        let url = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("UniswapTests/Vectors/uniswap-swaps.json")
        let json = try JSONParser.parse(Data(contentsOf: url))
        let addresses = json["addresses"] ?? .null
        sender = try Self.address(addresses["sender"] ?? json["sender"])
        var tokens: [String: Address] = [:]
        for member in addresses["tokens"]?.objectValue?.members ?? [] {
            tokens[member.key] = try Self.address(member.value["address"])
        }
        self.tokens = tokens
        scenarios = try (json["scenarios"]?.arrayValue ?? []).map { scenario in
            let transaction = scenario["transaction"] ?? .null
            return Scenario(
                name: scenario["name"]?.stringValue ?? "",
                pools: scenario["pools"]?.arrayValue ?? [],
                legs: scenario["legs"]?.arrayValue ?? [],
                to: try Self.address(transaction["to"]),
                value: try Self.number(transaction["value"]),
                data: try Hex.decode(transaction["data"]?.stringValue ?? ""),
                result: scenario["result"] ?? .null
            )
        }
    }

    static func address(_ json: JSONValue?) throws -> Address {
        try Address(lenient: json?.stringValue ?? "")
    }

    static func number(_ json: JSONValue?) throws -> UInt256 {
        guard let text = json?.stringValue ?? json?.numberText, let number = UInt256(decimal: text)
        else { throw VectorError.unknown("\(String(describing: json))") }
        return number
    }

    /// The genesis with a scenario's pools; the sender has what it needs.
    func genesis(_ scenario: Scenario) throws -> Genesis {
        let deployment = GenesisUniswap.deployment(chainID: 1)
        var uniswap = GenesisUniswap(deployment: deployment)
        for pool in scenario.pools {
            let (token0, token1) = (
                try Self.address(pool["token0"]), try Self.address(pool["token1"])
            )
            let fee = pool["fee"]?.numberText.flatMap(UInt32.init)
            guard let id = PoolID(token0, token1, fee.map { .v3(fee: $0) } ?? .v2),
                deployment.address(of: id) == (try Self.address(pool["address"]))
            else { throw VectorError.unknown("pool") }
            if fee == nil {
                uniswap.pairs.append(
                    GenesisPair(
                        pool: id,
                        reserve0: try Self.number(pool["reserve0"]),
                        reserve1: try Self.number(pool["reserve1"])
                    )
                )
            } else {
                uniswap.pools.append(
                    GenesisRangePool(
                        pool: id,
                        price: try Self.number(pool["sqrtPriceX96"]),
                        ticks: try (pool["ticks"]?.arrayValue ?? []).map(Self.tick)
                    )
                )
            }
        }
        let kinds: [String: TokenKind] = ["WETH": .weth, "USDT": .usdt, "PAXG": .taxed]
        // The router says STF whether balance or allowance is missing, and how much does not matter.
        let balance = scenario.reason == "STF" ? UInt256.zero : UInt256(1) << 120
        return Genesis(
            chainID: 1,
            timestamp: Self.time - 1_000,
            exchange: TestChain.exchange,
            transferProxy: TestChain.proxy,
            feeToken: TestChain.zrx,
            accounts: [GenesisAccount(address: sender, ether: Wei(UInt256(1) << 110))],
            tokens: tokens.map { name, address in
                TokenDefinition(
                    address: address,
                    symbol: name,
                    name: name,
                    decimals: 18,
                    kind: kinds[name] ?? .plain
                )
            },
            balances: tokens.values.map {
                GenesisBalance(token: $0, owner: sender, amount: balance)
            },
            allowances: tokens.values.map {
                GenesisAllowance(token: $0, owner: sender, spender: deployment.router)
            },
            uniswap: uniswap
        )
    }

    private static func tick(_ json: JSONValue) throws -> GenesisRangePool.Tick {
        let members = json.arrayValue ?? []
        guard members.count == 3, let index = members[0].numberText.flatMap(Int32.init),
            let net = members[1].stringValue.flatMap({ Int128($0) }),
            let gross = members[2].stringValue.flatMap({ UInt128($0) })
        else { throw VectorError.unknown("tick") }
        return GenesisRangePool.Tick(index: index, net: net, gross: gross)
    }

    /// Runs a call on the state of a scenario, at the time of the vectors.
    func run(
        _ scenario: Scenario,
        to: Address,
        _ data: [UInt8],
        value: UInt256 = 0
    ) throws -> (stage: ContractStage, outcome: Execution.Outcome) {
        let stage = try ContractStage(genesis(scenario), timestamp: Self.time)
        let outcome = try stage.run(
            from: sender,
            to: to,
            data,
            value: value,
            gas: 60_000_000
        )
        return (stage, outcome)
    }
}
