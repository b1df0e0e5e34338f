import DexTestSupport
import StrictJSON
import Testing

@Suite("The node on a real EVM")
struct EVMNodeTests {
    private static let rich = "0x00000000000000000000000000000000000000aa"

    private static let genesis: JSONValue = [
        "chainId": 1337,
        "timestamp": 1_750_000_000,
        "exchange": "0x12459c951127e0c374ff9105dda097662a027093",
        "transferProxy": "0x8da0d80f5007ef1e431dd2127178d224e32c2ef4",
        "feeToken": "0xe41d2489571d322189246dafa5ebde1f4699f498",
        "accounts": [["address": .string(rich), "ether": "1000000000000000000"]],
        "tokens": [
            [
                "address": "0xe41d2489571d322189246dafa5ebde1f4699f498", "symbol": "ZRX",
                "name": "0x Protocol Token", "decimals": 18, "kind": "zrx",
            ]
        ],
    ]

    @Test("it answers calls and batches, and ends when it is told to")
    func answers() async throws {
        let node = try await EVMNode.start(Self.genesis)
        #expect(try node.call("eth_chainId") == "0x539")
        let answers = try node.calls([
            ("eth_blockNumber", []), ("eth_getBalance", [.string(Self.rich), "latest"]),
        ])
        #expect(answers == ["0x0", "0xde0b6b3a7640000"])
        #expect(throws: EVMNode.Failure.self) { try node.call("eth_nothing") }
        node.stop()
        #expect(throws: (any Error).self) { try node.call("eth_chainId") }
    }

    @Test("time, base fee and blocks are set by hand, and a snapshot brings all back")
    func controls() async throws {
        let node = try await EVMNode.start(Self.genesis)
        let snapshot = try node.call("evm_snapshot")
        try node.call("evm_setNextBlockTimestamp", "0xffffffff")
        try node.call("evm_setNextBlockBaseFeePerGas", "0x77")
        try node.call("evm_mine")
        let block = try node.call("eth_getBlockByNumber", "latest", false)
        #expect(block["timestamp"] == "0xffffffff")
        #expect(block["baseFeePerGas"] == "0x77")
        #expect(try node.call("evm_revert", snapshot) == true)
        #expect(try node.call("eth_blockNumber") == "0x0")
        node.stop()
    }
}
