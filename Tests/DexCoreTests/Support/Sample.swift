import Ethereum
import ZeroEx

@testable import DexCore
@testable import DexStore

/// What the examples are made of.
enum Sample {
    static let word = Bytes32(limbs: (0, 0, 0, 1))
    static let transaction = TransactionHash(word)
    static let order = OrderHash(word)
    static let token = Token(address: .zero, symbol: "ZRX", name: "0x", decimals: 18)
    static let pair = Pair(base: token, quote: token)
    static let network = Network(
        name: "sandbox",
        chainID: 1337,
        rpc: ["http://127.0.0.1:1"],
        relay: nil,
        protocolVersion: .v1,
        exchange: .zero,
        weth: .zero,
        blockMilliseconds: 1_000,
        isSandbox: true
    )
    static let sent = SentTransaction(
        purpose: .approve,
        hash: transaction,
        coin: .ether,
        stage: .reverted,
        block: 7,
        gasUsed: 46_000,
        cost: Wei(92_000_000_000_000)
    )
    static let journalled = JournalTransaction(
        intent: 1,
        chainID: 1337,
        sender: .zero,
        nonce: 1,
        purpose: "fill",
        hash: transaction,
        raw: [],
        stage: .broadcast,
        created: 1,
        block: nil,
        reorgedFromBlock: nil,
        successor: nil,
        predecessor: nil
    )
}
