import DexCore
import DexNetwork
import DexSettings
import DexStore
import DexWallet
import Ethereum
import Glibc
import PrivateFiles
import ZeroEx

/// Checks of this machine; the rest is the view model's.
struct MachineCheck {
    let context: CommandContext

    private typealias Row = DoctorState.Row

    /// All rows: failed reads are rows too, and independent checks continue.
    ///
    /// - Throws: `CancellationError` after a signal.
    func state() async throws -> DoctorState {
        var rows: [Row] = []
        let settings: Settings
        do {
            settings = try context.settings()
            rows.append(try settingsRow())
        } catch {
            rows.append(failed(.settings, error))
            return try ended(nil, rows, "The settings could not be read.")
        }
        var trade = TradeSettings()
        do {
            trade = try context.tradeSettings()
        } catch {
            rows = [failed(.settings, error)]
        }
        let network: Network
        let tokens: TokenMap
        let journal: Journal?
        var session: Session
        var swapKeyError: DexError?
        do {
            network = try context.network(settings)
            tokens = try context.tokenMap(network)
            journal = try self.journal(network)
            session = try context.session([])
        } catch {
            rows.append(failed(.network, error))
            return try ended(nil, rows, "The network is not known.")
        }
        rows.append(policyRow(network))
        rows.append(networkRow(network, tokens))
        let (account, wallet) = await walletRow(network)
        rows.append(wallet)
        do throws(DexError) {
            session.venues = try swap(network).map { [ZeroExSwapVenue($0)] } ?? []
        } catch {
            swapKeyError = error
        }
        rows += await DoctorModel(
            session: session,
            nodes: nodes(session),
            account: account,
            journal: journal,
            settings: trade,
            swapKeyError: swapKeyError
        ).rows()
        // Failures caused by Ctrl-C are not results.
        try Task.checkCancellation()
        return DoctorState(network: network.name, account: account, rows: rows)
    }

    /// The key of an API that is left out is not read.
    private func swap(_ network: Network) throws(DexError) -> (any LiquiditySource)? {
        guard let settings = network.swap, settings.via != .book else { return nil }
        return try context.swapClient(network, context.transport())
    }

    private func nodes(_ session: Session) -> Result<[any NodeProbe], DexError> {
        guard !session.probes.isEmpty else {
            return .failure(context.missing("node", "rpc", session.network))
        }
        return .success(session.probes)
    }

    /// nil if there is none: a check creates none.
    ///
    /// One that may be there is read, and fails then.
    private func journal(_ network: Network) throws -> Journal? {
        let journal = try context.journal(network)
        do throws(PrivateFiles.Failure) {
            return try PrivateFiles.exists(journal.path) ? journal : nil
        } catch {
            return journal
        }
    }

    /// The end of a check that cannot continue, with all remaining rows.
    private func ended(
        _ network: String?,
        _ rows: [Row],
        _ reason: String
    ) throws -> DoctorState {
        try Task.checkCancellation()
        let seen = Set(rows.map(\.check))
        // A node's results are part of its own row.
        let parts: Set<DoctorState.Check> = [
            .chainID, .sync, .clock, .batches, .logs, .quorum, .proofs,
        ]
        let rest = DoctorState.Check.allCases.filter {
            !seen.contains($0) && !parts.contains($0) && !DoctorState.Check.ofHost.contains($0)
        }
        return DoctorState(
            network: network,
            account: nil,
            rows: rows + rest.map { .skipped($0, reason) }
        )
    }

    // MARK: Rows

    private func failed(_ check: DoctorState.Check, _ error: any Error) -> Row {
        let error = Failure.describe(error)
        guard error.kind == .usage, error.hint == nil else { return .fail(check, error) }
        let remedy = "Correct what is named: dex doctor --help"
        return .fail(check, error.message, remedy, error.kind)
    }

    private func settingsRow() throws -> Row {
        let path = try context.home().configFile
        let isThere = try reported(PrivateFiles.Failure.self, try PrivateFiles.exists(path))
        guard isThere else {
            return .ok(.settings, "There is no \(path), so what is bundled holds.")
        }
        guard !PrivateFiles.isAlterable(path) else {
            return .warn(
                .settings,
                "Others than you may change \(path).",
                "Look through it, then: chmod 600 \(path)"
            )
        }
        return .ok(.settings, "\(path) is read.")
    }

    private func policyRow(_ network: Network) -> Row {
        do {
            let file = try context.policyFile()
            _ = try file.policy(network, among: try context.settings().networks())
            return .ok(
                .policy,
                file.isThere
                    ? "\(file.path) is read." : "There is no \(file.path), and so no rule."
            )
        } catch {
            return failed(.policy, error)
        }
    }

    private func networkRow(_ network: Network, _ tokens: TokenMap) -> Row {
        .ok(
            .network,
            "\(network.name) is chain \(network.chainID), with \(tokens.search(nil).count) known "
                + "tokens."
        )
    }

    /// The account that commands use, and whether it has a key; asks for no password.
    private func walletRow(_ network: Network) async -> (Address?, Row) {
        do {
            let account = try await context.account(network)
            return (account.address, try keyRow(account))
        } catch {
            return (nil, failed(.wallet, error))
        }
    }

    private func keyRow(_ account: Account) throws -> Row {
        var found = "\(account.label) has its key."
        switch account.key {
        case nil:
            let error = account.noKey
            return .warn(.wallet, error.message, error.hint ?? "")
        case .wallet(let wallet):
            let path = PlainText.clean(wallet.path, limit: 400)
            if PrivateFiles.isExposed(wallet.path) {
                let exposed = "Others than you can read \(path), the keystore of \(account.label)."
                let remedy =
                    "Somebody may have a copy and try passwords on it. Close it: chmod 600 \(path)"
                // Commands refuse only our own files: other programs choose their own modes.
                return wallet.isOurs
                    ? .fail(.wallet, exposed, remedy, .wallet) : .warn(.wallet, exposed, remedy)
            }
            found = "\(account.label) has its key in an encrypted keystore."
        case .held: break
        }
        guard let problem = try context.walletStore().contents().problems.first else {
            return .ok(.wallet, found)
        }
        let described = Failure.describe(problem)
        return .warn(
            .wallet,
            "\(found) Another one cannot be read. \(described.message)",
            described.hint ?? "Mend or move away what it names, then: dex wallet list"
        )
    }
}
