package import Ethereum
import ZeroEx

/// Checks one node: its answers, chain, latest block and methods.
package struct NodeCheck {
    private let probe: any NodeProbe
    private let network: Network
    private let environment: Environment
    private let command: String
    private let ownWords: String?
    private let readsByHash: Bool

    private typealias Row = DoctorState.Row

    /// Calls in one request that every current node accepts.
    static let batch = 100
    /// Blocks in one log request, then fewer if the node refuses.
    static let logRanges: [UInt64] = [1_000, 10]
    /// A latest block that is so many times older than a fresh one is a failure.
    static let maximumLate: UInt64 = 10

    /// - Parameters:
    ///   - command: the command that checks again.
    ///   - otherNode: how another node is named; nil for the options and settings of `dex`.
    ///   - readsByHash: it must answer at a block that is named by its hash, as relays ask.
    package init(
        probe: any NodeProbe,
        network: Network,
        environment: Environment,
        command: String = "dex doctor",
        otherNode: String? = nil,
        readsByHash: Bool = false
    ) {
        self.probe = probe
        self.network = network
        self.environment = environment
        self.command = command
        ownWords = otherNode
        self.readsByHash = readsByHash
    }

    private var name: String { probe.name }
    private var otherNode: String {
        if let ownWords { return ownWords }
        return network.isSandbox
            ? "End what lets it fail: dex sandbox fault clear\n"
                + "Another node than the sandbox's comes from --rpc or DEX_RPC_URL."
            : "Use another node: --rpc URL\n"
                + "For good: dex config set networks.\(network.name).rpc URL"
    }

    /// The rows, the node's own first; the others only if it has the right chain.
    package func rows() async -> [DoctorState.Row] {
        let (reported, first) = await probe.ask(.chainID)
        let chainID: UInt64
        do {
            chainID = try reported.get()
        } catch {
            let error = DexError(error)
            let found = "\(error.message) Nothing else of it was looked at."
            return [.fail(.node, node: name, found, error.hint ?? ownWords, error.kind)]
        }
        guard chainID == network.chainID else {
            let error = NetworkError.wrongChain(node: chainID, network)
            let found = "\(error.message) Nothing else of it was looked at."
            return [
                answering([first]), .fail(.chainID, node: name, found, otherNode, error.kind),
            ]
        }
        async let asking = probe.ask(.latestBlock)
        async let syncing = probe.ask(.syncing)
        async let batching = batches()
        let (block, head) = await asking
        async let hashing = readsByHash ? [atHash(of: try? block.get())] : []  // nil: see `sync`
        async let logging = logs(to: try? block.get())  // nil: see `sync`
        let (missing, state) = await syncing
        let batches = await batching
        let logs = await logging
        let hashes = await hashing
        let clock = await MachineClockCheck(probe: probe, environment: environment)
            .row(after: [first, head, state])
        return [
            answering([first, head, state]),
            .ok(.chainID, node: name, "It is on chain \(chainID)."),
            sync(block, at: head.received / 1_000, missing: missing), clock, batches, logs,
        ] + hashes
    }

    /// The fastest single answer: the first one includes the connection.
    private func answering(_ answers: [NodeProbeAnswer]) -> DoctorState.Row {
        let quickest = answers.filter { (try? $0.results.get()) != nil }  // failures have own rows
            .map { $0.received - min($0.sent, $0.received) }.min()
        return .ok(.node, node: name, "\(name) answers in \(quickest ?? 0) ms.")
    }

    private func sync(
        _ head: Result<Block, ChainError>,
        at now: UInt64,
        missing: Result<UInt64, ChainError>
    ) -> DoctorState.Row {
        let block: Block
        do {
            block = try head.get()
        } catch {
            return failed(.sync, error)
        }
        var lacking: UInt64 = 0
        do {
            lacking = try missing.get()
        } catch {
            // Some nodes lack the method: then only the age of the head counts.
            guard error.isMethodMissing else { return failed(.sync, error) }
        }
        guard lacking == 0 else {
            return .fail(
                .sync,
                node: name,
                "It is still catching up: about \(lacking) blocks are missing behind block "
                    + "\(block.number).",
                "Wait until it is done.\n\(otherNode)",
                .unreachable
            )
        }
        if network.isSandbox {
            // It mines a block only for a transaction.
            return .ok(.sync, node: name, "It is at block \(block.number).")
        }
        let (age, isAhead) = now.subtractingReportingOverflow(block.timestamp)
        if isAhead {
            let ahead = block.timestamp - now
            guard ahead > MachineClockCheck.failure else {
                return .ok(.sync, node: name, "It is at block \(block.number), seconds old.")
            }
            return .fail(
                .sync,
                node: name,
                "Its latest block, \(block.number), is \(ahead) s in the future by this machine's "
                    + "clock.",
                "Let the network set this machine's clock: timedatectl set-ntp true\n\(otherNode)",
                .unreachable
            )
        }
        let found = "Its latest block, \(block.number), is \(age) s old"
        let late = age / max(1, network.freshness)
        if late >= Self.maximumLate {
            return .fail(
                .sync,
                node: name,
                "\(found), and a block comes every \(network.blockSpan): it stands still or is "
                    + "far behind.",
                "Wait until it is done.\n\(otherNode)",
                .unreachable
            )
        }
        guard late < 1 else {
            return .warn(
                .sync,
                node: name,
                "\(found), and a block comes every \(network.blockSpan).",
                "Look again in a minute: \(command)\n\(otherNode)"
            )
        }
        return .ok(.sync, node: name, "\(found).")
    }

    private func batches() async -> DoctorState.Row {
        var batch = ReadBatch()
        let slots = (0..<Self.batch).map { _ in batch.add(.chainID) }
        let many = await probe.ask(batch)
        if case .success(let answers) = many,
            slots.allSatisfy({ (try? answers[$0].get()) == network.chainID })  // a failure is none
        {
            return .ok(.batches, node: name, "It answers \(Self.batch) questions in one request.")
        }
        var pair = ReadBatch()
        _ = pair.add(.chainID)
        _ = pair.add(.blockNumber)
        let few = await probe.ask(pair)
        if case .success(let answers) = few, answers.failures.isEmpty {
            return .warn(
                .batches,
                node: name,
                "It refuses \(Self.batch) questions in one request\(Self.reason(many)) and takes "
                    + "fewer: large books take longer.",
                otherNode
            )
        }
        return .warn(
            .batches,
            node: name,
            "It takes only one question in a request\(Self.reason(few)): everything takes longer.",
            otherNode
        )
    }

    private func logs(to block: Block?) async -> DoctorState.Row {
        guard let head = block?.number else {
            return .skipped(.logs, node: name, "The node has no latest block.")
        }
        var last: ChainError?
        for (index, range) in Self.logRanges.enumerated() {
            let first = head - min(head, range - 1)
            let filter = LogFilter(
                fromBlock: .number(first),
                toBlock: .number(head),
                addresses: [network.exchange]
            )
            do {
                _ = try await probe.ask(.logs(filter)).value.get()
                guard index > 0 else {
                    return .ok(
                        .logs,
                        node: name,
                        "It returns the events of \(range) blocks at once."
                    )
                }
                return .warn(
                    .logs,
                    node: name,
                    "It returns the events of no more than some blocks at once"
                        + "\(Self.reason(last)): watching and histories take longer.",
                    otherNode
                )
            } catch {
                last = error
            }
        }
        return .fail(
            .logs,
            node: name,
            "It returns no events\(Self.reason(last)): nothing can be watched or found again.",
            otherNode,
            .unreachable
        )
    }

    /// Logs and a call at the hash of the latest block, or of a later one if that is gone again.
    private func atHash(of block: Block?) async -> DoctorState.Row {
        guard let block else {
            return .skipped(.blockHash, node: name, "The node has no latest block.")
        }
        var first = block
        for isLast in [false, true] {
            let (logs, call) = await read(atHash: first.hash)
            let missing = [logs, call].contains {
                if case .missingBlock? = $0 { true } else { false }
            }
            // nil: told below, with the first block's answers.
            if missing, !isLast, let next = try? await probe.ask(.latestBlock).value.get(),
                next.hash != first.hash
            {
                first = next
                continue
            }
            let refused = [
                logs.map { "logs (EIP-234, eth_getLogs with blockHash)\(Self.reason($0))" },
                call.map { "calls (EIP-1898, eth_call at a blockHash)\(Self.reason($0))" },
            ].compactMap { $0 }
            guard !refused.isEmpty else {
                return .ok(.blockHash, node: name, "It answers at a block's hash.")
            }
            return .fail(
                .blockHash,
                node: name,
                "At a block's hash it refuses \(refused.joined(separator: " and ")): the relay "
                    + "could not follow the chain.",
                otherNode,
                .unreachable
            )
        }
        return .skipped(.blockHash, node: name, "The node has no latest block.")
    }

    /// What refuses logs and a call at a block; nil for each that is answered.
    private func read(atHash hash: BlockHash) async -> (logs: ChainError?, call: ChainError?) {
        let filter = LogFilter(block: hash, addresses: [network.exchange], topics: [])
        let calls = Protocols.implementation(of: network).contractCalls(exchange: network.exchange)
        let request = calls.first ?? CallRequest(to: network.exchange, data: [])
        async let logging = probe.ask(.logs(filter))
        async let calling = probe.ask(.call(request, .hash(hash)))
        var refusals: (logs: ChainError?, call: ChainError?)
        if case .failure(let error) = await logging.value { refusals.logs = error }
        switch await calling.value {
        // The contract's refusal: the node did run it.
        case .success, .failure(.reverted): break
        case .failure(let error): refusals.call = error
        }
        return refusals
    }

    // MARK: Answers

    private func failed(_ check: DoctorState.Check, _ error: ChainError) -> DoctorState.Row {
        let error = DexError(error)
        return .fail(check, node: name, error.message, error.hint ?? ownWords, error.kind)
    }

    /// ` (its words)`, if it gave a reason.
    private static func reason(_ answers: Result<ReadAnswers, ChainError>) -> String {
        guard case .failure(let error) = answers else { return "" }
        return reason(error)
    }

    private static func reason(_ error: ChainError?) -> String {
        let words = error?.reason ?? ""
        return words.isEmpty ? "" : " (\(PlainText.clean(words, limit: 400)))"
    }
}
