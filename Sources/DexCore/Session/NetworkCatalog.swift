import DexResources
import Ethereum
import StrictJSON
import Uniswap
import ZeroEx

/// The networks that are bundled with `dex`.
package enum NetworkCatalog {
    /// The networks in Resources/networks.json, in its order; no node or relay URL is bundled.
    ///
    /// - Throws: `DexError`, exit 1, if the embedded file is damaged.
    package static func bundled() throws(DexError) -> [Network] {
        try embedded.get()
    }

    /// What is known of a chain by its id, whatever a network on it is called; nil for nothing.
    package static func network(ofChain chainID: UInt64) throws(DexError) -> Network? {
        try bundled().first { $0.chainID == chainID }
    }

    /// Networks of earlier versions whose chains no longer run: what a config.toml still says of
    /// them is passed over.
    package static let ended: Set = ["ropsten", "rinkeby", "kovan", "goerli", "mumbai"]

    private static let embedded = Result { () throws(DexError) in
        try networks(in: DexResources.networks)
    }

    static func networks(in bytes: some Sequence<UInt8>) throws(DexError) -> [Network] {
        guard let entries = (try? JSONParser.parse(bytes))?.objectValue else {  // nil: not JSON
            throw NetworkError.damagedList(problem: "it is not a JSON object")
        }
        var networks: [Network] = []
        for entry in entries.members {
            networks.append(try network(entry.key, entry.value))
        }
        return networks
    }

    private static func network(_ name: String, _ json: JSONValue) throws(DexError) -> Network {
        guard let chainID = json["chainId"]?.numberText.flatMap({ UInt64($0) }),
            let version = json["protocol"]?.stringValue.flatMap(ProtocolVersion.init),
            let exchange = optional(json["exchange"], Address.init(ifValid:)),
            let swap = optional(json["swap"]?["api"], { $0.isEmpty ? nil : $0 }),
            exchange != nil || swap != nil,
            let proxy = optional(json["transferProxy"], Address.init(ifValid:)),
            let weth = optional(json["weth"], Address.init(ifValid:)),
            let orderSigning = optional(json["signature"], OrderSigning.init),
            let coin = json["coin"]?.stringValue.flatMap({ CoinSymbol($0) }),
            let block = number(json["blockMilliseconds"]), block > 0,
            let freshness = number(json["freshness"]), freshness > 0,
            let confirmations = json["confirmations"].map(number) ?? 1, confirmations > 0,
            let fees = FeeRules(json["fees"]),
            let pools = pools(json["pools"], chainID: chainID, wrapped: weth)
        else {
            throw NetworkError.damagedList(problem: "the network \"\(name)\" is not complete")
        }
        return Network(
            name: name,
            chainID: chainID,
            rpc: [],
            relay: nil,
            swap: swap.map { SwapSettings(api: $0) },
            pools: pools,
            protocolVersion: version,
            exchange: exchange ?? .zero,
            // v4 has no proxy: its exchange moves tokens itself.
            transferContract: proxy ?? exchange,
            orderSigning: orderSigning ?? .ethSign,
            weth: weth,
            coin: coin,
            blockMilliseconds: block,
            freshness: freshness,
            confirmations: confirmations,
            fees: fees,
            isSandbox: json["sandbox"]?.boolValue ?? false
        )
    }

    /// `.some(nil)` if there are none, nil for unreadable ones.
    private static func pools(
        _ json: JSONValue?,
        chainID: UInt64,
        wrapped: Address?
    ) -> UniswapDeployment?? {
        guard let json else { return .some(nil) }
        return UniswapDeployment(json, chainID: chainID, wrapped: wrapped).map { .some($0) }
    }

    private static func number(_ json: JSONValue?) -> UInt64? {
        json?.numberText.flatMap { UInt64($0) }
    }

    /// `.some(nil)` if there is none, nil for unreadable values.
    private static func optional<Value>(
        _ json: JSONValue?,
        _ read: (String) -> Value?
    ) -> Value?? {
        guard let json else { return .some(nil) }
        return json.stringValue.flatMap(read).map { .some($0) }
    }

}
