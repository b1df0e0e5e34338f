import Ethereum
import ZeroEx

/// Makes sure that a new order is not already cancelled.
///
/// All orders of a pair below a salt may have been cancelled at once: in the same second, by a
/// machine whose clock is ahead, or by software with other salts. The exchange keeps that
/// permanently, and an order with a lower salt can never be filled.
struct SaltCheck {
    let session: Session

    /// Adds the read for a draft; nil if salts never matter.
    func ask(_ draft: OrderDraft, in batch: inout ReadBatch) -> ReadSlot<[UInt8]>? {
        session.exchangeProtocol.saltCheck(of: draft).map { batch.add(.call($0, .latest)) }
    }

    /// Gives the draft another salt if its own is cancelled.
    ///
    /// - Parameter answer: to the read of `ask`.
    /// - Returns: a warning about a minimum salt above those of this time.
    /// - Throws: `DexError`: the node's failure, or exit 6 if the exchange does not report the
    ///   minimum salt.
    func settle(
        _ draft: inout OrderDraft,
        _ answer: Result<[UInt8], ChainError>?
    ) throws(DexError) -> [String] {
        guard let reverted = try reverted(answer) else { return [] }
        let exchange = session.exchangeProtocol
        guard let minimum = exchange.minValidSalt(revertedWith: reverted.data), minimum > draft.salt
        else {
            let words = RevertReason.words(of: reverted.error, by: exchange)
            throw LimitError.saltUnknown(words: words)
        }
        let now = session.environment.now()
        draft.salt = exchange.salt(
            random: session.environment.random(),
            now: now,
            minimum: minimum
        )
        guard let bound = exchange.minValidSalt(from: now.addingSaturating(60)), minimum >= bound
        else {
            return []
        }
        return [
            "Orders of this account and pair were cancelled up to a salt that is above those of "
                + "this time (\(minimum)), so this order's is higher still."
        ]
    }

    /// Checks before the signature that a draft was not cancelled since it was planned.
    ///
    /// - Throws: `DexError`: the node's failure, or exit 6.
    func check(_ answer: Result<[UInt8], ChainError>?) throws(DexError) {
        guard try reverted(answer) != nil else { return }
        throw LimitError.pairCancelled
    }

    private func reverted(
        _ answer: Result<[UInt8], ChainError>?
    ) throws(DexError) -> (data: [UInt8], error: ChainError)? {
        guard case .failure(let error) = answer else { return nil }
        guard case .reverted(let data, _) = error else { throw DexError(error) }
        return (data, error)
    }
}
