import Ethereum
import ZeroEx

/// Sees to it that an order is not cancelled before it is made.
///
/// All orders of a pair below a salt may have been cancelled at once, in this very second, by a
/// machine whose clock is ahead, or by software that chooses salts otherwise. The exchange keeps
/// that for good, and an order with a lower salt is one that nobody can fill.
struct SaltCheck {
    let session: Session

    /// What to ask the node about a draft: one question, or none where salts never matter.
    func questions(_ draft: OrderDraft) -> [ChainRead] {
        session.exchangeProtocol.saltCheck(of: draft).map { [.call($0, .latest)] } ?? []
    }

    /// Gives the draft another salt where its own was cancelled.
    ///
    /// - Parameter answers: to the questions.
    /// - Returns: what to tell of a salt that is above those of this time.
    /// - Throws: `DexError`: the node's failure, or exit 6 where the exchange does not tell which
    ///   salt it would take.
    func settle(
        _ draft: inout OrderDraft,
        _ answers: [Result<ChainAnswer, ChainError>]
    ) throws(DexError) -> [String] {
        guard let reverted = try reverted(answers) else { return [] }
        let exchange = session.exchangeProtocol
        guard let least = exchange.minValidSalt(revertedWith: reverted.data), least > draft.salt
        else {
            let words = RevertReason.words(of: reverted.error, by: exchange)
            throw DexError(
                .refused,
                code: "salt-unknown",
                message: "The exchange does not say which orders of the pair it takes as "
                    + "cancelled, so a new one may be cancelled already: "
                    + PlainText.sentence(words, limit: 600),
                hint: "Try another node with --rpc."
            )
        }
        let now = session.environment.now()
        draft.salt = exchange.salt(
            random: session.environment.random(),
            now: now,
            least: least
        )
        guard let bound = exchange.minValidSalt(from: now.addingSaturating(60)), least >= bound
        else {
            return []
        }
        return [
            "Orders of this account and pair were cancelled up to a salt that is above those of "
                + "this time (\(least)), so this order's is higher still."
        ]
    }

    /// Checks right before it is signed that a draft was not cancelled since it was planned.
    ///
    /// - Throws: `DexError`: the node's failure, or exit 6.
    func check(
        _ draft: OrderDraft,
        _ answers: [Result<ChainAnswer, ChainError>]
    ) throws(DexError) {
        guard try reverted(answers) != nil else { return }
        throw DexError(
            .refused,
            code: "pair-cancelled",
            message: "The account's orders of this pair were cancelled meanwhile, this one's salt "
                + "among theirs, so it could never be filled; it was not signed.",
            hint: "Run the command again for one with a higher salt.",
            retryable: true
        )
    }

    private func reverted(
        _ answers: [Result<ChainAnswer, ChainError>]
    ) throws(DexError) -> (data: [UInt8], error: ChainError)? {
        for answer in answers {
            do throws(ChainError) {
                _ = try answer.get().bytes()
            } catch .reverted(let data, let message) {
                return (data, .reverted(data: data, message: message))
            } catch {
                throw DexError(error)
            }
        }
        return nil
    }
}
