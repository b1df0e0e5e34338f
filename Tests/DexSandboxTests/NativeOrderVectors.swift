import Ethereum
import EthereumWallet
import Foundation
import StrictJSON
import ZeroEx

@testable import DexSandbox

/// The calls and orders that were executed on compiled v4 contracts in an EVM.
enum NativeOrderVectors {
    static let calls = read("calldata-v4.json")
    static let orders = read("order-v4.json")

    private static func read(_ name: String) -> JSONValue {
        let url = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("ZeroExTests/Vectors/\(name)")
        guard let data = try? Data(contentsOf: url), let json = try? JSONParser.parse(data) else {
            return .null
        }
        return json
    }

    static func address(_ json: JSONValue?) throws -> Address {
        try Address(lenient: json?.stringValue ?? "")
    }

    static func signature(_ json: JSONValue?) throws -> SignatureV4 {
        SignatureV4(
            type: UInt8(truncatingIfNeeded: number(json?["signatureType"])),
            v: UInt8(truncatingIfNeeded: number(json?["v"])),
            r: try Bytes32(hex: json?["r"]?.stringValue ?? ""),
            s: try Bytes32(hex: json?["s"]?.stringValue ?? "")
        )
    }

    /// A chain that has nothing but the exchange, two tokens and owners of much of both.
    static func genesis(
        chainID: UInt64,
        exchange: Address,
        tokens: [Address],
        owners: [Address]
    ) -> Genesis {
        var genesis = Genesis(
            chainID: chainID,
            timestamp: 1_600_000_000,
            exchange: TestChain.exchange,
            transferProxy: TestChain.proxy,
            feeToken: tokens[0],
            exchangeProxy: exchange,
            tokens: tokens.map {
                TokenDefinition(address: $0, symbol: "T", name: "Token", decimals: 18)
            }
        )
        for token in Set(tokens) {
            for owner in Set(owners) {
                genesis.balances.append(
                    GenesisBalance(token: token, owner: owner, amount: UInt256(1) << 250)
                )
                genesis.allowances.append(
                    GenesisAllowance(token: token, owner: owner, spender: exchange)
                )
            }
        }
        return genesis
    }
}

/// A state with the contracts on it, on which calls follow one another.
final class ContractStage {
    let contracts: Contracts
    let world: WorldState
    let timestamp: UInt64

    init(_ genesis: Genesis, timestamp: UInt64 = 1_600_000_100) throws {
        try genesis.validate()
        contracts = Contracts(genesis: genesis, recoverer: Secp256k1())
        world = WorldState(slots: genesis.slots, number: 0)
        self.timestamp = timestamp
    }

    /// Runs a call and keeps what it changed.
    func run(
        from: Address,
        _ data: [UInt8],
        gasPrice: UInt256 = 0
    ) -> (result: Result<[UInt8], CallFailure>, logs: [Log]) {
        let block = world.number + 1
        let execution = Execution(
            base: world.latest,
            block: BlockContext(number: block, timestamp: timestamp, baseFee: 0, coinbase: .zero),
            gas: 2_000_000,
            gasPrice: gasPrice
        )
        let message = Message(
            caller: from,
            to: contracts.exchangeProxy,
            value: .zero,
            data: data
        )
        let result = contracts.run(message, in: execution)
        if case .success = result {
            let changes = execution.changes
            var before: [StorageKey: UInt256] = [:]
            for key in changes.keys { before[key] = world.value(key) }
            world.commit(changes, before: before, block: block)
        }
        return (result, execution.logs)
    }
}
