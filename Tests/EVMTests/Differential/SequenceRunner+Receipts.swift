import Ethereum
import StrictJSON
import ZeroEx

extension SequenceRunner {
    /// Compares two receipts.
    ///
    /// - Returns: false where one succeeded and the other did not.
    mutating func compareReceipts(
        _ receipt: (sandbox: Answer, evm: Answer),
        of sent: SentCall
    ) -> Bool {
        guard let mine = receipt.sandbox.result, let theirs = receipt.evm.result,
            mine != .null, theirs != .null
        else {
            report.compare(
                "\(sent.name), receipt",
                sandbox: receipt.sandbox.json.text,
                evm: receipt.evm.json.text
            )
            return false
        }
        compare(mine, theirs, except: ["blockHash", "logs"], sent)
        compareLogs(mine, theirs, sent)
        countOutcome(mine, sent)
        return mine["status"] == theirs["status"]
    }

    /// Compares each member of two objects that either has.
    private mutating func compare(
        _ mine: JSONValue,
        _ theirs: JSONValue,
        except: Set<String>,
        _ sent: SentCall
    ) {
        let keys = [mine, theirs].flatMap { $0.objectValue?.members.map(\.key) ?? [] }
        for key in Set(keys).subtracting(except).sorted() {
            report.compare(
                "\(sent.name), \(key)",
                sandbox: mine[key]?.text,
                evm: theirs[key]?.text
            )
        }
    }

    private mutating func compareLogs(
        _ mine: JSONValue,
        _ theirs: JSONValue,
        _ sent: SentCall
    ) {
        let logs = (mine["logs"]?.arrayValue ?? [], theirs["logs"]?.arrayValue ?? [])
        report.compare("\(sent.name), number of logs", sandbox: logs.0.count, evm: logs.1.count)
        for (left, right) in zip(logs.0, logs.1) {
            // The time of the block is beside each log here, as in geth since 2025.
            compare(left, right, except: ["blockHash", "blockTimestamp"], sent)
            count(left)
        }
    }

    private mutating func count(_ log: JSONValue) {
        let topics = log["topics"]?.arrayValue?.compactMap(\.stringValue) ?? []
        switch topics.first {
        case Self.fill: report.count("LogFill")
        case Self.cancel: report.count("LogCancel")
        case Self.error: report.count("LogError \(topics[1].suffix(1))")
        case let topic: report.count(topic.flatMap { Self.native[$0] } ?? "token's log")
        }
    }

    private static let fill = topic(
        "LogFill(address,address,address,address,address,uint256,uint256,uint256,uint256,bytes32,"
            + "bytes32)"
    )
    private static let cancel = topic(
        "LogCancel(address,address,address,address,uint256,uint256,bytes32,bytes32)"
    )
    private static let error = topic("LogError(uint8,bytes32)")
    /// The events of v4 by their topics.
    private static let native = Dictionary(
        uniqueKeysWithValues: ExchangeLogV4.Kind.allCases.map { ($0.topic.hex, "\($0)") }
    )

    private static func topic(_ signature: String) -> String {
        Keccak256.hash(signature.utf8).hex
    }

    private mutating func countOutcome(_ receipt: JSONValue, _ sent: SentCall) {
        let limit = sent.signed.transaction.gasLimit
        guard let used = quantity(receipt["gasUsed"])?.uint64 else { return }
        // Where an inner call runs out of gas a 64th of it stays (EIP-150), for a revert to return.
        var kept: UInt64 = 0
        if case .short = sent.call.gas { kept = limit / 64 }
        var outcome = "succeeded"
        if receipt["status"] != "0x1" { outcome = used + kept >= limit ? "burnt" : "reverted" }
        report.count(outcome)
        report.count("\(sent.call.kind) \(outcome)")
        if case .short = sent.call.gas { report.count("too little gas, \(outcome)") }
    }

    private func quantity(_ json: JSONValue?) -> UInt256? {
        json?.stringValue.flatMap { UInt256(quantity: $0) }
    }
}
