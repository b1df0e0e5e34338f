import DexCore
import DexSettings
import Ethereum
import ZeroEx

/// Finds the chain and the exchanges that a relay's settings name.
struct RelayNetworks {
    let file: RelaySettingsFile
    /// dex's networks.
    let known: [Network]
    /// Nodes in place of the file's; empty leaves them.
    let rpc: [String]

    /// A network for each version, in the order of the file's `protocols`.
    ///
    /// - Throws: `DexError`, exit 3.
    func networks() throws(DexError) -> [Network] {
        let base = try base()
        let chainID = file.integer("chain_id") ?? base?.chainID
        guard let chainID else {
            throw file.problem(
                ["network"],
                "neither network nor chain_id is set",
                hint: "Name a network of dex network list, such as network = \"mainnet-v4\"."
            )
        }
        if let base, base.chainID != chainID {
            throw file.problem(
                ["chain_id"],
                "chain_id is \(chainID), and the network \(base.name) is chain \(base.chainID)"
            )
        }
        let rpc = self.rpc.isEmpty ? file.list("rpc") ?? base?.rpc ?? [] : self.rpc
        guard !rpc.isEmpty || base?.isSandbox == true else {
            throw file.problem(
                ["rpc"],
                "rpc is not set, and no node is known for chain \(chainID)",
                hint: "Name a node, such as rpc = [\"http://127.0.0.1:8545\"]."
            )
        }
        var networks: [Network] = []
        for version in try versions(base) {
            var network = try network(version, base, chainID)
            network.rpc = rpc
            // The sandbox mines when it has something to mine: its latest block may be old.
            network.blockMilliseconds =
                file.integer("block_time").map { $0.multipliedReportingOverflow(by: 1_000) }
                .map { $0.overflow ? .max : $0.partialValue }
                ?? (network.isSandbox ? 0 : network.blockMilliseconds)
            networks.append(network)
        }
        return networks
    }

    private func base() throws(DexError) -> Network? {
        guard let name = file.text("network") else { return nil }
        guard let network = known.first(where: { $0.name == name }) else {
            throw file.problem(
                ["network"],
                "there is no network \"\(name)\"",
                hint: "The networks are \(known.map(\.name).joined(separator: ", "))."
            )
        }
        return network
    }

    private func versions(_ base: Network?) throws(DexError) -> [ProtocolVersion] {
        if let names = file.list("protocols") { return names.compactMap(ProtocolVersion.init) }
        let named = ProtocolVersion.allCases.filter { file.text("exchanges", $0.rawValue) != nil }
        if !named.isEmpty { return named }
        guard let base else {
            throw file.problem(
                ["exchanges"],
                "no exchange is set",
                hint: "Name the 0x exchange of the chain: [exchanges] with v4 = \"0x...\"."
            )
        }
        return [base.protocolVersion]
    }

    private func network(
        _ version: ProtocolVersion,
        _ base: Network?,
        _ chainID: UInt64
    ) throws(DexError) -> Network {
        let place = ["exchanges", version.rawValue]
        let own = file.text("exchanges", version.rawValue).flatMap { Address(ifParty: $0) }
        let candidates = [base].compactMap { $0 } + known.filter { $0.chainID == chainID }
        let found = candidates.first {
            $0.protocolVersion == version && $0.hasExchange && (own == nil || $0.exchange == own)
        }
        if let found { return found }
        guard let own else {
            throw file.problem(
                place,
                "no exchange of 0x \(version.rawValue) is known on chain \(chainID)",
                hint: "Name it: [exchanges] with \(version.rawValue) = \"0x...\"."
            )
        }
        return Network(
            name: base?.name ?? "chain-\(chainID)",
            chainID: chainID,
            rpc: [],
            relay: nil,
            protocolVersion: version,
            exchange: own,
            weth: base?.weth,
            blockMilliseconds: base?.blockMilliseconds ?? Network.usualBlock,
            freshness: base?.freshness
        )
    }
}
