package import DexCore
import Ethereum
import ZeroEx

/// The settings of config.toml, environment and flags.
///
/// A flag overrides the environment, the environment the file, and the file the bundled values.
package struct Settings: Sendable {
    package var file: SettingsFile

    package init(file: SettingsFile) {
        self.file = file
    }

    static let defaultNetwork = "sandbox"

    package var networkName: String {
        text(["network"]) ?? Self.defaultNetwork
    }

    package func text(_ path: [String]) -> String? {
        if case .text(let text) = file.values[path] { text } else { nil }
    }

    package func integer(_ path: [String]) -> UInt64? {
        if case .integer(let value) = file.values[path] { value } else { nil }
    }

    package func flag(_ path: [String]) -> Bool? {
        if case .flag(let isOn) = file.values[path] { isOn } else { nil }
    }

    package func list(_ path: [String]) -> [String]? {
        if case .list(let texts) = file.values[path] { texts } else { nil }
    }

    /// The bundled networks and those of the file, which may change bundled ones, by name.
    ///
    /// - Throws: `DexError`, exit 3, if a network of the file lacks a required value.
    package func networks() throws(DexError) -> [Network] {
        var networks = try NetworkCatalog.bundled()
        let names = Set(file.values.keys.filter { $0.first == "networks" }.map { $0[1] })
        for name in names.sorted() where !isEnded(name) {
            let index = networks.firstIndex { $0.name == name }
            let network = try network(name, over: index.map { networks[$0] })
            if let index {
                networks[index] = network
            } else {
                networks.append(network)
            }
        }
        return networks
    }

    /// Checks everything that other commands would refuse later: networks, signers, names.
    ///
    /// - Throws: `DexError`, exit 3.
    package func check() throws(DexError) {
        _ = try network(networkName)
        _ = try signers()
    }

    /// Checks for values with which every command of a kind would be refused.
    ///
    /// - Throws: `DexError`, exit 2, `bad-setting`.
    package func checkUsable() throws(DexError) {
        if let text = text(["trade", "slippage"]) {
            let slippage = try TradeSettings.basisPoints(text)
            guard slippage <= TradeSettings.maximumSlippage else {
                throw SettingsError.refusesAll("trade.slippage", .highSlippage)
            }
        }
        if let text = text(["trade", "max_gas_cost"]), text.allSatisfy({ "0.".contains($0) }) {
            throw SettingsError.refusesAll("trade.max_gas_cost", .noGas)
        }
        // none: a network that still lacks a value is completed by the next settings
        for network in (try? networks()) ?? [] {
            let nodes = list(["networks", network.name, "rpc"])?.count
            guard let nodes, network.quorum > nodes, nodes > 0 else { continue }
            throw SettingsError.refusesAll("networks.\(network.name).quorum", .fewNodes(nodes))
        }
    }

    /// One network by its name.
    ///
    /// - Throws: `DexError`, exit 3.
    package func network(_ name: String) throws(DexError) -> Network {
        let networks = try networks()
        guard let network = networks.first(where: { $0.name == name }) else {
            if NetworkCatalog.ended.contains(name.lowercased()) {
                throw SettingsError.endedNetwork(name: name)
            }
            let known = networks.map(\.name)
            throw SettingsError.unknownNetwork(name: name, known: known)
        }
        return network
    }

    private func network(_ name: String, over base: Network?) throws(DexError) -> Network {
        let path = ["networks", name]
        let swap = try swap(of: name, over: base)
        // The zero address: a swap API alone trades there.
        let noExchange = swap.map { _ in Address.zero }
        guard let chainID = integer(path + ["chain_id"]) ?? base?.chainID,
            let exchange = address(path + ["exchange"]) ?? base?.exchange ?? noExchange
        else {
            let missing =
                base == nil && integer(path + ["chain_id"]) == nil
                ? "chain_id" : "exchange"
            throw SettingsError.incompleteNetwork(name: name, path: file.path, missing: missing)
        }
        let version =
            text(path + ["protocol"]).flatMap { ProtocolVersion(rawValue: $0) }
            ?? base?.protocolVersion ?? (exchange == .zero ? .v4 : .v1)
        let orderSigning =
            text(path + ["signature"]).flatMap { OrderSigning(rawValue: $0) }
            ?? base?.orderSigning ?? .ethSign
        guard version.orderSignings.contains(orderSigning) else {
            throw SettingsError.otherSigning(
                network: name,
                path: file.path,
                signing: orderSigning,
                version: version
            )
        }
        // What holds for a chain holds for a network of another name as well.
        let chain =
            base?.chainID == chainID ? base : try NetworkCatalog.network(ofChain: chainID)
        let block = milliseconds(path + ["block_time"])
        var network = Network(
            name: name,
            chainID: chainID,
            rpc: list(path + ["rpc"]) ?? base?.rpc ?? [],
            quorum: integer(path + ["quorum"]) ?? base?.quorum ?? 1,
            proofs: flag(path + ["proofs"]) ?? base?.proofs,
            privateRPC: text(path + ["private_rpc"]) ?? base?.privateRPC,
            relay: nil,
            swap: swap,
            pools: base?.isSandbox == true ? base?.pools : chain?.pools,
            protocolVersion: version,
            exchange: exchange,
            orderSigning: orderSigning,
            weth: address(path + ["weth"]) ?? base?.weth,
            coin: text(path + ["coin"]).flatMap { CoinSymbol($0) } ?? chain?.coin ?? .ether,
            tokenList: text(path + ["tokens"]).map(absolute) ?? base?.tokenList,
            blockMilliseconds: block ?? chain?.blockMilliseconds ?? Network.usualBlock,
            freshness: integer(path + ["freshness"]) ?? (block == nil ? chain?.freshness : nil),
            confirmations: chain?.confirmations ?? 1,
            fees: chain?.fees ?? .unknown,
            isSandbox: base?.isSandbox ?? false
        )
        network.relays = try relays(of: name) ?? base?.relays ?? []
        return network
    }

    /// The relays of a network, each with its feed; nil if the file names none.
    ///
    /// - Throws: `DexError`, exit 3, if there are feeds for other relays.
    private func relays(of name: String) throws(DexError) -> [RelayEndpoint]? {
        let path = ["networks", name]
        let feeds = texts(path + ["feed"]) ?? []
        guard let urls = texts(path + ["relay"]) else {
            guard feeds.isEmpty else {
                throw SettingsError.incompleteNetwork(name: name, path: file.path, missing: "relay")
            }
            return nil
        }
        guard feeds.isEmpty || feeds.count == urls.count else {
            throw SettingsError.otherFeeds(
                network: name,
                path: file.path,
                feeds: feeds.count,
                relays: urls.count
            )
        }
        return urls.enumerated().map { index, url in
            RelayEndpoint(
                url: url,
                feed: feeds.indices.contains(index) ? .init(feeds[index]) : .usual
            )
        }
    }

    /// A text or a list of texts.
    private func texts(_ path: [String]) -> [String]? {
        text(path).map { [$0] } ?? list(path)
    }

    /// The swap API of a network; nil if it has none.
    private func swap(
        of name: String,
        over network: Network?
    ) throws(DexError) -> SwapSettings? {
        let path = ["networks", name, "swap"]
        let base = network?.swap
        let keyFile = text(path + ["key_file"]).map(absolute) ?? base?.keyFile
        let via = text(path + ["via"]).flatMap(VenueChoice.init(rawValue:))
        guard let api = text(path + ["api"]) ?? base?.api else {
            if let via, network?.isSandbox == true {
                // A sandbox that runs says where its own is.
                return SwapSettings(api: "", via: via)
            }
            guard keyFile == nil, via == nil else {
                throw SettingsError.incompleteNetwork(
                    name: name,
                    path: file.path,
                    missing: "swap.api"
                )
            }
            return nil
        }
        return SwapSettings(api: api, keyFile: keyFile, via: via ?? base?.via ?? .best)
    }

    /// What is left in the file of a bundled network whose chain no longer runs.
    private func isEnded(_ name: String) -> Bool {
        NetworkCatalog.ended.contains(name) && integer(["networks", name, "chain_id"]) == nil
    }

    /// Seconds with at most three decimals, in milliseconds.
    private func milliseconds(_ path: [String]) -> UInt64? {
        file.values[path].flatMap { SettingKind.milliseconds($0.text) }
    }

    private func address(_ path: [String]) -> Address? {
        text(path).flatMap(Address.init(ifParty:))
    }

    /// A path in the file is relative to the file's folder.
    package func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/") else { return path }
        let folder = file.path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        return (folder.map(String.init) + [path]).joined(separator: "/")
    }
}
