import DexCore
import DexSigning
import Ethereum
import ZeroEx

@testable import DexSettings

extension FuzzTarget {
    /// policy.toml: no rule that stands there is lost, and limits are as exact as they were
    /// typed.
    static let policy = FuzzTarget(
        "policy",
        maximumLength: 1_024,
        seeds: PolicyTarget.seeds
    ) { input in
        let network = PolicyTarget.network
        let policy: Policy
        do {
            let file = try PolicyFile(content: input, path: "/home/user/policy.toml")
            policy = try file.policy(network, among: [])
        } catch let error as DexError {
            try require(error.exit == .configuration, "another exit")
            try require(error.code == "bad-policy", "another code")
            return
        }
        try PolicyTarget.check(policy, String(decoding: input, as: UTF8.self))
    }
}

private enum PolicyTarget {
    static let network = Network(
        name: "fuzzed",
        chainID: 1,
        rpc: [],
        relay: nil,
        protocolVersion: .v1,
        exchange: SampleOrders.exchange,
        weth: SampleOrders.weth,
        tokenList: nil,
        blockMilliseconds: 12_000,
        isSandbox: true
    )

    /// Every key of the text, as its outline has it, is a rule.
    static func check(_ policy: Policy, _ text: String) throws {
        if let networks = policy.networks, !networks.contains(network.name) { return }
        let outline = TOMLOutline(text)
        for entry in outline.entries {
            let isKept =
                switch entry.path.first {
                case "networks": policy.networks != nil
                case "tokens": policy.tokens != nil
                case "spenders": policy.spenders != nil
                case "recipients": policy.recipients != nil
                case "max_fee": policy.maximumFee != nil
                case "max_slippage": policy.maximumSlippage != nil
                case "max_per_trade": entry.path.count == 1 || !policy.perTrade.isEmpty
                case "max_per_day": entry.path.count == 1 || !policy.perDay.isEmpty
                default: false
                }
            try require(isKept, "the rule \(entry.path) is lost")
            try checkExactness(entry, outline, policy)
        }
    }

    /// Plain digits of ether count as they stand there.
    private static func checkExactness(
        _ entry: TOMLOutline.Entry,
        _ outline: TOMLOutline,
        _ policy: Policy
    ) throws {
        guard let literal = outline.literal(of: entry.path),
            let wei = try? DecimalText.parse(literal, decimals: 18)
        else { return }
        switch entry.path {
        case ["max_fee"]: try require(policy.maximumFee == Wei(wei), "max_fee is not \(literal)")
        case ["max_per_day", "ETH"]:
            try require(policy.perDay[.ether] == wei, "max_per_day.ETH is not \(literal)")
        case ["max_per_trade", "ETH"]:
            try require(policy.perTrade[.ether] == wei, "max_per_trade.ETH is not \(literal)")
        default: break
        }
    }

    @Sendable
    static func seeds() -> [[UInt8]] {
        let address = SampleOrders.zrx.lowercaseHex
        return [
            "", "networks = [\"fuzzed\", 'mainnet']\n", "networks = []\nmax_fee = 1\n",
            "tokens = [\"ETH\", \"WETH\", \"\(address)\"]\nspenders = []\n",
            "recipients = [\n \"\(address)\", # friend\n]\nmax_slippage = 0.5\n",
            "max_fee = 0.05\nmax_slippage = \"1\"\n[max_per_trade]\nETH = 1.5\nWETH = \"2\"\n",
            "max_per_day.ETH = 0.123456789012345678\nmax_per_day.\(address) = 7\n",
            "max_per_trade = { ETH = \"1\", WETH = 2 }\n", "max_fee = 0.1234567890123456789\n",
            "[max_per_day]\nETH = 1e18\n", "[max_per_day]\n\"ETH\" = +1_0.5\n'ZRX' = 0x10\n",
            "[max_per_trade]\nETH = 1\n[max_per_day]\nETH = 1\n\(address) = 0.5\n",
            "max_feee = 1\n", "max_fee = -1\n", "tokens = [1]\n", "[\n", "\u{FEFF}max_fee = 1\n",
            "tokens = [\"\\u001b[31m\"]\n", "spenders = [\"0xAb\"]\n", "max_fee = inf\n",
        ].map { Array($0.utf8) }
    }
}
