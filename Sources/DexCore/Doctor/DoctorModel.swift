package import DexStore
package import Ethereum
import ZeroEx

/// Checks everything outside of this machine that a command needs, and transactions in flight.
///
/// It signs and changes nothing.
package struct DoctorModel: Sendable {
    private let session: Session
    private let nodes: Result<[any NodeProbe], DexError>
    private let account: Address?
    private let journal: Journal?
    private let settings: TradeSettings
    private let swapKeyError: DexError?

    private typealias Row = DoctorState.Row

    /// - Parameters:
    ///   - nodes: the network's, in the order of use; or the error of a command without nodes.
    ///   - account: nil without an account: its checks are left out.
    ///   - journal: nil if there is none yet, so that none is made.
    ///   - swapKeyError: why the swap API's key cannot be used; nil if it can, or there is none.
    package init(
        session: Session,
        nodes: Result<[any NodeProbe], DexError>,
        account: Address?,
        journal: Journal?,
        settings: TradeSettings,
        swapKeyError: DexError? = nil
    ) {
        self.session = session
        self.nodes = nodes
        self.account = account
        self.journal = journal
        self.settings = settings
        self.swapKeyError = swapKeyError
    }

    /// The rows from `journal` on; a failure is a row, not an error.
    package func rows() async -> [DoctorState.Row] {
        let network = session.network
        let history = JournalCheck(
            chainID: network.chainID,
            now: session.environment.now()
        ).row(journal)
        let swap = SwapCheck(session: session, keyError: swapKeyError)
        async let relay = relayRow()
        async let swapAnswer = swap.answer()
        let probes: [any NodeProbe]
        switch nodes {
        case .success(let known): probes = known
        case .failure(let error):
            return [
                history, .fail(.node, error), await relay,
                await swap.row(after: await swapAnswer, hasNode: false),
            ]
                + skipped("There is no node to ask.")
        }
        let nodes = await nodeRows(probes)
        let quorum = await QuorumCheck(probes: probes, network: network).rows()
        let hasNode = Self.isUsable(nodes)
        let proofs: DoctorState.Row =
            hasNode
            ? await ProofCheck(probes: probes, network: network).row()
            : .skipped(.proofs, "No node of chain \(network.chainID) answers.")
        session.environment.progress("asking the relay")
        let rows =
            [history] + nodes.flatMap { $0 } + quorum + [proofs, await relay]
            + [await swap.row(after: await swapAnswer, hasNode: hasNode)]
            + [
                await PoolCheck(session: session).row(hasNode: hasNode),
                await PrivateNodeCheck(session: session).row(),
            ].compactMap(\.self)
        guard hasNode else {
            return rows + skipped("No node of chain \(network.chainID) answers.")
        }
        session.environment.progress("reading the exchange and the account")
        let ofAccount = await AccountCheck(
            session: session,
            account: account,
            journal: history.mark == .fail ? nil : journal,
            settings: settings
        ).rows()
        guard history.mark == .fail else { return rows + ofAccount }
        return rows
            + ofAccount.map { row in
                guard [.orders, .guards, .transactions].contains(row.check) else { return row }
                return .skipped(row.check, "The journal could not be read.")
            }
    }

    private func skipped(_ reason: String) -> [DoctorState.Row] {
        [.exchange, .ether, .allowances, .orders, .guards, .transactions].map {
            .skipped($0, reason)
        }
    }

    /// The rows of each node, read concurrently.
    private func nodeRows(_ probes: [any NodeProbe]) async -> [[DoctorState.Row]] {
        session.environment.progress(
            probes.count == 1 ? "examining the node" : "examining \(probes.count) nodes"
        )
        return await probes.concurrentMap { [session] probe in
            await NodeCheck(
                probe: probe,
                network: session.network,
                environment: session.environment
            ).rows()
        }
    }

    /// At least one node answers for the right chain.
    private static func isUsable(_ nodes: [[DoctorState.Row]]) -> Bool {
        nodes.joined().contains { $0.check == .chainID && $0.mark == .ok }
    }

    private func relayRow() async -> DoctorState.Row {
        guard let relay = session.relay else {
            if session.network.fork != nil {
                return .skipped(.relay, "A fork has no relay; trades go to the pools.")
            }
            if session.network.isSandbox {
                return .skipped(.relay, "The sandbox is not running.")
            }
            let error = NetworkError.noRelay(network: session.network.name)
            return .warn(.relay, error.message, error.hint ?? "")
        }
        let network = session.network.name
        let finding: RelayProbe.Finding
        do throws(DexError) {
            finding = try await RelayProbe(session: session, account: account).finding(of: relay)
        } catch {
            return .fail(.relay, error)
        }
        switch finding {
        case .serves(let pairs): return .ok(.relay, "\(relayFound(pairs)).")
        case .leftOut(let sentences):
            return .warn(
                .relay,
                sentences.joined(separator: " "),
                "The others are used. Take it out of the list if it stays away: "
                    + "dex config set networks.\(network).relay URL"
            )
        case .empty:
            return .warn(
                .relay,
                "\(relayFound(0)), so nothing can be traded there.",
                "See its page, or name another: dex config set networks.\(network).relay URL"
            )
        case .otherExchange(let pairs, let reason):
            return .warn(
                .relay,
                "\(relayFound(pairs)), but it would not have an order of our exchange: \(reason)",
                "See that it is a relay of the network \(network): dex network list"
            )
        }
    }

    private func relayFound(_ pairs: Int) -> String {
        let name = session.network.relayName ?? "The relay"
        return "\(name) answers and has \(pairs) pair\(pairs == 1 ? "" : "s")"
    }
}
