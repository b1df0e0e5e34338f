public import Ethereum
public import StrictJSON

extension UniswapDeployment {
    /// Reads what `json` writes; nil for anything else.
    ///
    /// Addresses are text; `v2Router` and `lens` may be missing.
    ///
    /// - Parameter wrapped: the chain's wrapped coin, which its network has already.
    public init?(_ json: JSONValue, chainID: UInt64, wrapped: Address?) {
        func address(_ key: String) -> Address? {
            json[key]?.stringValue.flatMap(Address.init(ifValid:))
        }
        guard let v2Factory = address("v2Factory"), let v3Factory = address("v3Factory"),
            let quoter = address("quoter"), let router = address("router"),
            json["v2Router"] == nil || address("v2Router") != nil,
            json["lens"] == nil || address("lens") != nil,
            let list = json["hubs"]?.arrayValue
        else { return nil }
        let hubs = list.compactMap { $0.stringValue.flatMap(Address.init(ifValid:)) }
        guard hubs.count == list.count else { return nil }
        self.init(
            chainID: chainID,
            v2Factory: v2Factory,
            v2Router: address("v2Router"),
            v3Factory: v3Factory,
            quoter: quoter,
            router: router,
            lens: address("lens"),
            wrapped: wrapped,
            hubs: hubs
        )
    }

    /// The contracts and hubs, without what the network has already.
    public var json: JSONValue {
        var object = JSONObject()
        object["v2Factory"] = .string(v2Factory.lowercaseHex)
        if let v2Router { object["v2Router"] = .string(v2Router.lowercaseHex) }
        object["v3Factory"] = .string(v3Factory.lowercaseHex)
        object["quoter"] = .string(quoter.lowercaseHex)
        object["router"] = .string(router.lowercaseHex)
        if let lens { object["lens"] = .string(lens.lowercaseHex) }
        object["hubs"] = .array(hubs.map { .string($0.lowercaseHex) })
        return .object(object)
    }
}
