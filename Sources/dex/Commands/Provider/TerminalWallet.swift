import DexCore
import DexNetwork
import DexProvider
import DexSettings
import DexSigning
import DexTerminal
import Ethereum
import StrictJSON
import Synchronization

/// The wallet that a dapp talks to: plans and questions at the terminal, keys as everywhere.
///
/// What asks runs outside of the gateway, whose other requests do not wait for an answer.
final class TerminalWallet: DappWallet {
    private let context: CommandContext
    /// The account, on the network in use.
    private let current: Mutex<Account>

    init(_ context: CommandContext, _ account: Account) {
        self.context = context
        current = Mutex(account)
    }

    private var inUse: Account { current.withLock { $0 } }

    func account() async -> Address { inUse.address }

    func chainID() async -> UInt64 { inUse.network.chainID }

    /// A command of its own, with its own limits and journal writes, for the account in use.
    ///
    /// - Parameter client: what asks for it; nil for reads.
    private func command(for client: DappClient? = nil) -> CommandContext {
        let account = inUse
        var command = context.with { $0.network = account.network.name }
        command.acting = account
        command.asker = client.map { client in
            Asker(name: client.origin.text) { client.isWaiting }
        }
        return command
    }

    /// Begins what is shown of one request.
    private func say(_ what: String, by origin: DappOrigin, above: [String] = []) {
        let lines = context.console.errorScreen.title("\(origin.subject) \(what)", .cyan)
        context.console.error("\n" + (lines + above).joined(separator: "\n"))
    }

    // MARK: Pairing

    func show(code: String, for origin: DappOrigin) async {
        let style = context.console.errorScreen.style
        let halves = style.paint("\(code.prefix(3)) \(code.suffix(3))", .bold)
        say(
            "asks to be paired.",
            by: origin,
            above: ["If you started this, type this code there: \(halves)"]
        )
    }

    func notePaired(_ origin: DappOrigin) async {
        context.console.note("\(origin.subject) is paired.")
    }

    // MARK: Signatures

    @concurrent
    func sign(message: [UInt8], for client: DappClient) async throws(DappError) -> String {
        try await signature(client, "asks for a signature of a message") { context, account in
            try await context.signed(message, by: account)
        }
    }

    @concurrent
    func sign(typedData: TypedData, for client: DappClient) async throws(DappError) -> String {
        try await signature(client, "asks for a signature of typed data") { context, account in
            try await context.signed(typedData, by: account)
        }
    }

    private func signature(
        _ client: DappClient,
        _ what: String,
        _ body: (CommandContext, Account) async throws -> CommandReport
    ) async throws(DappError) -> String {
        let account = inUse
        let report = try await run(client, what) { try await body($0, account) }
        guard let text = report.data["signature"]?.stringValue else {
            throw .disconnected("The wallet has no terminal any more.")
        }
        context.console.note("Signed.")
        return text
    }

    // MARK: Transactions

    @concurrent
    func send(
        _ transaction: DappTransaction,
        for client: DappClient,
        onSent: @escaping @Sendable (TransactionHash) -> Void
    ) async throws(DappError) -> TransactionHash {
        let sent = Mutex<TransactionHash?>(nil)
        let note: @Sendable (TransactionHash) -> Void = { hash in
            sent.withLock { $0 = hash }
            onSent(hash)
        }
        let report = try await run(client, "asks for a transaction") { context in
            let settings = try context.tradeSettings()
            let known = try context.knownAddresses(context.network(try context.settings()))
            guard transaction.data.isEmpty else {
                let request = ContractRequest(
                    contract: transaction.to,
                    data: transaction.data,
                    value: transaction.value,
                    known: known
                )
                return try await context.run(
                    TransactModel.self,
                    request,
                    settings,
                    needs: [.node],
                    onSent: note
                )
            }
            let request = TransferRequest.send(
                asset: TokenMap.coinAddress.checksummed,
                amount: DecimalText.format(transaction.value.rawValue, decimals: 18),
                to: transaction.to.checksummed,
                known: known
            )
            return try await context.run(
                TransferModel.self,
                request,
                settings,
                needs: [.node],
                onSent: note
            )
        }
        if report.error == nil { _ = command().emit(report) }
        guard let hash = sent.withLock({ $0 }) else {
            throw .disconnected("The wallet has no terminal any more.")
        }
        return hash
    }

    // MARK: Networks

    @concurrent
    func switchChain(to chainID: UInt64, for client: DappClient) async throws(DappError) {
        let report = try await run(client, "asks to change the network") { context in
            let network = try self.network(of: chainID, context)
            let there = context.with { $0.network = network.name }
            let session = try there.session([.node])
            let account = try await there.account(session.network)
            guard account.key != nil else { throw account.noKey }
            let name = session.network.name
            let plan = PlanReport(
                data: [:],
                warnings: [],
                question: PlanQuestion("Change to \(name)?")
            ) { screen in
                var facts = KeyValueList()
                facts.add("network", "\(name), chain \(chainID)")
                facts.add("coin", session.network.coin.text)
                facts.add("account", account.label)
                return facts.lines(screen) + (context.asker?.lines(screen) ?? [])
            }
            if let end = try await context.agreed(plan) { return end }
            try context.checkAsker()
            self.current.withLock { $0 = account }
            return CommandReport { _ in ["The network in use is \(name)."] }
        }
        guard report.status == .ok else {
            throw .disconnected("The wallet has no terminal any more.")
        }
        _ = command().emit(report)
    }

    /// - Throws: `DappError`, 4902, if no network of the settings has the chain.
    private func network(of chainID: UInt64, _ context: CommandContext) throws -> Network {
        let isFixed = !context.options.rpc.isEmpty || context.environment["DEX_RPC_URL"] != nil
        guard !isFixed else {
            throw DappError.unknownChain("The wallet's node is fixed, and so is its chain.")
        }
        let networks = try context.settings().networks().filter { $0.chainID == chainID }
        // Of several on one chain, one that has a node.
        let found = networks.first { !$0.rpc.isEmpty || $0.isSandbox } ?? networks.first
        guard let found else {
            throw DappError.unknownChain("The wallet's settings have no network of this chain.")
        }
        return found
    }

    // MARK: Reads

    /// The most bytes of an answer.
    private static let longestAnswer = 4 << 20

    @concurrent
    func read(
        _ method: String,
        _ parameters: [JSONValue]
    ) async throws(DappError) -> JSONValue {
        let network: Network
        do {
            let context = command()
            network = try context.network(try context.settings())
        } catch {
            throw .disconnected("The wallet's settings cannot be read.")
        }
        for url in network.rpc {
            let node = JSONRPCSignerNode(
                name: network.name,
                url: url,
                transport: command().transport()
            )
            // nil: this node gave no answer, and another may.
            guard let answer = try? await node.call(method, parameters) else { continue }
            switch answer {
            case .refused(let code, let message):
                throw .node(code: code, message: PlainText.clean(message, limit: 400))
            case .result(let json):
                guard json.utf8.count <= Self.longestAnswer else {
                    throw .limit("The answer is too long: ask for less.")
                }
                return json
            }
        }
        throw .disconnected("The wallet's node does not answer.")
    }

    // MARK: One request

    /// Says who asks for what, runs it as a command, and shows how it ended.
    private func run(
        _ client: DappClient,
        _ what: String,
        _ body: (CommandContext) async throws -> CommandReport
    ) async throws(DappError) -> CommandReport {
        say("\(what).", by: client.origin)
        let command = command(for: client)
        defer { command.reported.write(command.console) }
        let report: CommandReport
        do {
            report = try await body(command)
            command.console.endProgress()
        } catch let error as DappError {
            command.console.endProgress()
            command.console.note(error.message)
            throw error
        } catch {
            command.console.endProgress()
            let failure = Failure.describe(error)
            if failure.kind != .interrupted { command.console.failure(failure) }
            throw Self.dappError(failure)
        }
        guard let error = report.error else { return report }
        // A plan that a rule forbids, or the outcome of what was sent.
        _ = command.emit(report)
        command.console.failure(error)
        guard !error.sent.isEmpty else { throw Self.dappError(error) }
        return report
    }

    /// The error for the application, without anything of this machine: paths, rules, balances.
    private static func dappError(_ error: DexError) -> DappError {
        switch error.kind {
        case .declined: .rejected("The user declined.")
        case .refused: .rejected("The wallet refuses it: \(error.code).")
        case .interrupted: .disconnected("The wallet has ended.")
        case .unreachable: .disconnected("The wallet's node does not answer.")
        case .usage: .invalidParameters("The wallet cannot do it: \(error.code).")
        case .simulationFailed: .failed("It would fail: \(error.code).")
        default: .failed("The wallet could not do it: \(error.code).")
        }
    }
}
