import Ethereum
import StrictJSON

/// The Swap API of a scene: what its contracts and its server begin with.
struct SwapScene: Sendable {
    /// The contracts that tokens are approved for.
    enum Spender: String, CaseIterable, Sendable {
        case holder
        case permit2

        var address: Address {
            switch self {
            case .holder: SwapScene.holder
            case .permit2: SwapScene.permit2
            }
        }
    }

    static let holder = address(0x1ff3_684f_28c6_7538_d4d0_72c2_2734)
    static let permit2 = address(0x22_d473_030f_116d_dee9_f6b4_3ac7_8ba3)
    static let registry = address(0x0453_3fe1_5556_b1e0_86bb_1a72_ceae)
    static let settler = address(0x5e77_0000_0000_0000_0000_0000_0000_0000_0000_0002)
    static let previousSettler = address(0x5e77_0000_0000_0000_0000_0000_0000_0000_0000_0001)
    static let key = "dex-tests-worthless-api-key"

    var pools: [EVMPool]
    /// What alice allows each spender, in human units; nothing else is allowed.
    var allowances: [Spender: [EVMToken: String]] = [:]
    /// The registry says not to interact.
    var isPaused = false
    /// `dex` has the API's key.
    var hasKey = true

    /// ZRX/WETH at 0.001 and WETH/DAI at 2,500.
    init() throws {
        pools = [
            try EVMPool(1, (.zrx, "1000000"), (.weth, "1000")),
            try EVMPool(2, (.weth, "200"), (.dai, "500000")),
        ]
    }

    /// Those that may hold tokens or ether.
    var accounts: [(name: String, address: Address)] {
        [
            ("holder", Self.holder), ("permit2", Self.permit2), ("registry", Self.registry),
            ("settler", Self.settler), ("previous settler", Self.previousSettler),
        ] + pools.map { ($0.name, $0.address) }
    }

    /// The chain's `swap`, as docs/evm.md describes it.
    var genesis: JSONValue {
        [
            "key": .string(Self.key),
            "paused": .bool(isPaused),
            "pools": .array(pools.map(\.genesis)),
        ]
    }

    /// The allowances among the chain's.
    func genesisAllowances() throws -> [JSONValue] {
        let owner = JSONValue.string(try Party.alice.address.checksummed)
        return try allowances.flatMap { spender, amounts in
            try amounts.map { token, amount in
                [
                    "token": .string(token.address.checksummed), "owner": owner,
                    "spender": .string(spender.address.checksummed),
                    "amount": .string(try token.raw(amount).description),
                ]
            }
        }
    }

    private static func address(_ number: UInt256) -> Address {
        Address(truncating: number.word)
    }
}
