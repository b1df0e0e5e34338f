import Ethereum

/// The checked parameters of a request for a price or a quote.
struct SwapAPIQuery: Hashable, Sendable {
    enum Amount: Hashable, Sendable {
        case sell(UInt256)
        case buy(UInt256)
    }

    /// The native coin is `SwapContracts.native`.
    let sellToken: Address
    let buyToken: Address
    let amount: Amount
    let taker: Address?
    let recipient: Address?
    /// Parts per million.
    let slippage: UInt64
    /// Wei; nil leaves it to the chain.
    let gasPrice: UInt256?
    let excludedSources: [String]
    /// Between the native and the wrapped coin the wrapped coin's own contract is called.
    let wrapsDirectly: Bool

    static let million: UInt64 = 1_000_000

    /// The sold and the bought token differ only by the wrapping.
    var isWrap: Bool { Self.pooled(sellToken) == Self.pooled(buyToken) }
    var isDirectWrap: Bool { isWrap && wrapsDirectly }
    var sellsNative: Bool { sellToken == SwapContracts.native }
    var buysNative: Bool { buyToken == SwapContracts.native }
    /// The token to be approved; nil where nothing is.
    var approvedToken: Address? { sellsNative || isDirectWrap ? nil : sellToken }

    var isExactOut: Bool {
        if case .buy = amount { true } else { false }
    }

    /// The token of the pools for an asset.
    static func pooled(_ token: Address) -> Address {
        token == SwapContracts.native ? SwapContracts.wrapped : token
    }

    /// Reads the parameters.
    ///
    /// - Parameters:
    ///   - isFirm: it is for a quote, which needs a taker.
    ///   - chainID: the served chain.
    /// - Throws: `SwapAPIError` with every bad parameter.
    init(
        _ items: [(name: String, value: String)],
        isFirm: Bool,
        chainID: UInt64
    ) throws(SwapAPIError) {
        var fields = SwapAPIFields(items)
        fields.check(chainID: chainID)
        let sell = fields.address("sellToken", isRequired: true)
        let buy = fields.address("buyToken", isRequired: true)
        taker = fields.address("taker", isRequired: isFirm)
        recipient = fields.address("recipient")
        _ = fields.address("txOrigin")
        let isWrap =
            sell != buy && sell.map(Self.pooled) == buy.map(Self.pooled) && sell != nil
        if sell != nil, sell == buy { fields.refuse("buyToken", "The same as sellToken") }
        if isWrap, fields["recipient"] != nil {
            fields.refuse("recipient", "Not for wrapping and unwrapping")
        }
        amount = fields.amount(isWrap: isWrap)
        slippage = fields.slippage()
        gasPrice = fields.number("gasPrice", maximum: .max)
        excludedSources = fields.list("excludedSources")
        wrapsDirectly = fields.choice("wrapUnwrapMode", ["direct", "settler"]) != "settler"
        fields.refuseUnsupported()
        guard fields.faults.isEmpty else { throw .invalid(fields.faults) }
        sellToken = sell ?? .zero
        buyToken = buy ?? .zero
    }
}

/// Reads parameters and collects what is wrong with them.
struct SwapAPIFields {
    private let items: [(name: String, value: String)]
    private(set) var faults: [SwapAPIError.Detail] = []

    init(_ items: [(name: String, value: String)]) {
        self.items = items
        var seen: Set<String> = []
        for item in items where !seen.insert(item.name).inserted {
            refuse(item.name, "Given more than once")
        }
    }

    subscript(name: String) -> String? {
        items.first { $0.name == name }?.value
    }

    mutating func refuse(_ field: String, _ reason: String) {
        faults.append(SwapAPIError.Detail(field: field, reason: reason))
    }

    /// Checks that the request is for the served chain.
    mutating func check(chainID: UInt64) {
        guard let text = self["chainId"] else { return refuse("chainId", "Required") }
        guard text == "\(chainID)" else {
            return refuse("chainId", "Only \(chainID) is served here")
        }
    }

    mutating func address(_ name: String, isRequired: Bool = false) -> Address? {
        guard let text = self[name] else {
            if isRequired { refuse(name, "Required") }
            return nil
        }
        guard let address = Address(ifHex: text), address != .zero else {
            refuse(name, "Must be an address that is not zero")
            return nil
        }
        return address
    }

    mutating func number(_ name: String, maximum: UInt256) -> UInt256? {
        guard let text = self[name] else { return nil }
        guard let number = UInt256(decimal: text), number <= maximum else {
            refuse(name, "Must be a whole number of at most \(maximum)")
            return nil
        }
        return number
    }

    /// Exactly one of the two amounts.
    mutating func amount(isWrap: Bool) -> SwapAPIQuery.Amount {
        switch (self["sellAmount"], self["buyAmount"]) {
        case (nil, nil): refuse("sellAmount", "One of sellAmount and buyAmount is required")
        case (_?, _?): refuse("buyAmount", "Only one of sellAmount and buyAmount is allowed")
        case (nil, _?) where isWrap:
            refuse("buyAmount", "Not for wrapping and unwrapping")
        case (_?, nil):
            if let amount = positive("sellAmount") { return .sell(amount) }
        case (nil, _?):
            if let amount = positive("buyAmount") { return .buy(amount) }
        }
        return .sell(.zero)
    }

    private mutating func positive(_ name: String) -> UInt256? {
        guard let amount = number(name, maximum: .max) else { return nil }
        guard amount > .zero else {
            refuse(name, "Must be above zero")
            return nil
        }
        return amount
    }

    /// Parts per million; 1 % unless given.
    mutating func slippage() -> UInt64 {
        let million = SwapAPIQuery.million
        let points = number("slippageBps", maximum: 10_000)?.uint64
        let parts = number("slippagePpm", maximum: UInt256(million))?.uint64
        if self["slippageBps"] != nil, self["slippagePpm"] != nil {
            refuse("slippagePpm", "Only one of slippageBps and slippagePpm is allowed")
        }
        return parts ?? points.map { $0 * 100 } ?? million / 100
    }

    func list(_ name: String) -> [String] {
        (self[name] ?? "").split(separator: ",").map(String.init)
    }

    mutating func choice(_ name: String, _ choices: [String]) -> String? {
        guard let text = self[name] else { return nil }
        guard choices.contains(text) else {
            refuse(name, "Must be one of \(choices.joined(separator: ", "))")
            return nil
        }
        return text
    }

    /// What 0x's own service can do beyond this one; ignoring it would be a wrong quote.
    mutating func refuseUnsupported() {
        let names = [
            "swapFeeRecipient", "swapFeeBps", "swapFeeToken", "tradeSurplusRecipient",
            "tradeSurplusMaxBps",
        ]
        for name in names where self[name] != nil {
            refuse(name, "The sandbox takes no fees")
        }
        if choice("sellEntireBalance", ["true", "false"]) == "true" {
            refuse("sellEntireBalance", "The sandbox sells fixed amounts only")
        }
    }
}
