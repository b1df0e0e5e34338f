import DexSigning
import Ethereum
import ZeroEx

/// Returns the undrawn part of a revoked allowance to the limits.
///
/// It trusts the node, as for every balance. If anything cannot be read, the allowance keeps
/// counting.
struct AllowanceReturn {
    let session: Session
    let signer: AuthorizedSigner

    /// Some tokens never lower an allowance from here on: 2^96 - 1, or more.
    private static let unlimited = UInt256(1) << 96

    /// Records the amount that a mined revocation returned.
    func note(_ transaction: Transaction, _ receipt: TransactionReceipt) async {
        guard receipt.succeeded, receipt.blockNumber > 0, let token = transaction.to,
            let chainID = transaction.chainID,
            let spender = Revocation.spender(of: transaction.data),
            let unused = await unused(of: token, by: spender, receipt)
        else { return }
        let revocation = Revocation(
            account: signer.address,
            chainID: chainID,
            nonce: transaction.nonce,
            token: token,
            spender: spender,
            unused: unused
        )
        do throws(SigningError) {
            try signer.note(revocation)
        } catch {
            session.environment.warn(
                "The whole allowance goes on counting against the policy: \(DexError(error).message)"
            )
        }
    }

    /// The undrawn base units of the ended last allowance; nil if it did not end, or if unknown.
    private func unused(
        of token: Address,
        by spender: Address,
        _ receipt: TransactionReceipt
    ) async -> UInt256? {
        let block = BlockTag.number(receipt.blockNumber)
        let owner = signer.address
        var batch = ReadBatch()
        let before = batch.add(
            .allowance(of: token, by: owner, to: spender, .number(receipt.blockNumber - 1))
        )
        let after = batch.add(.allowance(of: token, by: owner, to: spender, block))
        let drawn = batch.add(
            .logs(
                LogFilter(
                    fromBlock: block,
                    toBlock: block,
                    addresses: [token],
                    topics: [[ERC20.transferTopic], [signer.address.word]]
                )
            )
        )
        guard let answers = try? await batch.send(to: session.chain),  // nil: unknown
            let old = try? answers.word(before), (try? answers.word(after)) == .zero,  // or unread
            let logs = answers.optional(drawn)
        else { return nil }
        // A draw in the same block may precede its end.
        guard old < Self.unlimited,
            logs.allSatisfy({ $0.transactionHash == receipt.transactionHash })
        else { return .zero }
        return old
    }
}
