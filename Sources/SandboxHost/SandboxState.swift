import DexRelay
package import Ethereum
package import EthereumWallet
import Glibc
import StrictJSON
package import ZeroEx

/// The description of a running sandbox in state.json.
package struct SandboxState: Hashable, Sendable {
    /// A network of a sandbox.
    package struct Offer: Hashable, Sendable {
        /// The value for `--network`.
        package let name: String
        package let version: ProtocolVersion
        /// The base URL of its relay, with the path of the API; nil of a fork.
        package let relay: String?

        init(_ venue: SandboxDeployment, relay: String?) {
            (name, version, self.relay) = (venue.network, venue.version, relay)
        }
    }

    /// The live chain of which this is a fork.
    package struct Fork: Hashable, Sendable {
        package let chainID: UInt64
        /// The block with which it begins.
        package let block: UInt64
        /// Scheme, host and port of the live node; nil if it goes on offline.
        package let origin: String?
    }

    package let pid: Int32
    /// The node's URL.
    package let rpc: String
    /// v1 first; each of a different version.
    package let networks: [Offer]
    /// The base URL of the Swap API, which serves all networks; nil in a copy.
    package var swap: String?
    /// The node of the sandbox that this is a copy of; nil if it is no copy.
    package var leader: String?
    package let chainID: UInt64
    /// The coin that pays for gas.
    package let coin: CoinSymbol
    /// The hash of block 0.
    package let genesis: BlockHash
    /// The hosts of its URLs for other machines; empty if it listens on loopback only.
    package let reachableHosts: [String]
    package let seed: UInt64
    /// Seconds since 1970.
    package let startedAt: UInt64
    package let accounts: [SandboxAccounts.Account]
    /// nil if it is no fork.
    package var fork: Fork?

    /// What runs in this process.
    ///
    /// - Parameters:
    ///   - rpc: the node's port.
    ///   - genesis: the hash of block 0, or of the block that was forked.
    ///   - startedAt: seconds since 1970.
    init(
        _ listen: ListenAddress,
        rpc port: Int,
        networks: [Offer],
        chainID: UInt64,
        coin: CoinSymbol,
        genesis: BlockHash,
        seed: UInt64,
        startedAt: UInt64,
        accounts: [SandboxAccounts.Account]
    ) {
        pid = getpid()
        rpc = listen.url(port)
        reachableHosts = listen.reachableHosts()
        (self.networks, self.chainID, self.coin) = (networks, chainID, coin)
        (self.genesis, self.seed, self.startedAt) = (genesis, seed, startedAt)
        self.accounts = accounts
    }

    /// A sandbox or a copy of one, with its relay.
    ///
    /// - Parameter ports: of the node and the relay.
    /// - Throws: `PrivateKeyError`, with a chance of 1 in 2^128.
    init(
        _ listen: ListenAddress,
        ports: (node: Int, relay: Int),
        _ markets: some Sequence<(SandboxDeployment, RelayMarket)>,
        _ settings: SandboxSettings,
        genesis: BlockHash,
        startedAt: UInt64
    ) throws(PrivateKeyError) {
        let relay = listen.url(ports.relay)
        self.init(
            listen,
            rpc: ports.node,
            networks: markets.map { Offer($0, relay: relay + $1.basePath) },
            chainID: settings.chainID,
            coin: settings.coin,
            genesis: genesis,
            seed: settings.seed,
            startedAt: startedAt,
            accounts: try settings.accounts().all
        )
    }

    /// The base URL of the relay for a version's orders; nil if the sandbox has none.
    package func relay(_ version: ProtocolVersion) -> String? {
        networks.first { $0.version == version }?.relay
    }

    /// The named accounts with their keys.
    ///
    /// - Throws: `PrivateKeyError`, with a chance of 1 in 2^128.
    package func namedAccounts() throws(PrivateKeyError) -> SandboxAccounts {
        accounts.isEmpty ? .none : try SandboxAccounts(seed: seed)
    }

    /// A URL of this sandbox's servers for another machine.
    ///
    /// - Parameter host: one of `reachableHosts`.
    /// - Returns: nil if the URL has no port.
    package static func url(_ url: String, at host: String) -> String? {
        guard let scheme = url.firstRange(of: "://") else { return nil }
        let rest = url[scheme.upperBound...]
        let end = rest.firstIndex(of: "/") ?? rest.endIndex
        guard let colon = rest[..<end].lastIndex(of: ":") else { return nil }
        return "\(url[..<scheme.upperBound])\(host)\(rest[colon...])"
    }

    /// The sandbox that runs in a folder (`Home.sandbox`).
    ///
    /// nil if none runs, also if a dead one left its file behind.
    ///
    /// - Throws: `SandboxHostError` if the file cannot be read.
    package static func read(_ folder: SandboxFolder) throws(SandboxHostError) -> SandboxState? {
        guard folder.isInUse, let json = try SandboxFolder.json(folder.stateFile) else {
            return nil
        }
        guard let state = SandboxState(json) else { throw .damaged(folder.stateFile) }
        return state
    }

    /// Writes the file completely, for its owner only.
    func write(to folder: SandboxFolder) throws(SandboxHostError) {
        try SandboxFolder.replace(folder.stateFile, with: json)
    }
}

extension SandboxState {
    private var json: JSONValue {
        [
            "pid": .integer(pid),
            "rpc": .string(rpc),
            "networks": .array(networks.map(\.json)),
            "swap": swap.map { .string($0) } ?? .null,
            "leader": leader.map { .string($0) } ?? .null,
            "chainId": .integer(chainID),
            "coin": .string(coin.text),
            "genesis": .string(genesis.hex),
            "hosts": .array(reachableHosts.map { .string($0) }),
            "seed": .string(String(seed)),
            "startedAt": .integer(startedAt),
            "accounts": .array(
                accounts.map {
                    ["name": .string($0.name), "address": .string($0.address.checksummed)]
                }
            ),
            "fork": fork?.json ?? .null,
        ]
    }

    private init?(_ json: JSONValue) {
        guard let pid = json["pid"]?.numberText.flatMap(Int32.init), pid > 0,
            let rpc = json["rpc"]?.stringValue,
            let offers = json["networks"]?.arrayValue, !offers.isEmpty,
            ["swap", "leader"].contains(where: { json[$0]?.stringValue != nil })
                || json["fork"]?.objectValue != nil,
            let chainID = json["chainId"]?.numberText.flatMap(UInt64.init),
            let coin = json["coin"]?.stringValue.flatMap(CoinSymbol.init),
            let genesis = json["genesis"]?.stringValue.flatMap(BlockHash.init(ifHex:)),
            let hosts = json["hosts"]?.arrayValue,
            let seed = json["seed"]?.stringValue.flatMap(UInt64.init),
            let startedAt = json["startedAt"]?.numberText.flatMap(UInt64.init),
            let list = json["accounts"]?.arrayValue
        else { return nil }
        (self.pid, self.rpc, self.chainID, self.coin) = (pid, rpc, chainID, coin)
        (self.genesis, self.seed, self.startedAt) = (genesis, seed, startedAt)
        networks = offers.compactMap(Offer.init)
        swap = json["swap"]?.stringValue
        leader = json["leader"]?.stringValue
        reachableHosts = hosts.compactMap(\.stringValue)
        accounts = list.compactMap { item in
            guard let name = item["name"]?.stringValue,
                let text = item["address"]?.stringValue, let address = Address(ifValid: text)
            else { return nil }
            return SandboxAccounts.Account(name: name, address: address)
        }
        fork = json["fork"].flatMap(Fork.init)
        guard accounts.count == list.count, networks.count == offers.count else { return nil }
    }
}

extension SandboxState.Fork {
    fileprivate var json: JSONValue {
        [
            "chainId": .integer(chainID), "block": .integer(block),
            "node": origin.map { .string($0) } ?? .null,
        ]
    }

    fileprivate init?(_ json: JSONValue) {
        guard let chainID = json["chainId"]?.numberText.flatMap(UInt64.init),
            let block = json["block"]?.numberText.flatMap(UInt64.init)
        else { return nil }
        self.init(chainID: chainID, block: block, origin: json["node"]?.stringValue)
    }
}

extension SandboxState.Offer {
    fileprivate var json: JSONValue {
        [
            "name": .string(name), "protocol": .string(version.rawValue),
            "relay": relay.map { .string($0) } ?? .null,
        ]
    }

    fileprivate init?(_ json: JSONValue) {
        guard let name = json["name"]?.stringValue,
            let version = json["protocol"]?.stringValue.flatMap(ProtocolVersion.init)
        else { return nil }
        (self.name, self.version, relay) = (name, version, json["relay"]?.stringValue)
    }
}
