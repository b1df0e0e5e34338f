import DexNetwork
import DexSandbox
import DexTestSupport
import Ethereum
import EthereumWallet
import Foundation
import StrictJSON
import Testing

/// A fork of a chain that py-evm runs: `dex sandbox up --fork`.
@Suite("A fork of a chain on another EVM")
struct ForkOnEVMTests {
    /// What a transaction did, but for its block.
    private struct Effect: Equatable {
        let succeeded: Bool
        let gasUsed: UInt64
        let addresses: [Address]
        let topics: [[Bytes32]]
        let data: [[UInt8]]

        init(_ receipt: TransactionReceipt) {
            succeeded = receipt.succeeded
            gasUsed = receipt.gasUsed
            addresses = receipt.logs.map(\.address)
            topics = receipt.logs.map(\.topics)
            data = receipt.logs.map(\.data)
        }
    }

    @Test("the same signed transactions have the same status, gas and logs on both")
    func equal() async throws {
        try await EVMStage.pooling({ $0.isOnPyEVM = true }) { stage, pools in
            let node = stage.node.client
            let upstream = try await ForkUpstream.begin(node, at: nil, now: Scene.now)
            // With the chain's own id the very same bytes are valid on both.
            let fork = try SandboxChain(
                fork: Fork(
                    point: upstream.point,
                    upstream: upstream,
                    chainID: Scene.chainID
                ),
                configuration: ChainConfiguration(now: { Scene.now }, recoverer: Secp256k1())
            )
            let allowance = ERC20.call(
                "approve(address,uint256)",
                PoolScene.provider.word,
                UInt256.max.word
            )
            var sent: [[UInt8]] = [
                try await stage.transaction(by: .dave, to: EVMToken.zrx.address, data: allowance)
            ]
            for (nonce, amount) in ["5", "700", "999999999"].enumerated() {
                let data = stage.call(
                    "sell(address,address,uint256)",
                    try pools[0].address.word,
                    EVMToken.zrx.address.word,
                    try EVMToken.zrx.raw(amount).word
                )
                sent.append(
                    try await stage.transaction(
                        by: .dave,
                        to: PoolScene.provider,
                        data: data,
                        nonces: UInt64(nonce + 1)
                    )
                )
            }
            for raw in sent {
                let here = try await fork.send(raw: raw)
                let there = try await node.send(raw: raw)
                #expect(here == there)
                let own = try #require(try await fork.read(.receipt(here)))
                let other = try #require(try await node.read(.receipt(there)))
                #expect(Effect(own) == Effect(other))
            }
        }
    }

    @Test("market orders through the chain's pools, then offline after the chain has gone")
    func story() async throws {
        try await EVMStage.pooling({ $0.isOnPyEVM = true }) { stage, _ in
            let dex = try DexBinary()
            // An address of the live chain's node that has a key in it.
            let up = try await dex.run([
                "sandbox", "up", "--fork", "\(stage.node.url)/?key=TOPSECRET", "--block", "0",
                "--fund", "alice=10:WETH", "--fund", "bob=2500:DAI", "--detach", "--json",
            ])
            #expect(up.status == 0, "\(up)")
            let fork = try #require(up.json()["data"]?["forkOf"])
            #expect(fork["chainId"]?.numberText == "1")
            #expect(fork["block"]?.numberText == "0")
            #expect(up.stdout.contains("TOPSECRET") == false)
            #expect(try up.json()["data"]?["chainId"]?.numberText == "1337")
            #expect(try await balance("WETH", "alice", dex) == "10")
            #expect(try await balance("DAI", "bob", dex) == "2500")
            let live = try stage.ledger()

            let buy = "market-buy ZRX/WETH 5 --via pools --wallet alice --yes --json"
            let bought = try await dex.run(buy)
            #expect(bought.status == 0, "\(bought.stdout) \(bought.stderr)")
            #expect(try await balance("ZRX", "alice", dex) == "5")
            try stage.expect([:], since: live)
            let order = try await dex.run(
                "place-limit sell ZRX/WETH 1 --price 9 --no-post --wallet alice --yes --json"
            )
            #expect(order.status == 6)
            #expect(try order.json()["error"]?["code"]?.stringValue == "order-live-chain")
            let before = try await trips(dex)
            #expect(try await dex.run(buy).status == 0)
            // All that the first one read is kept.
            #expect(try await trips(dex) - before <= 2)
            let weth = try await balance("WETH", "alice", dex)

            let down = try await dex.run("sandbox down")
            #expect(down.status == 0)
            stage.node.stop()
            try #expect(filesWithSecret(dex) == [])
            let again = try await dex.run("sandbox up --detach --json")
            #expect(again.status == 0, "\(again)")
            #expect(try again.json()["data"]?["forkOf"]?["node"] == .null)
            #expect(try await balance("WETH", "alice", dex) == weth)
            #expect(try await balance("ZRX", "alice", dex) == "10")
            let offline = try await dex.run(buy)
            #expect(offline.status == 0, "\(offline.stdout) \(offline.stderr)")
            #expect(try await balance("ZRX", "alice", dex) == "15")
            let unknown = try await dex.run(
                "balance ZRX --wallet 0x00000000000000000000000000000000000000f7 --json"
            )
            #expect(unknown.status != 0)
            #expect(unknown.stdout.contains("has never fetched"))
            #expect(try await dex.run("sandbox down").status == 0)
        }
    }

    private func balance(
        _ token: String,
        _ wallet: String,
        _ dex: DexBinary
    ) async throws -> String? {
        let run = try await dex.run("balance \(token) --wallet \(wallet) --json")
        let balances = try run.json()["data"]?["balances"]?.arrayValue
        let row = balances?.first { $0["balance"]?["symbol"]?.stringValue == token }
        return row?["balance"]?["value"]?.stringValue
    }

    private func trips(_ dex: DexBinary) async throws -> Int {
        let status = try await dex.run("sandbox status --json").json()
        return try #require(status["data"]?["forkOf"]?["trips"]?.numberText.flatMap { Int($0) })
    }

    /// The files of a home that have the key of the node's URL in them.
    private func filesWithSecret(_ dex: DexBinary) throws -> [String] {
        let files = try #require(FileManager.default.enumerator(atPath: dex.home.path))
        return files.compactMap { $0 as? String }.filter { name in
            let path = dex.home.appending(path: name).path
            let content = FileManager.default.contents(atPath: path) ?? Data()
            return content.range(of: Data("TOPSECRET".utf8)) != nil
        }
    }
}
