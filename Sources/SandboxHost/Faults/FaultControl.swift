import DexSandbox
import Ethereum
import HTTPServing
import HTTPTypes
import NIOCore
import StrictJSON

/// Sets a sandbox's faults by JSON-RPC at its node, and triggers those of the chain.
struct FaultControl: Sendable {
    let chain: SandboxChain
    let board: FaultRegistry
    let rival: Frontrunner
    let fees: FeeSpike
    let mover: PoolMover
    /// What `sandbox_followers` answers.
    let followers: @Sendable () async -> JSONValue

    init(
        chain: SandboxChain,
        board: FaultRegistry,
        accounts: SandboxAccounts,
        venues: [SandboxDeployment],
        chainID: UInt64,
        followers: @escaping @Sendable () async -> JSONValue
    ) {
        self.chain = chain
        self.board = board
        rival = Frontrunner(
            chain: chain,
            accounts: accounts,
            venues: venues,
            chainID: chainID
        )
        fees = FeeSpike(chain: chain)
        mover = PoolMover(chain: chain, signer: accounts.moverSigner, chainID: chainID)
        self.followers = followers
    }

    /// The maximum bytes of a request that sets a fault.
    private static let maximumRequest = 8_192

    // MARK: Requests

    /// Answers a request of the `sandbox_` methods; nil for any other.
    ///
    /// Only a program of this machine may steer the sandbox.
    func answer(_ request: Request, _ body: ByteBuffer) async throws -> Response? {
        guard body.readableBytes <= Self.maximumRequest, Self.mayBeOurs(body),
            let json = try? JSONParser.parse(Array(body.readableBytesView)),  // nil: not a fault
            let method = json["method"]?.stringValue, method.hasPrefix("sandbox_")
        else { return nil }
        var reply = JSONObject()
        reply["jsonrpc"] = "2.0"
        reply["id"] = json["id"] ?? .null
        do {
            guard request.channel?.isFromThisMachine == true else {
                throw FaultError(message: "Only programs of the sandbox's machine steer it.")
            }
            reply["result"] = try await perform(method, json["params"]?.arrayValue?.first)
        } catch let error as FaultError {
            reply["error"] = ["code": -32602, "message": .string(error.message)]
        } catch let error as SandboxError {
            reply["error"] = ["code": -32603, "message": .string(error.description)]
        }
        return Response(json: ByteBuffer(bytes: JSONValue.object(reply).utf8))
    }

    /// Every request of the node passes here, so the check does not even copy it.
    private static func mayBeOurs(_ body: ByteBuffer) -> Bool {
        body.withUnsafeReadableBytes { bytes in
            var rest = bytes[...]
            // Each method name contains one, and little else does.
            while let place = rest.firstIndex(of: UInt8(ascii: "_")) {
                if bytes[..<place].suffix(8).elementsEqual("\"sandbox".utf8) { return true }
                rest = bytes[(place + 1)...]
            }
            return false
        }
    }

    private func perform(_ method: String, _ parameter: JSONValue?) async throws -> JSONValue {
        let parameter = parameter ?? [:]
        switch method {
        case "sandbox_faults": break
        case "sandbox_followers": return await followers()
        case "sandbox_setFault":
            let fault = try SandboxFault(parameter)
            let servers = try servers(parameter, fault)
            if fault.name == .collision, rival.accounts.all.isEmpty {
                throw FaultError(
                    message: "A collision needs the named accounts, and this sandbox has none."
                )
            }
            if case .quote(let misquote) = fault {
                try await setRegistry(isPaused: misquote.kind.isOfRegistry)
            }
            if case .pools(let kind) = fault, try await strike(pools: kind) { break }
            for server in servers { board.set(fault, of: server) }
            if case .wrongChain(let id) = fault { await chain.claim(chainID: id) }
        case "sandbox_clearFaults": return try await clear(parameter)
        case "sandbox_reorg": return try await reorganize(parameter)
        default: throw FaultError(message: "There is no method \(method.prefix(64)).")
        }
        return await listing()
    }

    private func servers(
        _ parameter: JSONValue,
        _ fault: SandboxFault
    ) throws(FaultError) -> [SandboxServer] {
        if fault.name.isOfChain { return [.node] }
        if fault.name == .quote { return [.swap] }
        return try parameter.choices("of", isList: true)
    }

    /// The active faults and the state of the chain.
    private func listing() async -> JSONValue {
        [
            "faults": .array(board.all.map(\.json)),
            "block": .integer(await chain.latestBlock.number),
            "baseFee": .string(String(await chain.baseFeeOfNextBlock)),
            "waiting": .array(await chain.waiting.map { .string($0.hex) }),
        ]
    }

    private func clear(_ parameter: JSONValue) async throws -> JSONValue {
        var names: Set<SandboxFault.Name>?
        if let list = parameter["faults"]?.arrayValue {
            names = list.isEmpty ? [] : Set(try parameter.choices("faults", isList: true))
        }
        let cleared = board.clear(names)
        if cleared.contains(where: { $0.fault.name == .wrongChain }) {
            await chain.claim(chainID: nil)
        }
        if names?.contains(.pools) ?? true { try await endPoolFaults() }
        if names?.contains(.quote) ?? true { try await setRegistry(isPaused: false) }
        if names?.contains(.stuck) ?? true {
            await fees.end()
            try await chain.mineWhatCanRun()
        }
        guard case .object(var object) = await listing() else { return .null }
        object["cleared"] = .array(cleared.map(\.json))
        return .object(object)
    }

    /// Pauses the registry of the Settlers, or resumes it.
    func setRegistry(isPaused: Bool) async throws(SandboxError) {
        let wasPaused = await chain.swapRegistry?.isPaused ?? false
        guard wasPaused != isPaused else { return }
        try await chain.setSwapPaused(isPaused)
    }

    private func reorganize(_ parameter: JSONValue) async throws -> JSONValue {
        guard let count = parameter["blocks"]?.numberText.flatMap(UInt64.init),
            let fate = parameter["transactions"]?.stringValue
                .flatMap(ReplacedTransactions.init)
        else {
            throw FaultError(
                message:
                    "A reorganization takes \"blocks\", a number, and \"transactions\": pool, gone or "
                    + "mined."
            )
        }
        let done = try await chain.reorganize(blocks: count, transactions: fate)
        // Pauses and their ends are blocks, too.
        try await setRegistry(isPaused: board.pausesRegistry)
        try await setTransferFee(board.poolFault == .fee)
        return [
            "fork": .integer(done.fork),
            "block": .integer(max(done.head, await chain.latestBlock.number)),
            "replaced": .integer(done.replaced),
            "transactions": .array(
                done.transactions.map {
                    [
                        "hash": .string($0.hash.hex), "block": .integer($0.block),
                        "now": .string($0.fate.rawValue),
                    ]
                }
            ),
        ]
    }

    // MARK: Transactions

    /// Triggers a collision or a rise of the base fee right before a transaction arrives.
    func watch(_ request: Request, _ body: ByteBuffer) async throws {
        guard board.isArmed(.collision) || board.isArmed(.stuck) else { return }
        let json = (try? JSONParser.parse(Array(body.readableBytesView))) ?? .null  // not JSON
        for call in json.arrayValue ?? [json]
        where call["method"]?.stringValue == "eth_sendRawTransaction" {
            guard let text = call["params"]?.arrayValue?.first?.stringValue,
                let raw = Hex.bytes(text),
                // nil: the node refuses it
                let signed = try? SignedTransaction(raw: raw, recoverer: rival.recoverer)
            else { continue }
            if board.isArmed(.collision), await rival.fills(before: signed) {
                board.strike(.collision)
            }
            if board.isArmed(.stuck) {
                await fees.rise(above: signed.transaction.maximumGasPrice)
                board.strike(.stuck)
            }
        }
    }
}

/// Raises the base fee above a transaction's maximum, and restores it.
actor FeeSpike {
    private let chain: SandboxChain
    private var before: UInt64?

    init(chain: SandboxChain) {
        self.chain = chain
    }

    /// Sets twice the transaction's maximum price; the fee then falls with each block as usual.
    func rise(above price: Wei) async {
        let usual = await chain.baseFeeOfNextBlock
        if before == nil { before = usual }
        // Prices are below 2^64, or the pool refuses them.
        let (double, overflow) = (price.rawValue.uint64 ?? .max)
            .multipliedReportingOverflow(by: 2)
        await chain.setNextBaseFee(max(usual, overflow ? .max : double))
    }

    /// Restores the next block's base fee from before the first rise.
    func end() async {
        guard let before else { return }
        await chain.setNextBaseFee(before)
        self.before = nil
    }
}
