import DexResources
import Ethereum
import StrictJSON
import ZeroEx

package enum NetworkCatalog {
    /// The networks in Resources/networks.json, in its order; no node or relay URL is bundled.
    ///
    /// - Throws: `DexError`, exit 1, if the embedded file is damaged.
    package static func bundled() throws(DexError) -> [Network] {
        try embedded.get()
    }

    private static let embedded = Result { () throws(DexError) in
        try networks(in: DexResources.networks)
    }

    static func networks(in bytes: some Sequence<UInt8>) throws(DexError) -> [Network] {
        guard let entries = (try? JSONParser.parse(bytes))?.objectValue else {  // nil: not JSON
            throw DexError(NetworkError.damagedList(problem: "it is not a JSON object"))
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
            let blockTime = json["blockTime"]?.numberText.flatMap({ UInt64($0) }), blockTime > 0
        else {
            throw DexError(
                NetworkError.damagedList(problem: "the network \"\(name)\" is not complete")
            )
        }
        return Network(
            name: name,
            chainID: chainID,
            rpc: [],
            relay: nil,
            swap: swap.map { SwapSettings(api: $0) },
            protocolVersion: version,
            exchange: exchange ?? .zero,
            // v4 has no proxy: its exchange moves tokens itself.
            transferContract: proxy ?? exchange,
            orderSigning: orderSigning ?? .ethSign,
            weth: weth,
            blockTime: blockTime,
            isSandbox: json["sandbox"]?.boolValue ?? false,
            isHistorical: json["historical"]?.boolValue ?? false
        )
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
