import Ethereum
import Uniswap

/// What the factories say of pools, asked beside other reads.
///
/// Addresses of pools are computed. On a chain with other rules for addresses they would be another
/// contract's, and for a pool that does not exist there is none: so a pool counts only where its
/// factory names the same address. A v3 pool's ticks are read by the spacing of its fee: it counts
/// only if the factory has no other one.
struct PoolConfirmation: Sendable {
    private let deployment: UniswapDeployment
    private let questions: [(pool: PoolID, slot: ReadSlot<[UInt8]>)]
    private let spacings: [(fee: UInt32, slot: ReadSlot<[UInt8]>)]

    /// Adds a question for each pool to a batch.
    static func ask(
        _ pools: some Sequence<PoolID>,
        _ deployment: UniswapDeployment,
        at tag: BlockTag,
        in batch: inout ReadBatch
    ) -> PoolConfirmation {
        let fees = Set(pools.map(\.kind).filter { $0 != .v2 }.map(\.fee))
        return PoolConfirmation(
            deployment: deployment,
            questions: pools.map { pool in
                let call = CallRequest(
                    to: deployment.factory(of: pool.kind),
                    data: ContractRead.pool(pool).data
                )
                return (pool, batch.add(.call(call, tag)))
            },
            spacings: fees.sorted().map { fee in
                let call = CallRequest(
                    to: deployment.v3Factory,
                    data: ContractRead.tickSpacing(fee: fee).data
                )
                return (fee, batch.add(.call(call, tag)))
            }
        )
    }

    /// The pools that are where they should be.
    ///
    /// - Throws: the node's failure, which says nothing about a pool.
    func confirmed(_ answers: ReadAnswers) throws(ChainError) -> Set<PoolID> {
        var foreign: Set<UInt32> = []
        for (fee, slot) in spacings {
            guard let answer = try answers.answer(slot) else { continue }
            do throws(ContractReadError) {
                let reported = try ContractRead.tickSpacing(fee: fee).decode(answer)
                if reported != UniswapDeployment.spacing(fee: fee) { foreign.insert(fee) }
            } catch {
                // No factory's answer: the address alone decides.
                continue
            }
        }
        var confirmed: Set<PoolID> = []
        for (pool, slot) in questions where pool.kind == .v2 || !foreign.contains(pool.kind.fee) {
            let found = try answers.answer(slot).flatMap { answer in
                try? ContractRead.pool(pool).decode(answer)  // nil: no factory's answer
            }
            if found == deployment.address(of: pool) { confirmed.insert(pool) }
        }
        return confirmed
    }
}

extension ReadAnswers {
    /// - Throws: `DexError`, the node's failure.
    func confirmed(_ question: PoolConfirmation) throws(DexError) -> Set<PoolID> {
        do throws(ChainError) {
            return try question.confirmed(self)
        } catch {
            throw DexError(error)
        }
    }
}
