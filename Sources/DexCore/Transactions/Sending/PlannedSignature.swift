import DexSigning
import Ethereum
import ZeroEx

/// A guard that fires by an intent.
struct FiredGuard: Hashable, Sendable {
    /// Its number in the journal.
    let id: Int64
    /// The number that its key signed.
    let number: Bytes32
}

/// One planned signature, as the rules see it before the first is signed.
struct PlannedSignature: Sendable {
    let content: SigningRequest.Content
    let terms: SigningTerms
    /// It replaces another transaction: the payments of both count once.
    var isReplacement = false

    /// It is sent to the chain.
    var isTransaction: Bool {
        if case .transaction = content { true } else { false }
    }
}

extension PlannedSignature {
    /// - Parameters:
    ///   - price: the maximum for a unit of gas.
    ///   - nonce: the nonce of the replaced transaction; nil for a new one.
    init(
        _ call: CallRequest,
        _ session: Session,
        gasLimit: UInt64,
        price: Wei,
        terms: SigningTerms,
        replacing nonce: UInt64? = nil
    ) {
        self.init(
            content: .transaction(
                Transaction(
                    chainID: session.network.chainID,
                    nonce: nonce ?? 0,
                    // The tip is part of the price, and is checked with the signature.
                    fee: .dynamic(maxFeePerGas: price, maxPriorityFeePerGas: .zero),
                    gasLimit: gasLimit,
                    to: call.to,
                    value: call.value,
                    data: call.data
                )
            ),
            terms: terms,
            isReplacement: nonce != nil
        )
    }
}

extension [PlannedSignature] {
    /// Checks whether all would be signed now, one after another.
    ///
    /// - Throws: `DexError`, exit 6.
    func check(_ signer: AuthorizedSigner) throws(DexError) {
        do {
            try signer.check(map { ($0.content, $0.terms, $0.isReplacement) })
        } catch {
            throw DexError(error)
        }
    }

    /// The error of a plan that needs an approval before what it signs into a file.
    func approvalFirst(_ session: Session) -> DexError {
        guard let command = lazy.compactMap({ $0.ownCommand(session) }).first else {
            return SignedFileError.notOneTransaction
        }
        return SignedFileError.severalTransactions(first: command.summary, command: command.words)
    }
}
