package import Ethereum

/// One transaction that a plan will send.
package struct PlannedTransaction: Sendable {
    package let purpose: TransactionPurpose
    /// What it does, in words.
    ///
    /// `approve 1.5 WETH to the transfer contract 0x…`
    package let summary: String
    package let gasLimit: UInt64
}

extension PlannedTransaction {
    /// A call as a plan shows it.
    init(_ call: PlannedCall, gasLimit: UInt64) {
        self.init(purpose: call.purpose, summary: call.summary, gasLimit: gasLimit)
    }
}

/// What a transaction is for.
package enum TransactionPurpose: String, Sendable {
    case approve
    case resetAllowance = "reset-allowance"
    case fill
    case cancel
    case send
    case wrap
    case unwrap
    /// A call of any contract.
    case transact
    /// Nothing, in place of a transaction that is not wanted any more.
    case cancelTransaction = "void-nonce"

    /// In a sentence: `an earlier fill`.
    var noun: String {
        switch self {
        case .transact: "call of a contract"
        case .cancelTransaction: "empty transaction"
        case .approve, .resetAllowance, .fill, .cancel, .send, .wrap, .unwrap: rawValue
        }
    }

    /// What it lets happen comes behind it.
    var isApproval: Bool {
        switch self {
        case .approve, .resetAllowance: true
        case .fill, .send, .wrap, .unwrap, .transact, .cancel, .cancelTransaction: false
        }
    }

    /// Whoever repeats it by mistake moves money twice.
    var movesMoney: Bool {
        switch self {
        case .fill, .send, .wrap, .unwrap, .transact: true
        case .approve, .resetAllowance, .cancel, .cancelTransaction: false
        }
    }
}

/// What the transactions of a plan may cost.
package struct GasPlan: Sendable {
    package let limit: UInt64
    package let maxFeePerGas: Wei
    /// nil on a chain without a base fee.
    package let maxPriorityFeePerGas: Wei?
    /// limit x maxFeePerGas over all steps.
    package let maxCost: Wei
    /// What so much gas costs at present prices; what is not used costs nothing.
    package let presentCost: Wei
    /// What the tip goes by; nil on a chain without a base fee.
    package let priority: FeePriority?
    /// The fee was cut to the settings' cap.
    package let isCapped: Bool
    /// The most ether that goes along as the exchange's own fee, which goes by the price of gas;
    /// what is not needed comes back.
    package var protocolFee = Wei.zero
    /// What to tell of the price.
    var warnings: [String] = []
}

/// A transaction that was sent and what is known of it.
package struct SentTransaction: Hashable, Sendable {
    package enum Status: String, Sendable {
        case pending
        case mined
        case reverted
        case replaced
        case dropped

        /// How a command ends whose last transaction ended so.
        var exit: ExitCode {
            switch self {
            case .pending: .notMinedYet
            case .replaced, .dropped: .replacedOrDropped
            case .reverted: .reverted
            case .mined: .done
            }
        }
    }

    package let purpose: TransactionPurpose
    package let hash: TransactionHash
    package let status: Status
    /// Also of a pending one where it is in a block that lacks confirmations.
    package let block: UInt64?
    package let gasUsed: UInt64?
    /// gasUsed x price; nil while pending.
    package let cost: Wei?
    /// Why a pending one waits, or a reverted one failed, where that is known; a sentence.
    package var reason: String?
}

extension SentTransaction {
    /// One that is on its way.
    static func pending(_ purpose: TransactionPurpose, _ hash: TransactionHash) -> Self {
        Self(purpose: purpose, hash: hash, status: .pending, block: nil, gasUsed: nil, cost: nil)
    }

    /// What to tell of one that did not get through, as a sentence.
    ///
    /// - Parameters:
    ///   - subject: what it is called: `the transfer`.
    ///   - nothing: what did not happen: `nothing was moved`.
    ///   - confirmations: as many as were asked for.
    func ending(_ subject: String, nothing: String, confirmations: UInt64) -> String {
        let start = subject.prefix(1).uppercased() + subject.dropFirst()
        return switch status {
        case .reverted:
            "\(start) was mined and reverted: \(nothing)." + (reason.map { " \($0)" } ?? "")
        case .replaced: "Another transaction with the same nonce was mined: \(nothing)."
        case .dropped: "The node no longer knows \(subject); it is in the journal."
        case .pending, .mined: pendingWords(start, confirmations: confirmations)
        }
    }

    /// Why a pending transaction is not done, and how to follow it.
    ///
    /// - Parameter confirmations: as many as were asked for.
    func pendingWords(_ subject: String, confirmations: UInt64) -> String {
        guard let block else {
            return "\(subject) is not mined yet: follow it with `dex status \(hash) --wait`."
                + (reason.map { " \($0)" } ?? "")
        }
        let count = confirmations > 1 ? "its \(confirmations) confirmations" : "its confirmation"
        let flag = confirmations > 1 ? " --confirmations \(confirmations)" : ""
        return "\(subject) is in block \(block) and does not have \(count) yet, so what it did is "
            + "not final: follow it with `dex status \(hash) --wait\(flag)`."
    }
}
