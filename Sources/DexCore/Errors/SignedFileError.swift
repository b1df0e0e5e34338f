package import DexStore
package import Ethereum
package import ZeroEx

/// A signed transaction in a file that cannot be made, or is not sent.
package enum SignedFileError: ErrorArea {
    /// It is not such a file; the reason is a clause.
    package static func unreadable(_ reason: String) -> DexError {
        row(
            .usage("bad-signed-file"),
            "This is not a file of a signed transaction: "
                + PlainText.sentence(reason, limit: 300),
            hint: "Commands that send make one with --no-send --out FILE."
        )
    }

    /// The file says something else than its bytes.
    package static func mismatch(key: String, file: String, bytes: String) -> DexError {
        row(
            .usage("bad-signed-file"),
            "The file says \(key) \(file), and its signed bytes say \(bytes): it was "
                + "changed or damaged. Nothing was sent.",
            hint: "Get the file again from where it was signed: dex tx export HASH --out FILE"
        )
    }

    /// A legacy transaction without a chain id, which every chain would take.
    package static let everyChain = row(
        .refused("signed-for-every-chain"),
        "The transaction names no chain, so it could be sent on every chain; nothing was sent.",
        hint: "Sign it again with dex, which always names the chain."
    )

    package static let createsContract = row(
        .usage("bad-signed-file"),
        "The transaction creates a contract, which no command of dex does."
    )

    package static func otherChain(file: UInt64, _ network: Network) -> DexError {
        row(
            .refused("signed-for-other-chain"),
            "The transaction is signed for chain \(file), and the network "
                + "\"\(network.name)\" is chain \(network.chainID); nothing was sent.",
            hint: "Name the network that it is for with --network."
        )
    }

    /// - Parameter ago: seconds.
    package static func expired(ago: UInt64) -> DexError {
        row(
            .refused("signed-file-expired"),
            "What the transaction does expired \(ago) s ago; nothing was sent.",
            hint: "Sign it again where its key is. Give this one up there with dex tx cancel."
        )
    }

    package static func nonceUsed(_ nonce: UInt64, _ hash: TransactionHash) -> DexError {
        row(
            .refused("nonce-used"),
            "Another transaction of the account with the nonce \(nonce) is mined, so \(hash) "
                + "never will be; nothing was sent.",
            hint: "Sign it again if it is still wanted."
        )
    }

    /// Its nonce is used, and no node shows yet whether by it.
    package static func undecided(_ nonce: UInt64, _ hash: TransactionHash) -> DexError {
        row(
            .notMinedYet("nonce-undecided"),
            "The nonce \(nonce) of the account is used, and no node shows yet whether by \(hash) "
                + "or by another transaction: it may be mined. Nothing was sent.",
            hint: "A node may lag behind. Ask again in a minute, before you sign it again: dex "
                + "status \(hash)",
            retryable: true
        )
    }

    /// - Parameters:
    ///   - next: the account's next nonce at the node.
    ///   - held: a signed transaction of the journal with that nonce.
    package static func nonceGap(
        _ nonce: UInt64,
        next: UInt64,
        held: TransactionHash?
    ) -> DexError {
        row(
            .refused("nonce-gap"),
            "The transaction has the nonce \(nonce), and the account's next one is \(next): "
                + "it could not be mined. Nothing was sent.",
            hint: held.map {
                "Send the one with the nonce \(next) first: its hash is \($0)."
            }
                ?? "Send what was signed with the nonce \(next) first.",
            retryable: true
        )
    }

    package static func feeTooLow(maximum: Wei, base: Wei) -> DexError {
        row(
            .refused("max-fee-below-base-fee"),
            "The transaction pays at most \(GasPricing.gwei(maximum)) for a unit of gas, and the base "
                + "fee is \(GasPricing.gwei(base)) now: it could not be mined. Nothing was sent.",
            hint: "Wait until gas is cheaper, or sign it again with a higher fee where its "
                + "key is: dex tx speedup HASH --no-send --out FILE",
            retryable: true
        )
    }

    package static func fillsNothing(_ hash: TransactionHash) -> DexError {
        row(
            .simulationFailed("would-fill-nothing"),
            "The transaction \(hash) would fill nothing now: its orders are filled, cancelled "
                + "or expired. Nothing was sent.",
            hint: "Give it up where its key is: dex tx cancel \(hash)"
        )
    }

    package static func nodeRefused(_ hash: TransactionHash, words: String) -> DexError {
        row(
            .unreachable("send-refused"),
            "The node refused the transaction \(hash): \(PlainText.sentence(words))",
            hint: "The file is still valid. Ask another node with --rpc."
        )
    }

    /// The plan has more than one transaction; the first of them can be signed alone.
    package static func severalTransactions(first: String, command: String) -> DexError {
        row(
            .refused("several-transactions"),
            "Something has to be mined first: \(PlainText.clean(first, limit: 200)). What "
                + "follows can be checked only then. Nothing was signed.",
            hint: "Sign the first alone, then run this command again once it is mined:\n"
                + command
        )
    }

    /// The command's plan is no single transaction.
    package static let notOneTransaction = row(
        .refused("not-one-transaction"),
        "This command's plan is more than one transaction, so --no-send does not do for "
            + "it; nothing was signed."
    )

    package static func exists(path: String) -> DexError {
        row(
            .usage("file-exists"),
            "\(PlainText.clean(path, limit: 300)) is there already, and no file is "
                + "overwritten; nothing was signed.",
            hint: "Name another file with --out."
        )
    }

    /// It is signed, and its file cannot be written.
    package static func notWritten(
        path: String,
        reason: String,
        _ hash: TransactionHash
    ) -> DexError {
        row(
            .configuration("file-not-written"),
            "The transaction \(hash) is signed and in the journal, and "
                + "\(PlainText.clean(path, limit: 300)) cannot be written: "
                + PlainText.sentence(reason, limit: 200),
            hint: "Write it elsewhere: dex tx export \(hash) --out FILE"
        )
    }

    package static func orderNotWritten(
        path: String,
        reason: String,
        _ hash: OrderHash
    ) -> DexError {
        row(
            .configuration("file-not-written"),
            "The order \(hash) is signed and in the journal, and "
                + "\(PlainText.clean(path, limit: 300)) cannot be written: "
                + PlainText.sentence(reason, limit: 200),
            hint: "Give it up with dex cancel \(hash), and sign another one."
        )
    }

    /// `dex tx export` of a transaction that is not held back.
    package static func notHeld(_ hash: TransactionHash, _ stage: TransactionStage) -> DexError {
        row(
            .refused("not-held"),
            "The transaction \(hash) is not signed for later: its status is \(stage.word).",
            hint: "See it with dex status \(hash)"
        )
    }

    package static func unknown(_ hash: TransactionHash, network: String) -> DexError {
        row(
            .usage("unknown-transaction"),
            "The journal has no transaction \(hash) on the network \"\(network)\".",
            hint: "See those that it has with dex tx list."
        )
    }
}
