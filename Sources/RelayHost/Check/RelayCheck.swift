package import DexCore
import DexRelay
import DexSettings
package import Ethereum
import Glibc
import Logging
import PrivateFiles
import ZeroEx

/// The checks of `dex relay check`: what a relay needs, and what mends what is missing.
package struct RelayCheck: Sendable {
    private let settings: RelaySettings
    private let node: RelayNode
    private let probes: [any NodeProbe]
    private let environment: Environment

    private typealias Row = DoctorState.Row

    package static let command = "dex relay check"

    package init(
        settings: RelaySettings,
        node: RelayNode,
        probes: [any NodeProbe],
        environment: Environment
    ) {
        self.settings = settings
        self.node = node
        self.probes = probes
        self.environment = environment
    }

    /// All rows: failed reads are rows too, and independent checks continue.
    ///
    /// - Throws: `CancellationError` after a signal.
    package func state() async throws -> DoctorState {
        var rows: [Row] = [
            .ok(.settings, "\(settings.file.path) is read."), listenRow(), networkRow(),
        ]
        environment.progress("opening the store")
        rows.append(await storeRow())
        if let policy = settings.policy { rows.append(programRow(policy)) }
        if probes.isEmpty {
            rows.append(noNode)
            rows.append(.skipped(.exchange, "There is no node to ask."))
        } else {
            let nodes = await nodeRows()
            rows += nodes
            let isRight = nodes.contains { $0.check == .chainID && $0.mark == .ok }
            rows +=
                isRight
                ? await exchangeRows()
                : [.skipped(.exchange, "No node answers for chain \(settings.chainID).")]
        }
        // Failures caused by Ctrl-C are not results.
        try Task.checkCancellation()
        return DoctorState(network: settings.name, account: nil, rows: rows)
    }

    /// The state if the settings cannot be read: nothing else is checked.
    package static func unreadable(_ error: DexError) -> DoctorState {
        let rest: [DoctorState.Check] = [.listen, .network, .store, .node, .exchange]
        return DoctorState(
            network: nil,
            account: nil,
            rows: [
                .fail(
                    .settings,
                    error.message,
                    error.hint ?? "Correct it in an editor, then: \(command)",
                    error.kind == .usage ? .configuration : error.kind
                )
            ] + rest.map { .skipped($0, "The settings could not be read.") }
        )
    }

    // MARK: Rows of this machine

    private func listenRow() -> Row {
        let listen = settings.listen
        let place = settings.file.text("listen") ?? RelaySettings.standardListen
        if let code = PortCheck.problem(listen) {
            guard code == EADDRINUSE else {
                return .fail(
                    .listen,
                    "\(place) cannot be listened at: \(String(cString: strerror(code))).",
                    "Set an address of this machine: listen in \(settings.file.path)",
                    .configuration
                )
            }
            return .warn(
                .listen,
                "\(place) is in use, perhaps by this relay.",
                "See whether it is: dex relay stats\nOr set another port: listen in "
                    + settings.file.path
            )
        }
        guard let publicURL = settings.publicURL else {
            return listen.isLoopback
                ? .ok(.listen, "\(place) is free; it serves only this machine.")
                : .warn(
                    .listen,
                    "\(place) is free, and others can reach it without a name.",
                    "Name the URL under which they do: public in \(settings.file.path)"
                )
        }
        let shown = PlainText.origin(of: publicURL)
        guard publicURL.lowercased().hasPrefix("https://") else {
            return .warn(
                .listen,
                "\(place) is free; \(shown) is not https, so anyone on the way can change a book.",
                "Put a proxy with TLS before it, and set public to its https:// URL."
            )
        }
        guard !listen.isLoopback || settings.file.list("trusted_proxies")?.isEmpty == false else {
            return .warn(
                .listen,
                "\(place) is free; behind the proxy of \(shown) all clients count as one address.",
                "Believe the proxy: trusted_proxies = [\"127.0.0.1\", \"::1\"] in "
                    + settings.file.path
            )
        }
        return .ok(.listen, "\(place) is free; others reach it at \(shown).")
    }

    private func networkRow() -> Row {
        let versions = settings.networks.map { "0x \($0.protocolVersion.rawValue)" }
            .joined(separator: " and ")
        let pairs = settings.file.list("pairs").map {
            $0.count == 1 ? "1 pair" : "\($0.count) pairs"
        }
        let found =
            "\(settings.name) is chain \(settings.chainID); it carries \(pairs ?? "any pair") of "
            + "\(versions)."
        return .ok(.network, found)
    }

    private func storeRow() async -> Row {
        switch settings.store {
        case .sqlite(let path): return fileRow(path)
        case .postgres:
            do throws(DexError) {
                try await probeStore()
                return .ok(.store, "\(settings.store.words) answers and has the relay's tables.")
            } catch {
                return .fail(
                    .store,
                    error.message,
                    error.code == "relay-store" || error.hint == nil
                        ? "Correct store and password_file in \(settings.file.path), or start the "
                            + "server." : error.hint,
                    error.kind
                )
            }
        }
    }

    private static let silent = Logger(label: "dex.relay.check") { _ in SwiftLogNoOpLogHandler() }

    private func probeStore() async throws(DexError) {
        let store = try await StoreOpening.open(settings, Self.silent)
        do throws(OrderStoreError) {
            try await store.close()
        } catch {
            throw DexError(error, at: settings.store)
        }
    }

    /// A check makes no file, and opens none that a running relay has.
    private func fileRow(_ path: String) -> Row {
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/")
        let isThere: Bool
        do throws(PrivateFiles.Failure) {
            isThere = try PrivateFiles.exists(path, action: "opened")
        } catch {
            return .fail(
                .store,
                error.description,
                "Mount its disk, or mend or remove the link; or choose another place: store in "
                    + settings.file.path,
                .configuration
            )
        }
        guard isThere else {
            guard
                access(folder.isEmpty ? "/" : folder, F_OK) != 0
                    || access(folder.isEmpty ? "/" : folder, W_OK | X_OK) == 0
            else {
                return .fail(
                    .store,
                    "\(path) cannot be made: its folder is not writable for this user.",
                    "Choose another place: store in \(settings.file.path)",
                    .configuration
                )
            }
            return .ok(.store, "\(path) does not exist yet; the relay makes it.")
        }
        guard access(path, R_OK | W_OK) == 0 else {
            return .fail(
                .store,
                "\(path) cannot be read and written by this user.",
                "Give it to the relay's user: chown, or run this as that user.",
                .configuration
            )
        }
        do throws(PrivateFiles.Failure) {
            guard try ExclusiveLock(SQLiteOrderStore.lockFile(of: path)) != nil else {
                return .warn(
                    .store,
                    "\(path) is in use by another process, perhaps by this relay.",
                    "See whether it is: dex relay stats"
                )
            }
        } catch {
            return .fail(.store, DexError(error))
        }
        let magic = Array("SQLite format 3\0".utf8)
        var head = [UInt8](repeating: 0, count: magic.count)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        let count = descriptor < 0 ? -1 : read(descriptor, &head, head.count)
        if descriptor >= 0 { close(descriptor) }
        guard count == 0 || (count == magic.count && head == magic) else {
            return .fail(
                .store,
                "\(path) is no database of orders.",
                "Move it away, or choose another place: store in \(settings.file.path)",
                .configuration
            )
        }
        return .ok(.store, "\(path) is there.")
    }

    private func programRow(_ policy: RelaySettings.PolicyCommand) -> Row {
        let program = policy.command[0]
        guard access(program, X_OK) == 0 else {
            return .fail(
                .program,
                "The policy program \(PlainText.clean(program, limit: 200)) cannot be run: "
                    + "\(String(cString: strerror(errno))). Every order would be refused.",
                "Correct policy.command in \(settings.file.path)",
                .configuration
            )
        }
        guard !PrivateFiles.isAlterable(program) else {
            return .warn(
                .program,
                "Others than you may change the policy program "
                    + "\(PlainText.clean(program, limit: 200)).",
                "Look through it, then: chmod go-w \(PlainText.clean(program, limit: 200))"
            )
        }
        return .ok(.program, "The policy program is there.")
    }

    // MARK: Rows of the chain

    private var noNode: Row {
        .fail(
            .node,
            settings.networks[0].isSandbox
                ? "The sandbox is not running, so there is no node."
                : "No node is set.",
            settings.networks[0].isSandbox
                ? "Start it: dex sandbox up --detach"
                : "Name one: rpc in \(settings.file.path)",
            settings.networks[0].isSandbox ? .unreachable : .configuration
        )
    }

    private func nodeRows() async -> [Row] {
        environment.progress("asking the node")
        var rows: [Row] = []
        for probe in probes {
            rows += await NodeCheck(
                probe: probe,
                network: settings.networks[0],
                environment: environment,
                command: Self.command,
                otherNode: "Name another node: rpc in \(settings.file.path)",
                readsByHash: true
            ).rows()
        }
        return rows
    }

    private func exchangeRows() async -> [Row] {
        var rows: [Row] = []
        for network in settings.networks {
            let version = network.protocolVersion.rawValue
            do throws(DexError) {
                let contracts = try await node.findings(network).contracts
                _ = try settings.configuration(network.protocolVersion, contracts: contracts)
                rows.append(
                    .ok(
                        .exchange,
                        "\(contracts.exchange.checksummed) trades (0x \(version)); makers approve "
                            + "\(contracts.transferContract.checksummed)."
                    )
                )
            } catch {
                rows.append(
                    .fail(
                        .exchange,
                        error.message,
                        error.hint ?? "Correct exchanges.\(version) in \(settings.file.path)",
                        error.kind
                    )
                )
            }
        }
        return rows
    }
}
