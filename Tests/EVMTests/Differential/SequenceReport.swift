import Ethereum

/// What running one sequence on both chains found.
struct SequenceReport: Sendable {
    /// In words; none where the chains did the same.
    var differences: [String] = []
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
