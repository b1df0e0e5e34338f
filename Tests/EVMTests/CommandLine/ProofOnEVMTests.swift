import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import ZeroEx

/// Proofs that another implementation of the state makes, of the contracts themselves.
@Suite("What a signature rests on is proven, on an EVM", .serialized)
struct ProofOnEVMTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth

    @Test("py-evm's headers and proofs are verified for a purchase of several orders")
    func purchase() async throws {
        var scene = Scene()
        scene.isOnPyEVM = true
        scene.allowances[.init(.alice, weth)] = "1000"
        try await EVMStage.run(scene) { stage in
            _ = try await stage.post(by: .bob, sells: (zrx, "100"), wants: (weth, "0.2"))
            _ = try await stage.post(by: .carol, sells: (zrx, "100"), wants: (weth, "0.21"))
            let config = try stage.binary.config()
            let line = "rpc = [\"\(stage.front.url)\"]"
            try #require(config.contains(line))
            try stage.binary.write(
                config: config.replacing(
                    line,
                    with: "rpc = [\"\(stage.front.url)\", \"\(stage.node.url)\"]\nproofs = true"
                )
            )
            let bought = try await stage.dex(.alice, "market-buy ZRX/WETH 150")
            #expect(bought.transactions == ["fill mined"])
            let proof = bought.data.at("transactions.0.changes.proof")
            #expect(proof["complete"] == true, "\(proof.text)")
            #expect(proof["nodes"]?.arrayValue?.count == 2, "\(proof.text)")
            let words = proof["wordCount"]?.numberText.flatMap { Int($0) } ?? 0
            #expect(words >= 8, "\(proof.text)")
        }
    }
}
