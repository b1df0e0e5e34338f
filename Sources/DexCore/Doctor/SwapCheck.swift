import Ethereum
import ZeroEx

/// Checks a network's swap API: its key, whether it serves the chain, and the contracts there.
struct SwapCheck {
    let session: Session
    /// Why the key cannot be used; nil if it can, or there is none.
    let keyError: DexError?

    private typealias Row = DoctorState.Row

    /// What the API said.
    enum Answer: Sendable {
        /// Nothing is left to check.
        case ended(DoctorState.Row)
        /// It serves the chain; its contracts are to be checked by these rules.
        case serves(any LiquidityRules)
    }

    /// Asks the API with the key for its chains; no node is asked.
    func answer() async -> Answer {
        let network = session.network
        guard let settings = network.swap else {
            return .ended(.ok(.swap, "The network has no swap API; only its book trades."))
        }
        guard settings.via != .book else {
            return .ended(.ok(.swap, "It is not used: swap.via is book."))
        }
        if network.isSandbox, settings.api.isEmpty {
            return .ended(.skipped(.swap, "The sandbox is not running."))
        }
        if let keyError { return .ended(.fail(.swap, keyError)) }
        guard let swap = session.venue(.swap)?.source else {
            let error = NetworkError.noSwapKey(network: network.name)
            return .ended(.warn(.swap, error.message, error.hint ?? ""))
        }
        let chains: [UInt64]
        do throws(LiquidityError) {
            chains = try await swap.chains()
        } catch {
            return .ended(.fail(.swap, DexError(error)))
        }
        guard chains.contains(network.chainID) else {
            return .ended(
                .warn(
                    .swap,
                    "\(name) takes the key, but does not serve chain \(network.chainID).",
                    "Leave it out: \(leavingOut)"
                )
            )
        }
        return .serves(swap.rules)
    }

    /// The row, after the contracts are read.
    ///
    /// - Parameter hasNode: a node of the chain answers.
    func row(after answer: Answer, hasNode: Bool) async -> DoctorState.Row {
        let rules: any LiquidityRules
        switch answer {
        case .ended(let row): return row
        case .serves(let given): rules = given
        }
        let found = "\(name) serves chain \(session.network.chainID)"
        guard hasNode else {
            return .skipped(.swap, "\(found); without a node its contracts were not checked.")
        }
        do throws(DexError) {
            if let missing = try await missing(rules) {
                return .fail(
                    .swap,
                    "\(found), but there is no contract at \(missing.checksummed), which its "
                        + "trades need.",
                    "Leave it out: \(leavingOut)",
                    .configuration
                )
            }
        } catch {
            return .fail(.swap, error)
        }
        return .ok(.swap, "\(found), and its contracts are there.")
    }

    /// The first contract of the rules or the registry that has no code; nil if all have.
    ///
    /// - Throws: `DexError`: exit 6, `swap-paused`; exit 3 or 4 of the node.
    private func missing(_ rules: any LiquidityRules) async throws(DexError) -> Address? {
        var batch = ReadBatch()
        let head = ChainHead.ask(session, in: &batch)
        let codes = rules.contracts.map { (address: $0, slot: batch.add(.code($0, .latest))) }
        let registry = batch.add(rules.registryCalls, at: .latest)
        let answers = try await batch.send(to: session.chain)
        _ = try answers.value(head)
        for code in codes where try answers.value(code.slot).isEmpty { return code.address }
        var returned: [[UInt8]?] = []
        for slot in registry { returned.append(try answers.returned(slot)) }
        let settlers = try reported(QuoteFault.self, try rules.genuine(answers: returned))
        return try await withoutCode(settlers)
    }

    /// The first of these addresses that has no code.
    private func withoutCode(_ addresses: [Address]) async throws(DexError) -> Address? {
        var batch = ReadBatch()
        let slots = addresses.map { (address: $0, slot: batch.add(.code($0, .latest))) }
        let answers = try await batch.send(to: session.chain)
        for code in slots where try answers.value(code.slot).isEmpty { return code.address }
        return nil
    }

    private var name: String { session.network.swapName ?? "The swap API" }

    private var leavingOut: String {
        "dex config set networks.\(session.network.name).swap.via book"
    }
}
