import Ethereum
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
