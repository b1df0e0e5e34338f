import DexStore
import Ethereum
import ZeroEx

/// Checks the exchange and the account's state there, by the same reads as other commands.
struct AccountCheck {
    let session: Session
    let account: Address?
    /// nil if there is none, or it cannot be read.
    let journal: Journal?
    let settings: TradeSettings

    private typealias Row = DoctorState.Row

    /// The approximate gas of a fill with its approval.
    private static let usualGas: UInt64 = 300_000

    /// Reads everything at once: each row shows what its own command would find.
    func rows() async -> [DoctorState.Row] {
        guard let account else {
            let reason = "No account is known."
            let rest: [DoctorState.Check] = [.ether, .allowances, .orders, .guards]
            async let sending = transactions()
            let exchange =
                switch await setup() {
                case .success(let setup): await exchange(setup)
                case .failure(let error): Row.fail(.exchange, error)
                }
            return [exchange] + rest.map { Row.skipped($0, reason) } + [await sending]
        }
        async let holding = holdings(account)
        async let delegating = delegation(account)
        async let ordering = OrdersCheck(session: session, journal: journal).row(account)
        async let sending = transactions()
        let guards = GuardsCheck(session: session, journal: journal).row(account)
        let setup: ChainSetup
        switch await self.setup() {
        case .success(let read): setup = read
        case .failure(let error):
            // All would fail in the same way.
            _ = await (holding, ordering, delegating)
            let reason = "The exchange could not be read."
            let rest: [DoctorState.Check] = [.ether, .allowances, .orders]
            return [Row.fail(.exchange, error)] + rest.map { Row.skipped($0, reason) }
                + [guards, await sending]
        }
        var rows = [await exchange(setup)]
        if let row = await delegating { rows.append(row) }
        switch await holding {
        case .success(let holdings):
            rows.append(ether(holdings.ether, setup, account))
            rows.append(allowances(holdings))
        case .failure(let error):
            rows.append(.fail(.ether, error))
            rows.append(.skipped(.allowances, "The account's tokens could not be read."))
        }
        return rows + [await ordering, guards, await sending]
    }

    private func transactions() async -> DoctorState.Row {
        await TransactionCheck(
            session: session,
            journal: journal,
            patience: settings.receiptTimeout
        ).row(account)
    }

    private func setup() async -> Result<ChainSetup, DexError> {
        await Result { () async throws(DexError) in
            try await ChainSetup.read(session, account: account, needsExchange: false)
        }
    }

    private func holdings(_ account: Address) async -> Result<AccountHoldings, DexError> {
        await Result { () async throws(DexError) in
            try await AccountHoldings.read(session, of: account, tokens: [])
        }
    }

    private func exchange(_ setup: ChainSetup) async -> DoctorState.Row {
        guard session.network.hasExchange else {
            return .ok(.exchange, "The network has none; only its swap API trades.")
        }
        let contracts = setup.contracts
        var batch = ReadBatch()
        let slots = batch.add(
            session.exchangeProtocol.readinessCalls(contracts),
            at: .number(setup.block.number)
        )
        do throws(DexError) {
            let answers = try await batch.send(to: session.chain).values(slots)
            try reported(
                ExchangeError.self,
                try session.exchangeProtocol.checkReadiness(contracts, answers: answers)
            )
        } catch {
            return .fail(.exchange, error)
        }
        return .ok(
            .exchange,
            "\(contracts.exchange.checksummed) trades (0x \(session.network.protocolVersion.rawValue))."
        )
    }

    // MARK: The account

    /// Whose code the account runs (EIP-7702); nil for an account without.
    private func delegation(_ account: Address) async -> DoctorState.Row? {
        var batch = ReadBatch()
        let slot = batch.add(.code(account, .latest))
        let code: [UInt8]
        do throws(DexError) {
            code = try await batch.send(to: session.chain).value(slot)
        } catch {
            return .fail(.delegation, error)
        }
        guard let delegate = Delegation.delegate(of: code) else { return nil }
        return .warn(
            .delegation,
            "The account runs the code of \(delegate.checksummed) (EIP-7702): whom that code lets, "
                + "may move all that the account has, now and whatever comes in later.",
            "If you did not sign that, move what is left to another account: dex send"
        )
    }

    private func ether(_ ether: Wei, _ setup: ChainSetup, _ account: Address) -> DoctorState.Row {
        let coin = session.network.coin
        let text = coin.amount(ether)
        let send = "Send some \(coin.noun) to \(account.checksummed)."
        guard ether != .zero else {
            return .warn(.ether, "The account has no \(coin.noun), so it can pay no gas.", send)
        }
        let price = setup.account.flatMap { try? GasPricing.fee($0.fees).maximum }  // nil: unread
        guard let cost = price?.multiplied(by: UInt256(Self.usualGas)) else {
            return .warn(
                .ether,
                "The account has \(text); whether that pays the gas of a trade is unknown, for the "
                    + "node does not report a gas price.",
                "Run it again: dex doctor. If it stays so, name another node: --rpc URL"
            )
        }
        guard ether >= cost else {
            return .warn(
                .ether,
                "The account has \(text), and the gas of one trade may take "
                    + "\(coin.amount(cost)) now.",
                send
            )
        }
        return .ok(.ether, "The account has \(text).")
    }

    private func allowances(_ holdings: AccountHoldings) -> DoctorState.Row {
        let half = UInt256(1) << 255
        let unread = holdings.rows.filter { $0.allowance == nil }
        let allowed = holdings.rows.filter { ($0.allowance ?? .zero) != .zero }
        let unlimited = allowed.filter { ($0.allowance ?? .zero) >= half }
        let doubt =
            unread.isEmpty
            ? nil
            : "The allowance\(unread.count == 1 ? "" : "s") of \(unread.names) could not be read: "
                + "unknown, not zero."
        guard let first = unlimited.first else {
            if let doubt {
                return .warn(.allowances, doubt, "See what they are: dex allowance list")
            }
            return .ok(
                .allowances,
                allowed.isEmpty
                    ? "The transfer contract may move nothing of the account; trades ask for what "
                        + "they need. What others may: dex allowance list."
                    : "\(allowed.names) may be moved in part by the transfer contract. What "
                        + "others may: dex allowance list."
            )
        }
        return .warn(
            .allowances,
            "All of the account's \(unlimited.names) may be moved by the transfer contract."
                + (doubt.map { " \($0)" } ?? ""),
            (unlimited.count == 1 && doubt == nil ? "" : "See them: dex allowance list\n")
                + "If you do not want that: dex allowance revoke "
                + ShellWord.quoted(first.token.word)
        )
    }
}
