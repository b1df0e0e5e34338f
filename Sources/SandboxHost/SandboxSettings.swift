import DexCore
import DexSandbox
package import Ethereum
import EthereumWallet
package import StrictJSON
import ZeroEx

/// The settings that define a sandbox's genesis and market, kept so that a restart finds the same
/// chain.
package struct SandboxSettings: Hashable, Sendable {
    /// What was asked for; nil and empty are what a kept sandbox has, or the usual.
    package struct Choices: Hashable, Sendable {
        package var seed: UInt64?
        /// The size of the first pair's book in each market.
        package var orders: Int?
        /// The v4 contract's fee for each filled order, as an amount of gas.
        package var protocolFee: UInt32?
        package var chainID: UInt64?
        package var coin: CoinSymbol?
        /// Whether the named accounts, whose keys are public, own anything.
        package var hasNamedAccounts: Bool?
        /// Addresses that own something from the start.
        package var funded: [Address] = []

        package init() {}
    }

    package let seed: UInt64
    /// Seconds since 1970, rounded down to the minute.
    package let start: UInt64
    /// The orders of the first pair's book; nil is the usual size.
    package let orders: Int?
    /// The v4 contract's fee for each filled order, as an amount of gas.
    package let protocolFee: UInt32
    package let chainID: UInt64
    /// The coin that pays for gas.
    package let coin: CoinSymbol
    package let hasNamedAccounts: Bool
    /// Addresses that own something from the start, each once.
    package let funded: [Address]

    package static let standardSeed: UInt64 = 1
    /// The most addresses that own something from the start.
    package static let maximumFunded = 256
    /// The largest chain id, so that `v` of a signature fits in 64 bits.
    ///
    /// Source: EIP-2294.
    package static let maximumChainID: UInt64 = 9_223_372_036_854_775_771

    /// A coin that has no symbol of one of the sandbox's tokens; nil for anything else.
    package static func coin(_ text: String) -> CoinSymbol? {
        CoinSymbol(text).flatMap { coin in
            SandboxTokens.all.contains { $0.symbol == coin.text } ? nil : coin
        }
    }

    /// An address can own something from the start: it is no contract of the sandbox.
    package static func canFund(_ address: Address) -> Bool {
        let contracts =
            SandboxTokens.all.map(\.address) + SandboxPools.all.map(\.address)
            + SandboxUniswap.genesis().contracts
            + SandboxDeployment.all().flatMap {
                [$0.contracts.exchange, $0.contracts.transferContract]
            }
            + [
                GenesisSwap.allowanceHolder, GenesisSwap.permit2, GenesisSwap.registry,
                GenesisSwap.currentSettler, GenesisSwap.previousSettler,
            ]
        return ReservedAddress(address) == nil && !contracts.contains(address)
    }

    /// The settings in a folder, or new ones if there are none.
    ///
    /// - Throws: `SandboxHostError`: unreadable, or different from the request.
    static func load(
        _ folder: SandboxFolder,
        _ choices: Choices = Choices(),
        now: UInt64
    ) throws(SandboxHostError) -> SandboxSettings {
        guard let found = try kept(in: folder) else {
            let settings = try fresh(choices, now: now)
            try settings.write(to: folder)
            return settings
        }
        let (usual, funded) = ("as usual", choices.funded.isEmpty ? nil : choices.funded)
        try folder.compare([
            ("seed", choices.seed.map { "\($0)" }, "\(found.seed)"),
            ("orders", choices.orders.map { "\($0)" }, found.orders.map { "\($0)" } ?? usual),
            ("protocol-fee", choices.protocolFee.map { "\($0)" }, "\(found.protocolFee)"),
            ("chain-id", choices.chainID.map { "\($0)" }, "\(found.chainID)"),
            ("coin", choices.coin?.text, found.coin.text),
            (
                "accounts", choices.hasNamedAccounts.map(SandboxFolder.accounts),
                SandboxFolder.accounts(areNamed: found.hasNamedAccounts)
            ),
            (
                "fund", funded.map(fundedText),
                found.funded.isEmpty ? "nothing" : fundedText(found.funded)
            ),
        ])
        return found
    }

    /// The settings of a new sandbox.
    ///
    /// - Throws: `SandboxHostError.nobodyFunded`.
    static func fresh(
        _ choices: Choices,
        now: UInt64
    ) throws(SandboxHostError) -> SandboxSettings {
        let settings = SandboxSettings(choices, now: now)
        guard settings.hasNamedAccounts || !settings.funded.isEmpty else { throw .nobodyFunded }
        return settings
    }

    /// The settings in a folder; nil if there are none.
    ///
    /// - Throws: `SandboxHostError` if they are unreadable.
    static func kept(in folder: SandboxFolder) throws(SandboxHostError) -> SandboxSettings? {
        try SandboxFolder.json(folder.settingsFile).map { json throws(SandboxHostError) in
            guard let found = SandboxSettings(json) else {
                throw .damaged(folder.settingsFile)
            }
            return found
        }
    }

    /// - Throws: `SandboxHostError.file`.
    func write(to folder: SandboxFolder) throws(SandboxHostError) {
        try SandboxFolder.replace(folder.settingsFile, with: json)
    }

    private static func fundedText(_ addresses: [Address]) -> String {
        unique(addresses).map(\.checksummed).joined(separator: ", ")
    }

    private static func unique(_ addresses: [Address]) -> [Address] {
        var seen: Set<Address> = []
        return addresses.filter { seen.insert($0).inserted }
    }

    package init(_ choices: Choices = Choices(), now: UInt64) {
        seed = choices.seed ?? Self.standardSeed
        start = now - now % 60
        orders = choices.orders
        protocolFee = choices.protocolFee ?? 0
        chainID = choices.chainID ?? SandboxTokens.chainID
        coin = choices.coin ?? .ether
        hasNamedAccounts = choices.hasNamedAccounts ?? true
        funded = Self.unique(choices.funded)
    }

    /// The accounts with names.
    ///
    /// - Throws: `PrivateKeyError`, with a chance of 1 in 2^128.
    func accounts() throws(PrivateKeyError) -> SandboxAccounts {
        hasNamedAccounts ? try SandboxAccounts(seed: seed) : .none
    }

    /// Settings of a file, or of another machine; nil if a member is missing or out of its range.
    package init?(_ json: JSONValue) {
        guard let seed = json["seed"]?.stringValue.flatMap(UInt64.init),
            let start = json["start"]?.numberText.flatMap(UInt64.init),
            start < 1 << 40, start.isMultiple(of: 60),
            let protocolFee = json["protocolFee"]?.numberText.flatMap(UInt32.init)
        else { return nil }
        if let orders = json["orders"], !orders.isNull {
            guard let count = orders.numberText.flatMap({ Int($0) }),
                (0...SandboxMarket.maximumOrders).contains(count)
            else { return nil }
            self.orders = count
        } else {
            orders = nil
        }
        self.protocolFee = protocolFee
        self.seed = seed
        self.start = start
        // A sandbox of before these settings has the usual ones.
        guard
            let chainID = json["chainId"].map({ $0.numberText.flatMap(UInt64.init) })
                ?? SandboxTokens.chainID,
            (1...Self.maximumChainID).contains(chainID),
            let coin = json["coin"].map({ $0.stringValue.flatMap(Self.coin) })
                ?? CoinSymbol.ether,
            let hasNamedAccounts = json["namedAccounts"].map(\.boolValue) ?? true,
            let texts = json["funded"].map(\.arrayValue) ?? [], texts.count <= Self.maximumFunded
        else { return nil }
        let funded = texts.compactMap { $0.stringValue.flatMap(Address.init(ifValid:)) }
        guard funded.count == texts.count, Self.unique(funded) == funded,
            funded.allSatisfy(Self.canFund)
        else { return nil }
        self.chainID = chainID
        self.coin = coin
        self.hasNamedAccounts = hasNamedAccounts
        self.funded = funded
    }

    package var json: JSONValue {
        [
            "seed": .string(String(seed)),
            "start": .integer(start),
            "orders": orders.map { .integer($0) } ?? .null,
            "protocolFee": .integer(protocolFee),
            "chainId": .integer(chainID),
            "coin": .string(coin.text),
            "namedAccounts": .bool(hasNamedAccounts),
            "funded": .array(funded.map { .string($0.checksummed) }),
        ]
    }
}
