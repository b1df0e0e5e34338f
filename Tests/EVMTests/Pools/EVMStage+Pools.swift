import DexTestSupport
import Ethereum
import StrictJSON
import Testing

/// What tests do with Uniswap's contracts.
extension EVMStage {
    /// Runs a body on a stage with Uniswap's contracts, whose pools are handed to it.
    static func pooling(
        _ change: (inout Scene) throws -> Void = { _ in },
        _ body: (EVMStage, [EVMUniswapPool]) async throws -> Void
    ) async throws {
        try await PythonEnvironment.makeSuites()
        var scene = Scene(with: .dai)
        scene.uniswap = try PoolScene()
        try change(&scene)
        let pools = try #require(scene.uniswap).pools
        try await run(scene) { stage in try await body(stage, pools) }
    }

    /// Somebody sells to a v3 pool out of what the provider of its liquidity has.
    func sale(_ token: EVMToken, _ amount: String, to pool: EVMUniswapPool) async throws -> [UInt8]
    {
        try await sale(token, raw: token.raw(amount), to: pool)
    }

    /// - Parameters:
    ///   - raw: base units.
    ///   - isBehind: of `dex`, and of the seller's other sale.
    func sale(
        _ token: EVMToken,
        raw: UInt256,
        to pool: EVMUniswapPool,
        isBehind: Bool = false
    ) async throws -> [UInt8] {
        let data = call(
            "sell(address,address,uint256)",
            try pool.address.word,
            token.address.word,
            raw.word
        )
        return try await transaction(
            by: .dave,
            to: PoolScene.provider,
            data: data,
            isBehind: isBehind,
            nonces: isBehind ? 1 : 0
        )
    }

    /// What a contract answers to a call.
    func answer(_ to: Address, _ data: [UInt8]) throws -> String {
        try node.call(
            "eth_call",
            ["to": .string(to.checksummed), "data": .string(Hex.encode(data))],
            "latest"
        ).text("")
    }
}
