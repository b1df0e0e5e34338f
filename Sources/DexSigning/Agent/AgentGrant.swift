package import Ethereum
package import StrictJSON
import Uniswap
package import ZeroEx

/// The limits of an unlocked key, fixed when it is unlocked: no client can widen them.
package struct AgentGrant: Sendable {
    /// A network on which it signs, with its own limits: a symbol means a token of one network.
    package struct Place: Sendable {
        package let scope: SigningScope
        package let policy: Policy

        package init(scope: SigningScope, policy: Policy) {
            self.scope = scope
            self.policy = policy
        }
    }

    package let account: Address
    /// Seconds from the start to the end.
    package let seconds: UInt64
    package let places: [Place]

    package init(account: Address, seconds: UInt64, places: [Place]) {
        self.account = account
        self.seconds = seconds
        self.places = places
    }

    /// The longest that a key may be unlocked.
    package static let longest: UInt64 = 86_400

    // MARK: JSON

    package var json: JSONValue {
        [
            "account": .string(account.checksummed), "seconds": .number(String(seconds)),
            "networks": .array(places.map { Self.json($0) }),
        ]
    }

    private static func json(_ place: Place) -> JSONValue {
        let (scope, policy) = (place.scope, place.policy)
        var object = JSONObject()
        object["name"] = .string(scope.network)
        object["chainId"] = .number(String(scope.chainID))
        object["coin"] = .string(policy.coin.text)
        object["protocol"] = .string(scope.exchangeProtocol.version.rawValue)
        object["orderSigning"] = .string(scope.exchangeProtocol.orderSigning.rawValue)
        object["exchange"] = text(scope.exchange)
        object["weth"] = scope.weth.map(text) ?? .null
        object["feeToken"] = scope.feeToken.map(text) ?? .null
        object["transferContracts"] = AgentCodec.addresses(scope.transferContracts)
        object["hasSwap"] = .bool(scope.swap != nil)
        object["pools"] = scope.pools?.deployment.json ?? .null
        object["contracts"] = policy.spenders.map { AgentCodec.addresses($0) } ?? .null
        object["maxGasCost"] = policy.maximumFee.map { AgentCodec.number($0.rawValue) } ?? .null
        object["maxTip"] = policy.maximumTip.map { AgentCodec.number($0.tip.rawValue) } ?? .null
        object["maxPrice"] = policy.maximumTip.map { AgentCodec.number($0.price.rawValue) } ?? .null
        object["max"] = amounts(policy.perTrade)
        object["maxDay"] = amounts(policy.perDay)
        object["tokens"] = names(policy.tokenNames)
        object["otherChains"] = .array(policy.otherChains.map { json($0) })
        return .object(object)
    }

    private static func json(_ chain: OtherChain) -> JSONValue {
        [
            "name": .string(chain.network), "chainId": .number(String(chain.chainID)),
            "coin": .string(chain.coin.text),
            "exchanges": AgentCodec.addresses(chain.exchanges),
            "feeToken": chain.feeToken.map(text) ?? .null,
            "transferContracts": AgentCodec.addresses(chain.transferContracts),
            "max": amounts(chain.perTrade), "maxDay": amounts(chain.perDay),
            "tokens": names(chain.tokenNames),
        ]
    }

    private static func names(_ tokens: [Address: Token]) -> JSONValue {
        .array(tokens.values.sorted { $0.address < $1.address }.map { json($0) })
    }

    private static func json(_ token: Token) -> JSONValue {
        var object = JSONObject()
        object["address"] = text(token.address)
        object["symbol"] = .string(token.symbol)
        object["decimals"] = token.decimals.map { .integer($0) } ?? .null
        return .object(object)
    }

    private static func text(_ address: Address) -> JSONValue {
        .string(address.checksummed)
    }

    private static func amounts(_ amounts: [Asset: UInt256]) -> JSONValue {
        var object = JSONObject()
        for (asset, amount) in amounts.sorted(by: { $0.key.text < $1.key.text }) {
            object[asset.text] = AgentCodec.number(amount)
        }
        return .object(object)
    }

    /// Reads `json`; nil for anything else.
    ///
    /// - Parameters:
    ///   - implementation: that of a version of the protocol on a chain.
    ///   - swapRules: those of the swap venue on a chain, by its id.
    package init?(
        _ json: JSONValue,
        implementation: (ExchangeDeployment) -> any ExchangeProtocol,
        swapRules: (UInt64) -> any LiquidityRules
    ) {
        guard let account = AgentCodec.address(json["account"]),
            let seconds = json["seconds"]?.numberText.flatMap({ UInt64($0) }),
            (1...Self.longest).contains(seconds), let list = json["networks"]?.arrayValue,
            !list.isEmpty
        else { return nil }
        let places = list.compactMap { Self.place($0, implementation, swapRules) }
        guard places.count == list.count else { return nil }
        self.init(account: account, seconds: seconds, places: places)
    }

    private static func place(
        _ json: JSONValue,
        _ implementation: (ExchangeDeployment) -> any ExchangeProtocol,
        _ swapRules: (UInt64) -> any LiquidityRules
    ) -> Place? {
        guard let name = json["name"]?.stringValue,
            let chainID = json["chainId"]?.numberText.flatMap({ UInt64($0) }),
            let coin = json["coin"]?.stringValue.flatMap({ CoinSymbol($0) }),
            let version = json["protocol"]?.stringValue.flatMap(ProtocolVersion.init),
            let orderSigning = json["orderSigning"]?.stringValue.flatMap(OrderSigning.init),
            let exchange = AgentCodec.address(json["exchange"]),
            let weth = optional(json["weth"], AgentCodec.address),
            let feeToken = optional(json["feeToken"], AgentCodec.address),
            let transferContracts = AgentCodec.addresses(json["transferContracts"]),
            let hasSwap = json["hasSwap"]?.boolValue,
            let pools = optional(
                json["pools"],
                { UniswapDeployment($0, chainID: chainID, wrapped: weth) }
            ),
            let contracts = optional(json["contracts"], { AgentCodec.addresses($0) }),
            let fee = optional(json["maxGasCost"], { AgentCodec.number($0) }),
            let tip = optional(json["maxTip"], { AgentCodec.number($0) }),
            let price = optional(json["maxPrice"], { AgentCodec.number($0) }),
            (tip == nil) == (price == nil),
            let perTrade = amounts(json["max"]), let perDay = amounts(json["maxDay"]),
            let tokens = tokens(json["tokens"]),
            let list = json["otherChains"]?.arrayValue
        else { return nil }
        let others = list.compactMap(otherChain)
        guard others.count == list.count else { return nil }
        var policy = Policy(source: Policy.unlockSource, coin: coin)
        policy.spenders = contracts
        policy.maximumFee = fee.map { Wei($0) }
        if let tip, let price { policy.maximumTip = TipLimit(tip: Wei(tip), price: Wei(price)) }
        policy.perTrade = perTrade
        policy.perDay = perDay
        policy.limitsEverything = !perTrade.isEmpty || !perDay.isEmpty
        policy.tokenNames = tokens
        policy.otherChains = others
        let scope = SigningScope(
            network: name,
            chainID: chainID,
            exchangeProtocol: implementation(
                ExchangeDeployment(
                    version: version,
                    chainID: chainID,
                    exchange: exchange,
                    orderSigning: orderSigning
                )
            ),
            exchange: exchange,
            weth: weth,
            feeToken: feeToken,
            transferContracts: transferContracts,
            swap: hasSwap ? swapRules(chainID) : nil,
            pools: pools
        )
        return Place(scope: scope, policy: policy)
    }

    private static func otherChain(_ json: JSONValue) -> OtherChain? {
        guard let name = json["name"]?.stringValue,
            let chainID = json["chainId"]?.numberText.flatMap({ UInt64($0) }),
            let coin = json["coin"]?.stringValue.flatMap({ CoinSymbol($0) }),
            let exchanges = AgentCodec.addresses(json["exchanges"]),
            let feeToken = optional(json["feeToken"], AgentCodec.address),
            let transferContracts = AgentCodec.addresses(json["transferContracts"]),
            let perTrade = amounts(json["max"]), let perDay = amounts(json["maxDay"]),
            let tokens = tokens(json["tokens"])
        else { return nil }
        var chain = OtherChain(
            network: name,
            chainID: chainID,
            coin: coin,
            exchanges: exchanges,
            feeToken: feeToken,
            transferContracts: transferContracts
        )
        chain.perTrade = perTrade
        chain.perDay = perDay
        chain.tokenNames = tokens
        return chain
    }

    private static func tokens(_ json: JSONValue?) -> [Address: Token]? {
        guard let list = json?.arrayValue else { return nil }
        var tokens: [Address: Token] = [:]
        for token in list {
            guard let address = AgentCodec.address(token["address"]),
                let symbol = token["symbol"]?.stringValue
            else { return nil }
            tokens[address] = Token(
                address: address,
                symbol: symbol,
                name: "",
                decimals: token["decimals"]?.numberText.flatMap { UInt8($0) }
            )
        }
        return tokens
    }

    /// `.some(nil)` for null, nil for unreadable JSON.
    private static func optional<Value>(
        _ json: JSONValue?,
        _ read: (JSONValue) -> Value?
    ) -> Value?? {
        guard let json else { return nil }
        if json.isNull { return .some(nil) }
        return read(json).map { .some($0) }
    }

    private static func amounts(_ json: JSONValue?) -> [Asset: UInt256]? {
        guard let members = json?.objectValue?.members else { return nil }
        var amounts: [Asset: UInt256] = [:]
        for member in members {
            guard let asset = Asset(member.key), let amount = AgentCodec.number(member.value)
            else { return nil }
            amounts[asset] = amount
        }
        return amounts
    }
}
