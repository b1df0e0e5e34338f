package import DexStore
package import Ethereum
package import ZeroEx

/// A signed transaction in a file that cannot be made, or is not sent.
package enum SignedFileError: ErrorArea {
    /// It is not such a file; the reason is a clause.
    case unreadable(String)
    /// The file says something else than its bytes.
    case mismatch(key: String, file: String, bytes: String)
    /// A legacy transaction without a chain id, which every chain would take.
    case everyChain
    case createsContract
    case otherChain(file: UInt64, Network)
    /// - Parameter ago: seconds.
    case expired(ago: UInt64)
    case nonceUsed(UInt64, TransactionHash)
    /// Its nonce is used, and no node shows yet whether by it.
    case undecided(UInt64, TransactionHash)
    /// - Parameters:
    ///   - next: the account's next nonce at the node.
    ///   - held: a signed transaction of the journal with that nonce.
    case nonceGap(UInt64, next: UInt64, held: TransactionHash?)
    case feeTooLow(most: Wei, base: Wei)
    case fillsNothing(TransactionHash)
    case nodeRefused(TransactionHash, words: String)
    /// The plan has more than one transaction; the first of them can be signed alone.
    case severalTransactions(first: String, command: String)
    /// The command's plan is no single transaction.
    case notOneTransaction
    case exists(path: String)
    /// It is signed, and its file cannot be written.
    case notWritten(path: String, reason: String, TransactionHash)
    case orderNotWritten(path: String, reason: String, OrderHash)
    /// `dex tx export` of a transaction that is not held back.
    case notHeld(TransactionHash, TransactionStage)
    case unknown(TransactionHash, network: String)

    package var report: ErrorReport {
        switch self {
        case .unreadable(let reason):
            ErrorReport(
                .usage,
                "bad-signed-file",
                "This is not a file of a signed transaction: "
                    + PlainText.sentence(reason, limit: 300),
                hint: "Commands that send make one with --no-send --out FILE."
            )
        case .mismatch(let key, let file, let bytes):
            ErrorReport(
                .usage,
                "bad-signed-file",
                "The file says \(key) \(file), and its signed bytes say \(bytes): it was "
                    + "changed or damaged. Nothing was sent.",
                hint: "Get the file again from where it was signed: dex tx export HASH --out FILE"
            )
        case .everyChain:
            ErrorReport(
                .refused,
                "signed-for-every-chain",
                "The transaction names no chain, so it could be sent on every chain; nothing was "
                    + "sent.",
                hint: "Sign it again with dex, which always names the chain."
            )
        case .createsContract:
            ErrorReport(
                .usage,
                "bad-signed-file",
                "The transaction creates a contract, which no command of dex does."
            )
        case .otherChain(let file, let network):
            ErrorReport(
                .refused,
                "signed-for-other-chain",
                "The transaction is signed for chain \(file), and the network "
                    + "\"\(network.name)\" is chain \(network.chainID); nothing was sent.",
                hint: "Name the network that it is for with --network."
            )
        case .expired(let ago):
            ErrorReport(
                .refused,
                "signed-file-expired",
                "What the transaction does expired \(ago) s ago; nothing was sent.",
                hint: "Sign it again where its key is. Give this one up there with dex tx cancel."
            )
        case .nonceUsed(let nonce, let hash):
            ErrorReport(
                .refused,
                "nonce-used",
                "Another transaction of the account with the nonce \(nonce) is mined, so \(hash) "
                    + "never will be; nothing was sent.",
                hint: "Sign it again if it is still wanted."
            )
        case .undecided(let nonce, let hash):
            ErrorReport(
                .notMinedYet,
                "nonce-undecided",
                "The nonce \(nonce) of the account is used, and no node shows yet whether by \(hash) "
                    + "or by another transaction: it may be mined. Nothing was sent.",
                hint: "A node may lag behind. Ask again in a minute, before you sign it again: dex "
                    + "status \(hash)",
                retryable: true
            )
        case .nonceGap(let nonce, let next, let held):
            ErrorReport(
                .refused,
                "nonce-gap",
                "The transaction has the nonce \(nonce), and the account's next one is \(next): "
                    + "it could not be mined. Nothing was sent.",
                hint: held.map {
                    "Send the one with the nonce \(next) first: its hash is \($0)."
                }
                    ?? "Send what was signed with the nonce \(next) first.",
                retryable: true
            )
        case .feeTooLow(let most, let base):
            ErrorReport(
                .refused,
                "max-fee-below-base-fee",
                "The transaction pays at most \(GasPricing.gwei(most)) for a unit of gas, and the "
                    + "base fee is \(GasPricing.gwei(base)) now: it could not be mined. Nothing "
                    + "was sent.",
                hint: "Wait until gas is cheaper, or sign it again with a higher fee where its "
                    + "key is: dex tx speedup HASH --no-send --out FILE",
                retryable: true
            )
        case .fillsNothing(let hash):
            ErrorReport(
                .simulationFailed,
                "would-fill-nothing",
                "The transaction \(hash) would fill nothing now: its orders are filled, cancelled "
                    + "or expired. Nothing was sent.",
                hint: "Give it up where its key is: dex tx cancel \(hash)"
            )
        case .nodeRefused(let hash, let words):
            ErrorReport(
                .unreachable,
                "send-refused",
                "The node refused the transaction \(hash): \(PlainText.sentence(words))",
                hint: "Its file is as good as before. Ask another node with --rpc."
            )
        case .severalTransactions(let first, let command):
            ErrorReport(
                .refused,
                "several-transactions",
                "Something has to be mined first: \(PlainText.clean(first, limit: 200)). What "
                    + "follows can be checked only then. Nothing was signed.",
                hint: "Sign the first alone, then run this command again once it is mined:\n"
                    + command
            )
        case .notOneTransaction:
            ErrorReport(
                .refused,
                "not-one-transaction",
                "This command's plan is more than one transaction, so --no-send does not do for "
                    + "it; nothing was signed."
            )
        case .exists(let path):
            ErrorReport(
                .usage,
                "file-exists",
                "\(PlainText.clean(path, limit: 300)) is there already, and no file is "
                    + "overwritten; nothing was signed.",
                hint: "Name another file with --out."
            )
        case .notWritten(let path, let reason, let hash):
            ErrorReport(
                .configuration,
                "file-not-written",
                "The transaction \(hash) is signed and in the journal, and "
                    + "\(PlainText.clean(path, limit: 300)) cannot be written: "
                    + PlainText.sentence(reason, limit: 200),
                hint: "Write it elsewhere: dex tx export \(hash) --out FILE"
            )
        case .orderNotWritten(let path, let reason, let hash):
            ErrorReport(
                .configuration,
                "file-not-written",
                "The order \(hash) is signed and in the journal, and "
                    + "\(PlainText.clean(path, limit: 300)) cannot be written: "
                    + PlainText.sentence(reason, limit: 200),
                hint: "Give it up with dex cancel \(hash), and sign another one."
            )
        case .notHeld(let hash, let stage):
            ErrorReport(
                .refused,
                "not-held",
                "The transaction \(hash) is not signed for later: its status is "
                    + "\(stage.word).",
                hint: "See it with dex status \(hash)"
            )
        case .unknown(let hash, let network):
            ErrorReport(
                .usage,
                "unknown-transaction",
                "The journal has no transaction \(hash) on the network \"\(network)\".",
                hint: "See those that it has with dex tx list."
            )
        }
    }
}
