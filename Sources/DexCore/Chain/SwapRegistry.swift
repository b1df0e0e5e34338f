import Ethereum
import ZeroEx

/// Asks the chain which contracts are a swap venue's.
enum SwapRegistry {
    /// - Returns: the genuine contracts; reading them throws `DexError`, exit 6, `swap-paused`, if
    ///   the registry says not to interact, and exit 4 if the node does not answer.
    static func ask(
        _ rules: any LiquidityRules,
        at block: BlockTag,
        in batch: inout ReadBatch
    ) -> JointRead<[Address]> {
        let slots = batch.add(rules.registryCalls, at: block)
        return JointRead { answers throws(DexError) in
            var reported: [[UInt8]?] = []
            for slot in slots { reported.append(try answers.returned(slot)) }
            do throws(QuoteFault) {
                return try rules.genuine(answers: reported)
            } catch {
                throw DexError(error)
            }
        }
    }
}
