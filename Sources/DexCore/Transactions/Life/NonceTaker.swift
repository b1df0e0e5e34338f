import DexStore
package import Ethereum

/// The transaction that used the nonce of one of ours, which another program signed.
package struct NonceTaker: Hashable, Sendable {
    package let hash: TransactionHash
    package let block: UInt64
    /// nil if it creates a contract.
    package let to: Address?
    package let value: Wei
    /// The function that it calls; nil without call data, or if it is not known.
    package let function: String?
    /// It has call data.
    package let hasCall: Bool
    /// nil if the node does not serve its receipt.
    package let succeeded: Bool?
    /// The journal has it: `dex` sent it.
    package let isOwn: Bool

    /// What it did, as sentences.
    ///
    /// Example: `0x12.. took its nonce in block 7, so it never will be mined. It sent 1 ETH to
    /// 0xab... dex did not send it.`
    func sentence(_ coin: CoinSymbol) -> String {
        let target = to.map(\.checksummed) ?? "a new contract"
        let what =
            hasCall
            ? "It called \(function.map { PlainText.clean($0, limit: 200) + " of " } ?? "")\(target)"
                + (value == .zero ? "" : " with \(coin.amount(value))")
            : "It sent \(coin.amount(value)) to \(target)"
        return "\(hash) took its nonce in block \(block), so it never will be mined. \(what)"
            + (succeeded == false ? ", and failed. " : ". ")
            + (isOwn
                ? "dex sent it."
                : "dex did not send it: another program has the key of the account.")
    }
}

/// Finds the transaction that used a nonce, by the account's count at earlier blocks.
///
/// A node may have the state of the last blocks only (128 of them by default): then nothing is found.
struct NonceTakerSearch {
    let session: Session
    let journal: Journal?

    /// Blocks that are looked back over, as a power of two: about nine days on Ethereum.
    private static let maximumDoublings = 16
    /// Counts that are asked for at once.
    private static let parts: UInt64 = 16

    /// The canonical transaction of an account with a nonce; nil if no node shows it.
    ///
    /// It asks at most eight times.
    func taker(of nonce: UInt64, by sender: Address, head: UInt64) async -> NonceTaker? {
        // Where nothing is found, the report is as it was without the search.
        guard let number = await block(of: nonce, by: sender, head: head) else { return nil }
        var batch = ReadBatch()
        let asked = batch.add(.fullBlock(.number(number)))
        guard let answers = try? await batch.send(to: session.chain),  // nil: as above
            let block = answers.optional(asked).flatMap(\.self)
        else { return nil }
        let candidates = block.transactions.filter { $0.from == sender }
        var second = ReadBatch()
        let slots = candidates.map {
            (second.add(.transaction($0.hash)), second.add(.receipt($0.hash)))
        }
        guard !slots.isEmpty,
            let reported = try? await second.send(to: session.chain)  // nil: as above
        else { return nil }
        for slot in slots {
            guard let info = reported.optional(slot.0).flatMap(\.self), info.from == sender,
                info.nonce == nonce, info.blockNumber == number
            else { continue }
            let receipt = reported.optional(slot.1).flatMap(\.self)
            let call = TransactionCall(
                to: info.to,
                value: info.value,
                data: info.data,
                by: sender,
                session: session
            )
            let own = try? journal?.transaction(info.hash)  // nil: not known to be ours
            return NonceTaker(
                hash: info.hash,
                block: number,
                to: info.to,
                value: info.value,
                function: call?.function,
                hasCall: !info.data.isEmpty,
                succeeded: receipt?.succeeded,
                isOwn: own.flatMap(\.self) != nil
            )
        }
        return nil
    }

    /// The block whose transactions raised the account's count above a nonce.
    private func block(of nonce: UInt64, by sender: Address, head: UInt64) async -> UInt64? {
        // Doubling steps back: the nearest block that does not count it bounds the search.
        let steps = (0...Self.maximumDoublings).map { UInt64(1) << UInt64($0) }.filter {
            $0 <= head
        }
        var marks = [head] + steps.map { head - $0 }
        // A young chain ends before the next doubling: its first block bounds the search.
        if steps.count <= Self.maximumDoublings, marks.last != 0 { marks.append(0) }
        guard let first = await uses(nonce, by: sender, at: marks),
            let unused = first.firstIndex(of: false), unused > 0,
            // Nothing between is unknown.
            first[..<unused].allSatisfy({ $0 == true })
        else { return nil }
        var (low, high) = (marks[unused], marks[unused - 1])
        // At `low` it is not used, at `high` it is.
        while high - low > 1 {
            let width = max(1, (high - low) / Self.parts)
            let numbers = Array(stride(from: low + width, to: high, by: Int(clamping: width)))
            guard let used = await uses(nonce, by: sender, at: numbers),
                used.allSatisfy({ $0 != nil })
            else { return nil }
            let end = used.firstIndex(of: true)
            let next = end.map { numbers[$0] } ?? high
            low = (end ?? numbers.count) > 0 ? numbers[(end ?? numbers.count) - 1] : low
            high = next
        }
        return high
    }

    /// Whether the account's count at each block is above the nonce; nil where a node cannot say.
    private func uses(
        _ nonce: UInt64,
        by sender: Address,
        at numbers: [UInt64]
    ) async -> [Bool?]? {
        var batch = ReadBatch()
        let slots = numbers.map { batch.add(.transactionCount(sender, .number($0))) }
        guard let answers = try? await batch.send(to: session.chain)  // nil: the search ends
        else { return nil }
        return slots.map { slot in answers.optional(slot).map { $0 > nonce } }
    }
}
