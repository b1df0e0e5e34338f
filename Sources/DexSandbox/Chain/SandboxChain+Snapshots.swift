import Ethereum

/// What a chain goes back to.
struct ChainSnapshot: Sendable {
    let block: UInt64
    let hash: BlockHash
    let pool: TransactionPool
    let isAutomining: Bool
    let timeOffset: UInt64
}

/// The moments that a program of the operator's remembers, as on hardhat's and anvil's chains.
///
/// They are kept in memory: a chain that was started again has none.
extension SandboxChain {
    /// The maximum number of snapshots at once.
    static let maximumSnapshots = 1_024

    /// Remembers the newest block, the waiting transactions, and the clock.
    ///
    /// - Returns: the snapshot's number, from 1 on.
    /// - Throws: `NodeError` if there are `maximumSnapshots` already.
    func takeSnapshot() throws(NodeError) -> UInt64 {
        guard snapshots.count < Self.maximumSnapshots else {
            throw .refused(
                "at most \(Self.maximumSnapshots) snapshots: evm_revert frees those after its own"
            )
        }
        snapshots.append(
            ChainSnapshot(
                block: head.header.number,
                hash: head.hash,
                pool: pool,
                isAutomining: isAutomining,
                timeOffset: timeOffset
            )
        )
        return UInt64(snapshots.count)
    }

    /// Goes back to a snapshot, which is used up with all later ones.
    ///
    /// What was mined since then is forgotten; what waited then waits again.
    ///
    /// - Returns: false if there is none with the number, or if its block was replaced.
    /// - Throws: `NodeError` if the state of its block is not kept any more: the chain is unchanged
    ///   then. Or if the change cannot be stored: the same revert can be asked for again then.
    func revert(to number: UInt64) throws(NodeError) -> Bool {
        guard number >= 1, number <= UInt64(snapshots.count) else { return false }
        let snapshot = snapshots[Int(number) - 1]
        guard hash(ofBlock: snapshot.block) == snapshot.hash else { return false }
        do throws(SandboxError) {
            if snapshot.block < head.header.number {
                try rollBack(to: snapshot.block, waiting: [])
            }
            for pooled in pool.all where snapshot.pool[pooled.hash] == nil {
                try forget(pooled.hash)
            }
            for pooled in snapshot.pool.all where pool[pooled.hash] == nil {
                try store?.keep(pooled.signed, hash: pooled.hash, replacing: nil)
                pool.insert(pooled.signed, hash: pooled.hash)
            }
            try store?.save(timeOffset: snapshot.timeOffset)
        } catch {
            throw .storage(error)
        }
        timeOffset = snapshot.timeOffset
        isAutomining = snapshot.isAutomining
        nextTimestamp = nil
        nextBaseFee = nil
        snapshots.removeSubrange((Int(number) - 1)...)
        return true
    }

    /// Sets the time of the next block alone; those after it follow the clock, a second or more each.
    ///
    /// - Parameter seconds: since 1970.
    /// - Throws: `NodeError` if it is not after the newest block, or beyond 2^40.
    func setNextTimestamp(_ seconds: UInt64) throws(NodeError) {
        let newest = head.header.timestamp
        guard seconds > newest else {
            throw .refused(
                "timestamp \(seconds) is not after that of the newest block, which is \(newest)"
            )
        }
        guard seconds < Genesis.endOfTime else {
            throw .refused("timestamp \(seconds) is beyond 2^40")
        }
        nextTimestamp = seconds
    }
}
