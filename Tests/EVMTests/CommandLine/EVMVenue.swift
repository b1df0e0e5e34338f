import Ethereum
import StrictJSON
import ZeroEx

/// The exchange that a test's chain has, and for which orders are signed.
struct EVMVenue: Sendable {
    let exchange: any ExchangeProtocol
    let contracts: ExchangeContracts
    /// Where the relay's API for it begins.
    let relayPath: String
    /// Who gets the fees that the exchange itself takes; nil where it takes none.
    let collector: Address?

    /// 0x v1, with its contracts at their mainnet addresses.
    static let v1 = EVMVenue(
        exchange: ZeroExV1(),
        contracts: EVMToken.contracts,
        relayPath: "v0",
        collector: nil
    )

    /// 0x v4, at the address that its Exchange Proxy has on mainnet.
    ///
    /// - Parameters:
    ///   - signing: how `dex` signs its orders.
    ///   - multiplier: what a fill costs, as a multiple of the gas price.
    static func v4(signing: OrderSigning = .ethSign, multiplier: UInt32 = 0) -> EVMVenue {
        let exchange = Address(
            truncating: UInt256(0xdef1_c0de_d9be_c7f1_a167_0819_8332_40f0_27b2_5eff).word
        )
        let pool = Array("dex sandbox: fee collector".utf8) + Bytes32.zero.bytes
        return EVMVenue(
            exchange: ZeroExV4(
                domain: ExchangeDomainV4(chainID: Scene.chainID, exchange: exchange),
                signatureKind: SignatureKindV4(signing)
            ),
            contracts: ExchangeContracts(
                exchange: exchange,
                transferContract: exchange,
                feeToken: nil,
                protocolFeeMultiplier: multiplier
            ),
            relayPath: "sra/v4",
            collector: Address(truncating: Keccak256.hash(pool))
        )
    }

    /// The members of the chain's configuration that are about it.
    var genesis: [(name: String, value: JSONValue)] {
        let address = JSONValue.string(contracts.exchange.checksummed)
        guard let feeToken = contracts.feeToken else {
            return [
                ("exchangeProxy", address),
                ("protocolFeeMultiplier", .integer(contracts.protocolFeeMultiplier)),
            ]
        }
        return [
            ("exchange", address),
            ("transferProxy", .string(contracts.transferContract.checksummed)),
            ("feeToken", .string(feeToken.checksummed)),
        ]
    }

    /// Those that are not traders and may hold tokens or ether.
    var accounts: [(name: String, address: Address)] {
        var accounts = [("exchange", contracts.exchange)]
        if contracts.transferContract != contracts.exchange {
            accounts.append(("proxy", contracts.transferContract))
        }
        if let collector { accounts.append(("collector", collector)) }
        return accounts
    }
}
