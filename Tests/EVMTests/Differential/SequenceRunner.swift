import Ethereum
import StrictJSON

/// Runs one sequence on both chains and compares all that can be seen of it.
struct SequenceRunner {
    let world: World
    let sequence: PlannedSequence
    let sandbox: SandboxSide
    let evm: EVMSide
    var report = SequenceReport()
    /// The next nonce of each trader.
    var nonces: [UInt64]

    init(_ sequence: PlannedSequence, in world: World, sandbox: SandboxSide, evm: EVMSide) {
        self.sequence = sequence
        self.world = world
        self.sandbox = sandbox
        self.evm = evm
        nonces = world.traders.map { _ in 0 }
    }

    /// Runs all blocks; the EVM is left as it is then.
    mutating func run() async throws -> SequenceReport {
        for (index, block) in sequence.blocks.enumerated() {
            try await compareCalls(of: block)
            let place = "block \(index + 1)"
            guard try await run(block, place) else { return report }
        }
        try await compareState()
        return report
    }

    /// Asks both the same.
    func both(_ questions: [Question]) async throws -> [(sandbox: Answer, evm: Answer)] {
        let mine = try await sandbox.ask(questions)
        let theirs = try await evm.ask(questions)
        return zip(mine, theirs).map { ($0, $1) }
    }

    // MARK: Blocks

    /// - Returns: false where the chains are too far apart to go on.
    private mutating func run(_ block: PlannedBlock, _ place: String) async throws -> Bool {
        sandbox.setTime(block.timestamp)
        let history = try await sandbox.result(Question("eth_feeHistory", "0x1", "latest", []))
        guard let fee = history["baseFeePerGas"]?.arrayValue?.last?.stringValue,
            let baseFee = UInt256(quantity: fee)
        else { throw ComparisonError(description: "no base fee in \(history.text)") }
        var sent: [SentCall] = []
        for (index, call) in block.calls.enumerated() {
            let name = "\(place), transaction \(index + 1) (\(call.kind))"
            guard let signed = try await sign(call, index: index, baseFee: baseFee, name) else {
                continue
            }
            report.steps.append(describe(signed, name: name))
            let answer = try await both([
                Question("eth_sendRawTransaction", .string(Hex.encode(signed.raw)))
            ])[0]
            guard compareSubmission(answer, "\(name), sending it") else { return false }
            guard let hash = answer.sandbox.result else { continue }
            if call.flaw == nil { nonces[call.sender] += 1 }
            sent.append(SentCall(name: name, call: call, signed: signed, hash: hash))
        }
        try await sandbox.result(Question("evm_mine"))
        _ = try await evm.ask([
            Question("evm_setNextBlockTimestamp", .string(UInt256(block.timestamp).quantity)),
            Question("hardhat_setNextBlockBaseFeePerGas", .string(fee)),
            Question("evm_mine"),
        ])
        let header = try await both([Question("eth_getBlockByNumber", "latest", false)])[0]
        for field in Self.fields {
            report.compare(
                "\(place), \(field)",
                sandbox: header.sandbox.result?[field]?.text,
                evm: header.evm.result?[field]?.text
            )
        }
        let receipts = try await both(
            sent.map { Question("eth_getTransactionReceipt", $0.hash) }
        )
        var same = true
        for (item, receipt) in zip(sent, receipts) {
            same = compareReceipts(receipt, of: item) && same
        }
        return same
    }

    /// The members of a block that both have to make the same.
    private static let fields = [
        "number", "timestamp", "baseFeePerGas", "gasLimit", "gasUsed", "miner", "logsBloom",
        "stateRoot", "transactionsRoot", "receiptsRoot",
    ]

    /// A transaction that a node took.
    struct SentCall {
        let name: String
        let call: PlannedCall
        let signed: SignedTransaction
        let hash: JSONValue
    }

    private mutating func compareSubmission(
        _ answer: (sandbox: Answer, evm: Answer),
        _ place: String
    ) -> Bool {
        if let mine = answer.sandbox.error, let theirs = answer.evm.error {
            report.count("refused")
            report.compare(place, sandbox: mine["code"]?.text, evm: theirs["code"]?.text)
            // What follows the colon tells amounts, of which each node tells others.
            func reason(_ error: JSONValue) -> String {
                String((error["message"]?.stringValue ?? "").prefix { $0 != ":" })
            }
            report.compare(place, sandbox: reason(mine), evm: reason(theirs))
            return true
        }
        report.compare(
            place,
            sandbox: answer.sandbox.result?.text ?? answer.sandbox.json.text,
            evm: answer.evm.result?.text ?? answer.evm.json.text
        )
        return answer.sandbox.error == nil && answer.evm.error == nil
    }

    /// All that is needed to send the transaction elsewhere.
    private func describe(_ signed: SignedTransaction, name: String) -> String {
        let transaction = signed.transaction
        let warm = transaction.accessList.map(\.address.lowercaseHex).joined(separator: " ")
        return """
            \(name): from \(signed.sender) to \(transaction.to?.lowercaseHex ?? "nobody") with \
            \(transaction.value.rawValue) wei, gas limit \(transaction.gasLimit), \
            warm [\(warm)], data \(Hex.encode(transaction.data)), \
            raw \(Hex.encode(signed.raw))
            """
    }
}
