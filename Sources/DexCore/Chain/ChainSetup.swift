import Ethereum
import ZeroEx

/// The first round of every command of the exchange.
struct ChainSetup: Sendable {
    let block: Block
    let contracts: ExchangeContracts
    let account: AccountHead?

    /// Adds its reads, and checks the node's chain and the network's exchange.
    ///
    /// - Parameters:
    ///   - account: also reads its nonce and the gas price.
    ///   - needsExchange: false for a command that works on a network without one.
    static func ask(
        _ session: Session,
        account: Address? = nil,
        needsExchange: Bool = true,
        in batch: inout ReadBatch
    ) -> JointRead<ChainSetup> {
        guard let account else {
            let head = ChainHead.ask(session, in: &batch)
            let contracts = askContracts(session, needsExchange, in: &batch)
            return JointRead { answers throws(DexError) in
                let block = try answers.value(head)
                return ChainSetup(
                    block: block,
                    contracts: try answers.value(contracts),
                    account: nil
                )
            }
        }
        let head = AccountHead.ask(session, account, in: &batch)
        let contracts = askContracts(session, needsExchange, in: &batch)
        return JointRead { answers throws(DexError) in
            let head = try answers.value(head)
            return ChainSetup(
                block: head.block,
                contracts: try answers.value(contracts),
                account: head
            )
        }
    }

    /// Reads it in a separate request.
    static func read(
        _ session: Session,
        account: Address? = nil,
        needsExchange: Bool = true
    ) async throws(DexError) -> ChainSetup {
        var batch = ReadBatch()
        let setup = ask(session, account: account, needsExchange: needsExchange, in: &batch)
        return try await batch.send(to: session.chain).value(setup)
    }

    /// Adds reads of the exchange's contracts; throws `DexError`, exit 3, if it is no exchange.
    ///
    /// - Parameter needsExchange: if false, a network without one has the contract that the swap
    ///   API's tokens are approved for.
    static func askContracts(
        _ session: Session,
        _ needsExchange: Bool = true,
        in batch: inout ReadBatch
    ) -> JointRead<ExchangeContracts> {
        if !needsExchange, !session.network.hasExchange {
            let chainID = session.network.chainID
            let contracts = ExchangeContracts(
                exchange: session.network.exchange,
                transferContract: ZeroExSwapContracts.allowanceHolder(chainID: chainID),
                feeToken: nil
            )
            return JointRead { _ in contracts }
        }
        let contracts = askContractsIfAny(session, in: &batch)
        return JointRead { answers throws(DexError) in
            guard let contracts = try answers.value(contracts) else { throw noExchange(session) }
            return contracts
        }
    }

    /// The network's exchange is none, or it names none: exit 3.
    static func noExchange(_ session: Session) -> DexError {
        guard session.network.hasExchange else {
            return NetworkError.noExchange(network: session.network.name)
        }
        let version = session.exchangeProtocol.version
        return DexError(ExchangeError.notAnExchange(session.network.exchange, version))
    }

    /// For commands without need of an exchange: nil if the network's exchange is none.
    ///
    /// Throws `DexError`, exit 4, if the node did not answer, which says nothing about the
    /// exchange.
    static func askContractsIfAny(
        _ session: Session,
        in batch: inout ReadBatch
    ) -> JointRead<ExchangeContracts?> {
        guard session.network.hasExchange else { return JointRead { _ in nil } }
        let exchange = session.network.exchange
        let calls = session.exchangeProtocol.contractCalls(exchange: exchange)
        let slots = batch.add(calls, at: .latest)
        return JointRead { answers throws(DexError) in
            var bytes: [[UInt8]] = []
            for slot in slots {
                if let returned = try answers.returned(slot) { bytes.append(returned) }
            }
            guard bytes.count == slots.count else { return nil }
            // Other answers than the calls have are those of no exchange.
            return try? session.exchangeProtocol.contracts(exchange: exchange, answers: bytes)
        }
    }
}
