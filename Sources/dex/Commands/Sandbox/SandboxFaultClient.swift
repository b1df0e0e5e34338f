import DexCore
import DexTerminal
import Ethereum
import SandboxHost
import StrictJSON

/// Controls the faults of the running sandbox.
struct SandboxFaultClient {
    private let state: SandboxState
    private let isDryRun: Bool

    /// - Throws: `DexError`, exit 4, if no sandbox runs.
    init(_ context: CommandContext) async throws {
        let folder = try context.sandboxFolder()
        guard let state = try await SandboxStop.running(in: folder) else {
            throw SandboxUseError.notRunning(so: "there is nothing to go wrong")
        }
        guard state.leader == nil else { throw SandboxUseError.isCopy }
        guard state.fork == nil else { throw SandboxUseError.isFork(lacks: "faults") }
        self.state = state
        isDryRun = context.options.isDryRun
    }

    /// Calls a method of the sandbox's node.
    ///
    /// - Throws: `DexError`: exit 2 if it refuses, 4 if it does not answer.
    func call(_ method: String, _ parameter: JSONValue = [:]) async throws -> JSONValue {
        try await SandboxNode(url: state.rpc).call(method, parameter)
    }

    /// The active faults, with `--dry-run` unchanged.
    func unchanged() async throws -> CommandReport {
        let data = try await call("sandbox_faults")
        let list = try FaultText.list(data)
        return CommandReport(exit: .dryRun, status: .dryRun, data: data) {
            FaultView(list, news: ["Nothing was changed."]).lines($0)
        }
    }

    /// Turns a fault on and reports the active faults.
    ///
    /// - Parameter servers: none for a fault of the chain, or of quotes.
    func report(
        setting fault: SandboxFault,
        of servers: [SandboxServer] = [],
        news: String
    ) async throws -> CommandReport {
        if isDryRun { return try await unchanged() }
        var parameter = fault.members
        parameter["of"] = .array(servers.map { .string($0.rawValue) })
        let data = try await call("sandbox_setFault", .object(parameter))
        let list = try FaultText.list(data)
        return CommandReport(data: data) { FaultView(list, news: [news]).lines($0) }
    }
}

/// Faults in words.
enum FaultText {
    /// The active faults from the node's answer.
    ///
    /// - Throws: `DexError`, exit 4, if it is unreadable.
    static func list(_ data: JSONValue) throws(DexError) -> FaultList {
        guard let entries = data["faults"]?.arrayValue,
            let block = data["block"]?.numberText.flatMap({ UInt64($0) }),
            let fee = data["baseFee"]?.stringValue.flatMap({ UInt64($0) })
        else { throw unreadable }
        var rows: [FaultList.Row] = []
        for entry in entries { rows.append(try row(entry)) }
        return FaultList(
            rows: rows,
            block: block,
            baseFee: Wei(UInt256(fee)),
            waiting: (data["waiting"]?.arrayValue ?? []).compactMap {
                $0.stringValue.flatMap(TransactionHash.init(ifHex:))
            }
        )
    }

    /// A reorganization from the node's answer.
    ///
    /// - Throws: `DexError`, exit 4, if it is unreadable.
    static func reorganization(_ data: JSONValue) throws(DexError) -> ReorganizationState {
        func number(_ value: JSONValue?) throws(DexError) -> UInt64 {
            guard let number = value?.numberText.flatMap({ UInt64($0) }) else { throw unreadable }
            return number
        }
        var transactions: [ReorganizationState.Transaction] = []
        for item in data["transactions"]?.arrayValue ?? [] {
            guard let text = item["hash"]?.stringValue, let now = item["now"]?.stringValue,
                let hash = TransactionHash(ifHex: text)
            else { throw unreadable }
            transactions.append(.init(hash: hash, block: try number(item["block"]), now: now))
        }
        return ReorganizationState(
            fork: try number(data["fork"]),
            block: try number(data["block"]),
            replaced: try number(data["replaced"]),
            transactions: transactions
        )
    }

    private static func row(_ json: JSONValue) throws(DexError) -> FaultList.Row {
        let fault: SandboxFault
        do throws(FaultError) {
            fault = try SandboxFault(json)
        } catch {
            throw unreadable
        }
        let requests = json["requests"]?.numberText.flatMap { UInt64($0) } ?? 0
        let hits = json["hits"]?.numberText.flatMap { UInt64($0) } ?? 0
        let struck: String
        var isOfChain = fault.name.isOfChain
        switch fault {
        case .collision(let times), .stuck(let times): struck = "\(hits) of \(times)"
        case .quote(let misquote) where misquote.kind == .paused:
            isOfChain = true
            struck = ""
        case .quote(let misquote): struck = "\(hits) of \(misquote.times ?? requests)"
        case .wrongChain, .pools: struck = ""
        case .flaky, .slow, .down, .hang: struck = "\(hits) of \(requests)"
        }
        return FaultList.Row(
            name: fault.name.rawValue,
            server: isOfChain ? "chain" : json["of"]?.stringValue ?? "",
            effect: effect(of: fault),
            struck: struck
        )
    }

    /// A few words for a table.
    private static func effect(of fault: SandboxFault) -> String {
        switch fault {
        case .collision: "a fill's first order is taken before it"
        case .stuck: "the base fee rises above what is paid"
        case .flaky(let flakiness):
            "\(flakiness.share) % fail: "
                + flakiness.kinds.map(\.rawValue).joined(separator: ", ")
        case .slow(let milliseconds): "answers \(seconds(milliseconds)) later"
        case .down: "closes connections without an answer"
        case .hang: "never answers"
        case .wrongChain(let id): "says that it is chain \(id)"
        case .quote(let misquote): effect(of: misquote.kind)
        case .pools(let kind): effect(of: kind)
        }
    }

    /// `500 ms`, `2 s`.
    static func seconds(_ milliseconds: UInt64) -> String {
        milliseconds.isMultiple(of: 1_000) ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
    }

    /// `node and relay`.
    static func names(_ servers: [SandboxServer]) -> String {
        servers.map(\.noun).joined(separator: " and ")
    }

    private static let unreadable = SandboxUseError.unreadableFaults
}
