package import Ethereum

/// A transaction that is not sent.
package enum SendError: ErrorArea {
    case contractsChanged
    case otherKey(plan: Address, signer: Address)
    case refused(TransactionHash, words: String, nonce: UInt64, isReplacement: Bool)

    package var report: ErrorReport {
        switch self {
        case .contractsChanged:
            ErrorReport(
                .refused,
                "contracts-changed",
                "The exchange names other contracts than when the plan was made; nothing more "
                    + "was sent."
            )
        case .otherKey(let plan, let signer):
            ErrorReport(
                .wallet,
                "wrong-account",
                "The plan is for \(plan.checksummed) and the key is of "
                    + "\(signer.checksummed)."
            )
        case .refused(let hash, let words, let nonce, let isReplacement):
            ErrorReport(
                .unreachable,
                "send-refused",
                "The node refused the transaction \(hash): \(PlainText.sentence(words))",
                hint: !isReplacement
                    ? "Nothing is in flight. The next transaction of the account takes its nonce "
                        + "\(nonce), so that only one of the two can be mined."
                    : "What it was to replace is in flight still, as it was."
            )
        }
    }
}
