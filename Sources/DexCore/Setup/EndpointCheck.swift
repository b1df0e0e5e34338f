/// Tests the address of a node or a relay before it is kept.
struct EndpointCheck: Sendable {
    let tools: SetupModel.Tools
    let network: Network

    /// The node is on the network's chain, and its exchange answers and can trade.
    ///
    /// - Throws: `DexError`: exit 3 for another chain or no exchange, 4 without a usable answer, 6
    ///   for an exchange that cannot trade.
    func node(_ url: String) async throws(DexError) -> SetupMessage {
        var tested = network
        tested.rpc = [url]
        let session = try tools.session(tested)
        let name = PlainText.origin(of: url)
        session.environment.progress("asking \(name)")
        let probe = NetworkProbe(session: session)
        if network.hasExchange {
            _ = try await probe.findings()
        } else {
            try await probe.checkChain()
        }
        return .nodeAnswers(
            node: name,
            chainID: network.chainID,
            hasExchange: network.hasExchange
        )
    }

    /// The relay answers as one of the network's exchange.
    ///
    /// - Throws: `DexError`: exit 3 for a relay of another exchange, 4 without a usable answer.
    func relay(_ url: String) async throws(DexError) -> SetupMessage {
        var tested = network
        tested.relays = [RelayEndpoint(url: url)]
        let session = try tools.session(tested)
        let name = PlainText.origin(of: url)
        session.environment.progress("asking \(name)")
        switch try await RelayProbe(session: session).finding(of: try session.requiredRelay()) {
        case .serves(let pairs): return .relayAnswers(relay: name, pairs: pairs)
        case .empty, .leftOut: return .relayAnswers(relay: name, pairs: 0)
        case .otherExchange(_, let reason):
            throw NetworkError.otherRelay(relay: name, network: network.name, reason: reason)
        }
    }
}
