import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// A chain's coin has its own name on every screen.
@Suite("No screen of a BNB network says ETH or ether")
struct CoinWordTests {
    private static let receiver = "0x2b1858a6a83931237070a1a10b0dF600E528e7d7"

    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    /// The words that mean another chain's coin; WETH is a token's own symbol.
    private func foreign(_ run: DexBinary.Run) throws -> [String] {
        let word = try Regex("\\b([Ee]ther|ETH)\\b")
        return (run.stdout + "\n" + run.stderr).split(separator: "\n").map(String.init)
            .filter { $0.contains(word) }
    }

    @Test("plans, outcomes, errors and lists name the coin of the network")
    func screens() async throws {
        try await dex.withSandbox("--coin", "BNB") { _ in
            let lines: [(String, Int32)] = [
                ("send BNB 1 \(Self.receiver) --yes", 0), ("wrap 0.5 --yes", 0),
                ("unwrap 0.25 --yes", 0), ("wrap 1000", 6), ("unwrap 1000", 6),
                ("send BNB 1000 \(Self.receiver)", 6), ("send ETH 1 \(Self.receiver)", 2),
                ("transact WETH deposit() --value 0.1 -n", 30),
                ("transact WETH withdraw(uint256) 5 -n", 30),
                ("balance", 0), ("balance --wallet \(Self.receiver)", 0), ("balance --in BNB", 0),
                ("activity", 0), ("history", 0), ("tx list", 0), ("doctor", 0), ("doctor -v", 0),
                ("watch --once --from first", 0), ("price ZRX/BNB", 0),
                ("market-buy ZRX/BNB 1 --via book -n", 6), ("market-buy ZRX/BNB 1 -n", 30),
                ("market-sell BNB/ZRX max --allow-high-impact -n", 30),
                ("market-buy ZRX/WETH 100 -n", 30),
                ("allowance list", 0), ("config show", 0), ("block", 0),
                ("send BNB 1 \(Self.receiver) --max-gas-cost 0.0000000001", 6),
                ("config set trade.max_gas_cost much", 2), ("balance --discover", 0),
            ]
            for (line, exit) in lines {
                let run = try await dex.run(line.split(separator: " ").map(String.init))
                #expect(run.status == exit, "\(line): \(run.stdout) \(run.stderr)")
                let found = try foreign(run).filter { !$0.contains("token \"ETH\"") }
                #expect(found.isEmpty, "\(line): \(found)")
            }
        }
    }

    @Test("a network without a wrapped coin is told so in its own coin's name")
    func unwrapped() async throws {
        try dex.write(
            config: """
                [networks.mine]
                chain_id = 77
                coin = "BNB"
                exchange = "0xdef1c0ded9bec7f1a1670819833240f027b25eff"
                rpc = ["http://127.0.0.1:9"]
                """
        )
        let run = try await dex.run("wrap 1 --network mine --wallet \(Self.receiver)")
        #expect(run.status == 3, "\(run.stderr)")
        #expect(run.stderr.contains("has no contract of wrapped BNB"), "\(run.stderr)")
        #expect(try foreign(run).isEmpty)
    }
}
