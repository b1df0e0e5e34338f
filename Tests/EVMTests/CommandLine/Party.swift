import Ethereum
import EthereumWallet

/// Who takes part in a test, with a key that anybody can compute.
enum Party: String, CaseIterable, Sendable {
    case alice
    case bob
    case carol
    case dave
    /// Who gets the fees of orders.
    case relay
    /// Who gets the tips of transactions.
    case coinbase

    /// Those who own something from the start.
    static let traders: [Party] = [.alice, .bob, .carol, .dave]

    var signer: PrivateKeySigner {
        get throws {
            try PrivateKeySigner(key: key)
        }
    }

    var address: Address {
        get throws {
            try signer.address
        }
    }

    /// DEX_PRIVATE_KEY.
    var secret: String {
        key.hex
    }

    private var key: Bytes32 {
        Keccak256.hash("dex tests on an EVM, worthless: \(rawValue)".utf8)
    }
}
