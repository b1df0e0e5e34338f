import Ethereum
package import ZeroEx

/// Looks on its node whether a network is what its settings say it is.
package struct NetworkProbe: Sendable {
    /// What was found.
    package struct Findings: Hashable, Sendable {
        /// The number of the latest block.
        package let block: UInt64
        package let contracts: ExchangeContracts
        /// What the exchange says its version is; nil where it has no word for it.
        package let version: String?
    }

    private let session: Session

    package init(session: Session) {
        self.session = session
    }

    /// The chain is the network's, its exchange answers as one and hashes orders as we do, and it
    /// can trade.
    ///
    /// - Throws: `DexError`: exit 3 for another chain or no exchange, 6 for one that cannot trade,
    ///   4 where no node answers.
    package func findings() async throws(DexError) -> Findings {
        do {
            return try await look()
        } catch {
            guard error.code == Self.code else { throw error }
            throw await isAccount() ? noContract : error
        }
    }

    private func look() async throws(DexError) -> Findings {
        let exchange = session.network.exchange
        let version = session.exchangeProtocol.versionCall(exchange: exchange)
        let setup = try await ChainSetup.read(
            session,
            extra: version.map { [.call($0, .latest)] } ?? []
        )
        var text: String?
        if version != nil {
            guard let bytes = try bytes(setup.extra.first),
                let found = TokenAnswers.text(bytes, limit: 20)
            else { throw notAnExchange }
            text = found
        }
        try await checkTrading(setup)
        return Findings(block: setup.block.number, contracts: setup.contracts, version: text)
    }

    /// It may trade, and takes signatures over the hashes that we make.
    private func checkTrading(_ setup: ChainSetup) async throws(DexError) {
        let network = session.network
        let exchange = session.exchangeProtocol
        let block = BlockTag.number(setup.block.number)
        var batch = ReadBatch()
        let hash = exchange.hashCall(of: sample).map { batch.add(.call($0, block)) }
        let places = batch.add(exchange.readinessCalls(setup.contracts), at: block)
        let answers = try await batch.send(to: session.chain)
        if let hash {
            guard let word = try bytes(answers[hash]).flatMap({ Bytes32(bytes: $0) }) else {
                throw notAnExchange
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
        let ready = try answers.bytes(places)
        do throws(ExchangeError) {
            try exchange.checkReadiness(setup.contracts, answers: ready)
        } catch {
            throw DexError(error)
        }
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

    // MARK: No exchange

    private static let code = "not-an-exchange"

    private var notAnExchange: DexError {
        let version = session.exchangeProtocol.version
        return DexError(ExchangeError.notAnExchange(session.network.exchange, version))
    }

    private var noContract: DexError {
        DexError(
            .configuration,
            code: Self.code,
            message: "There is no contract at \(session.network.exchange.checksummed) on chain "
                + "\(session.network.chainID); check the network's exchange address."
        )
    }

    /// Whether there is no code at the exchange's address; false where the node does not tell.
    private func isAccount() async -> Bool {
        var batch = ReadBatch()
        let place = batch.add(.code(session.network.exchange, .latest))
        do throws(DexError) {
            let answers = try await batch.send(to: session.chain)
            return try answers.value(place) { answer throws(ChainError) in
                try answer.bytes()
            }.isEmpty
        } catch {
            return false
        }
    }

    /// What a call returned; nil where the contract failed.
    private func bytes(
        _ answer: Result<ChainAnswer, ChainError>?
    ) throws(DexError) -> [UInt8]? {
        do throws(ChainError) {
            return try answer?.get().bytes()
        } catch {
            guard error.isContractFailure else { throw DexError(error) }
            return nil
        }
    }
}
