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

    /// The chain is the network's, its exchange answers as one, and it can trade.
    ///
    /// - Throws: `DexError`: exit 3 for another chain or no exchange, 6 for one that cannot trade,
    ///   4 where no node answers.
    package func findings() async throws(DexError) -> Findings {
        let exchange = session.network.exchange
        let version = session.exchangeProtocol.versionCall(exchange: exchange)
        let setup = try await ChainSetup.read(
            session,
            extra: version.map { [.call($0, .latest)] } ?? []
        )
        var text: String?
        if version != nil {
            guard case .success(let answer)? = setup.extra.first,
                let bytes = try? answer.bytes(),
                let found = TokenAnswers.text(bytes, limit: 20)
            else { throw DexError(ExchangeError.notAnExchange(exchange)) }
            text = found
        }
        try await checkReadiness(setup)
        return Findings(block: setup.block.number, contracts: setup.contracts, version: text)
    }

    private func checkReadiness(_ setup: ChainSetup) async throws(DexError) {
        var batch = ReadBatch()
        let places = batch.add(
            session.exchangeProtocol.readinessCalls(setup.contracts),
            at: .number(setup.block.number)
        )
        let answers = try await batch.send(to: session.chain).bytes(places)
        do throws(ExchangeError) {
            try session.exchangeProtocol.checkReadiness(setup.contracts, answers: answers)
        } catch {
            throw DexError(error)
        }
    }
}
