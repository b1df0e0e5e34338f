import DexRelay
import DexTestSupport
import Ethereum
import Foundation
import StrictJSON
import ZeroEx

/// What a test's chain and relay begin with.
///
/// The four traders own 100 ether and 10,000 of each token; bob, carol and dave have approved
/// 1,000,000 of each, so that the use of allowances is seen.
struct Scene: Sendable {
    /// Somebody's holding of a token.
    struct Holding: Hashable, Sendable {
        let owner: Party
        let token: EVMToken

        init(_ owner: Party, _ token: EVMToken) {
            self.owner = owner
            self.token = token
        }
    }

    var venue = EVMVenue.v1
    var tokens: [EVMToken] = [.zrx, .weth]
    /// In place of the usual balance; in human units.
    var balances: [Holding: String] = [:]
    /// In place of the usual allowance; in human units.
    var allowances: [Holding: String] = [:]
    /// Whose ZRX dave may move.
    var trustsDave: [Party] = []
    /// In place of 100.
    var ether: [Party: String] = [:]
    var fees = FeeSchedule.free
    /// The Swap API beside the relay; nil without one.
    var swap: SwapScene?
    /// Uniswap's contracts; nil on a chain without them.
    var uniswap: PoolScene?
    /// A chain from before EIP-1559.
    var isLegacy = false
    /// The chain runs on py-evm, which others wrote; it is slow.
    var isOnPyEVM = false
    /// What runs the chain: the sandbox's has no chain from before EIP-1559.
    var node: EVMNode.Kind { isLegacy || isOnPyEVM ? .pyEVM : .sandbox }
    /// The relay looks after its book.
    ///
    /// If not, it serves what nobody can fill any more, as a slow relay would.
    var watches = false
    /// How many seconds block 0 is old.
    var age: UInt64 = 60
    /// Seconds for which `dex` waits for a receipt.
    var receiptTimeout = 600

    /// ZRX, WETH, and further tokens.
    init(with more: EVMToken...) {
        tokens += more
    }

    /// alice has approved more of a token than any trade here takes.
    static func aliceApproved(_ token: EVMToken) -> Scene {
        var scene = Scene()
        scene.allowances[.init(.alice, token)] = "1000"
        return scene
    }

    static let chainID: UInt64 = 1
    static let approved: [Party] = [.bob, .carol, .dave]

    func genesis() throws -> JSONValue {
        var accounts: [JSONValue] = []
        var balances: [JSONValue] = []
        var allowances: [JSONValue] = []
        for party in Party.traders {
            let wei = try DecimalText.parse(ether[party] ?? "100", decimals: 18)
            let owner = JSONValue.string(try party.address.checksummed)
            accounts.append(["address": owner, "ether": .string(wei.description)])
            for token in tokens {
                let holding = Holding(party, token)
                let address = JSONValue.string(token.address.checksummed)
                let amount = try token.raw(self.balances[holding] ?? "10000")
                balances.append(
                    ["token": address, "owner": owner, "amount": .string(amount.description)]
                )
                let usual = Self.approved.contains(party) ? "1000000" : "0"
                let allowance = try token.raw(self.allowances[holding] ?? usual)
                allowances.append(
                    ["token": address, "owner": owner, "amount": .string(allowance.description)]
                )
            }
        }
        for party in trustsDave {
            allowances.append([
                "token": .string(EVMToken.zrx.address.checksummed),
                "owner": .string(try party.address.checksummed),
                "spender": .string(try Party.dave.address.checksummed),
            ])
        }
        if let swap { allowances += try swap.genesisAllowances() }
        if let uniswap { allowances += try uniswap.genesisAllowances() }
        var genesis = JSONObject()
        genesis["chainId"] = .integer(Self.chainID)
        genesis["legacy"] = .bool(isLegacy)
        genesis["timestamp"] = .integer(Self.now - age)
        genesis["coinbase"] = .string(try Party.coinbase.address.checksummed)
        genesis["accounts"] = .array(accounts)
        genesis["tokens"] = .array(tokens.map(\.genesis))
        genesis["balances"] = .array(balances)
        genesis["allowances"] = .array(allowances)
        for (name, value) in venue.genesis { genesis[name] = value }
        if let swap { genesis["swap"] = swap.genesis }
        if let uniswap { genesis["uniswap"] = uniswap.genesis }
        return .object(genesis)
    }

    /// config.toml of a network whose tokens are mainnet's.
    ///
    /// - Parameter swap: the URL of a Swap API.
    func config(node: String, relay: String, swap: String? = nil) -> String {
        """
        network = "evm"

        [trade]
        receipt_timeout = \(receiptTimeout)

        [networks.evm]
        chain_id = \(Self.chainID)
        rpc = ["\(node)"]
        relay = "\(relay)"
        protocol = "\(venue.exchange.version.rawValue)"
        signature = "\(venue.exchange.orderSigning.rawValue)"
        exchange = "\(venue.contracts.exchange.checksummed)"
        weth = "\(EVMToken.weth.address.checksummed)"
        block_time = 1
        freshness = 86400000

        """
            + (swap.map { "\n[networks.evm.swap]\napi = \"\($0)\"\n" } ?? "")
    }

    /// What `dex` gets of the surroundings beside a private key.
    var environment: [String: String] {
        swap?.hasKey == true ? ["DEX_ZEROEX_API_KEY": SwapScene.key] : [:]
    }

    /// Seconds since 1970.
    static var now: UInt64 {
        UInt64(Date().timeIntervalSince1970)
    }
}
