import Ethereum
package import ZeroEx

/// Checks a network's settings with its node.
package struct NetworkProbe: Sendable {
    package struct Findings: Hashable, Sendable {
        /// The number of the latest block.
        package let block: UInt64
        package let contracts: ExchangeContracts
        /// The exchange's version; nil if it has no text for it.
        package let version: String?
    }

    private let session: Session

    package init(session: Session) {
        self.session = session
    }

    /// Checks the chain, the exchange and its order hashes, and that it can trade.
    ///
    /// - Throws: `DexError`: exit 3 for another chain or no exchange, 6 for one that cannot trade,
    ///   4 if no node answers.
    package func findings() async throws(DexError) -> Findings {
        do {
            return try await look()
        } catch {
            guard error.concerns(.foreignExchange) else { throw error }
            throw await isAccount()
                ? NetworkError.noContract(
                    session.network.exchange,
                    chainID: session.network.chainID
                ) : error
        }
    }

    /// Checks the chain alone, for a network without an exchange.
    ///
    /// - Throws: `DexError`: exit 3 for another chain, 4 if no node answers.
    package func checkChain() async throws(DexError) {
        var batch = ReadBatch()
        let head = ChainHead.ask(session, in: &batch)
        _ = try await batch.send(to: session.chain).value(head)
    }

    private func look() async throws(DexError) -> Findings {
        let exchange = session.network.exchange
        let version = session.exchangeProtocol.versionCall(exchange: exchange)
        var batch = ReadBatch()
        let asked = ChainSetup.ask(session, in: &batch)
        let reported = version.map { batch.add(.call($0, .latest)) }
        let answers = try await batch.send(to: session.chain)
        let setup = try answers.value(asked)
        var text: String?
        if let reported {
            guard let found = TokenAnswers.text(try answers.returned(reported), limit: 20) else {
                throw ChainSetup.noExchange(session)
            }
            text = found
        }
        try await checkTrading(setup)
        return Findings(block: setup.block.number, contracts: setup.contracts, version: text)
    }

    /// The exchange may trade, and accepts signatures over our hashes.
    private func checkTrading(_ setup: ChainSetup) async throws(DexError) {
        let network = session.network
        let exchange = session.exchangeProtocol
        let block = BlockTag.number(setup.block.number)
        var batch = ReadBatch()
        let hash = exchange.hashCall(of: sample).map { batch.add(.call($0, block)) }
        let readiness = batch.add(exchange.readinessCalls(setup.contracts), at: block)
        let answers = try await batch.send(to: session.chain)
        if let hash {
            guard let word = try answers.returned(hash).flatMap({ Bytes32(bytes: $0) }) else {
                throw ChainSetup.noExchange(session)
            }
            guard OrderHash(word) == exchange.hash(of: sample) else {
                throw DexError(
                    ExchangeError.otherHashes(
                        network.exchange,
                        exchange.version,
                        chainID: network.chainID
                    )
                )
            }
        }
        let ready = try answers.values(readiness)
        try reported(
            ExchangeError.self,
            try exchange.checkReadiness(setup.contracts, answers: ready)
        )
    }

    private var sample: OrderDraft { Self.sample(session.network.exchange) }

    /// An order that is only hashed.
    static func sample(_ exchange: Address) -> OrderDraft {
        OrderDraft(
            exchange: exchange,
            maker: exchange,
            makerToken: exchange,
            takerToken: exchange,
            makerAmount: 1,
            takerAmount: 1,
            expiry: 1,
            salt: 1
        )
    }

    /// Whether there is no code at the exchange's address; false if the node does not report it.
    private func isAccount() async -> Bool {
        // nil: not reported
        let code = try? await session.chain.read(.code(session.network.exchange, .latest))
        return code?.isEmpty ?? false
    }
}
