import DexSigning
import Ethereum
import Uniswap
import ZeroEx

/// Checks that Uniswap's contracts on a network's chain are those of the bundled list.
struct PoolCheck {
    let session: Session

    private typealias Row = DoctorState.Row

    /// nil on a chain without pools that are known.
    ///
    /// - Parameter hasNode: a node of the chain answers.
    func row(hasNode: Bool) async -> DoctorState.Row? {
        guard let pools = session.network.pools else { return nil }
        guard hasNode else { return .skipped(.pools, "There is no node to ask.") }
        var batch = ReadBatch()
        let head = ChainHead.ask(session, in: &batch)
        let genuine = SwapRegistry.ask(PoolRules(pools), at: .latest, in: &batch)
        do throws(DexError) {
            let answers = try await batch.send(to: session.chain)
            _ = try answers.value(head)
            let pairs = try answers.value(genuine).contains(pools.v2Factory)
            return .ok(
                .pools,
                "Uniswap's router and quoter are those of the list"
                    + (pairs ? "." : ", and the router does not reach the chain's v2 pairs.")
            )
        } catch {
            return .fail(.pools, error)
        }
    }
}
