import Ethereum

/// What running one sequence on both chains found.
struct SequenceReport: Sendable {
    /// In words; none where the chains did the same.
    var differences: [String] = []
    var gas: [GasSample] = []
    /// The transactions in their order, so that a failure can be repeated elsewhere.
    var steps: [String] = []
    /// How often what happened, so that a test sees what it has tested.
    var tally: [String: Int] = [:]

    mutating func count(_ what: String) {
        tally[what, default: 0] += 1
    }

    /// Notes a difference unless the values are the same.
    mutating func compare<Value: Equatable>(
        _ what: @autoclosure () -> String,
        sandbox: Value,
        evm: Value
    ) {
        guard sandbox != evm else { return }
        differences.append("\(what()): the sandbox has \(sandbox), the EVM \(evm)")
    }
}

/// The gas of one call on both chains.
struct GasSample: Sendable {
    let kind: String
    let sandbox: UInt64
    let evm: UInt64

    /// The sandbox's gas as thousandths of the EVM's.
    var permille: UInt64 { sandbox * 1_000 / max(evm, 1) }

    /// The two are at most 15 % of the EVM's apart.
    var isClose: Bool {
        let distance = sandbox > evm ? sandbox - evm : evm - sandbox
        return distance * 100 <= evm * 15
    }

    /// A sample of a call.
    init(_ call: PlannedCall, sandbox: UInt64, evm: UInt64, suffix: String) {
        kind = call.kind + (call.isCut ? ", cut" : "") + suffix
        self.sandbox = sandbox
        self.evm = evm
    }
}

/// The least and the greatest ratio of each kind of call.
struct GasTable: Sendable {
    /// A ratio in thousandths, and the sequence that it was seen in.
    struct Extreme: Sendable {
        let permille: UInt64
        let seed: UInt64
    }

    struct Row: Sendable {
        var count = 0
        var sum: UInt64 = 0
        var least: Extreme
        var most: Extreme

        init(_ extreme: Extreme) {
            least = extreme
            most = extreme
        }

        mutating func merge(_ other: Row) {
            count += other.count
            sum += other.sum
            if other.least.permille < least.permille { least = other.least }
            if other.most.permille > most.permille { most = other.most }
        }
    }

    private(set) var rows: [String: Row] = [:]

    mutating func add(_ samples: [GasSample], seed: UInt64) {
        for sample in samples {
            var row = Row(Extreme(permille: sample.permille, seed: seed))
            row.count = 1
            row.sum = sample.permille
            add(row, kind: sample.kind)
        }
    }

    mutating func merge(_ other: GasTable) {
        for (kind, row) in other.rows { add(row, kind: kind) }
    }

    private mutating func add(_ row: Row, kind: String) {
        if rows[kind]?.merge(row) == nil { rows[kind] = row }
    }

    /// A line for each kind: how many, sandbox / EVM at least, on average and at most, and the
    /// seeds of the least and the most.
    var text: String {
        func ratio(_ permille: UInt64) -> String {
            let digits = String(permille % 1_000)
            let zeros = String(repeating: "0", count: 3 - digits.count)
            return "\(permille / 1_000).\(zeros)\(digits)"
        }
        let width = rows.keys.map(\.count).max() ?? 0
        let lines = rows.sorted { $0.key < $1.key }.map { kind, row in
            let name = kind + String(repeating: " ", count: width - kind.count)
            let count = String(row.count)
            return """
                \(name) \(String(repeating: " ", count: max(0, 6 - count.count)))\(count)  \
                \(ratio(row.least.permille))  \(ratio(row.sum / UInt64(row.count)))  \
                \(ratio(row.most.permille))  (\(row.least.seed), \(row.most.seed))
                """
        }
        return lines.joined(separator: "\n")
    }
}
