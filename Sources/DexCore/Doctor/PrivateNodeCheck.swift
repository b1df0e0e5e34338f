import Ethereum

/// Checks that the endpoint which signed transactions are sent to alone is there, on the right
/// chain.
struct PrivateNodeCheck {
    let session: Session

    /// nil without such an endpoint.
    func row() async -> DoctorState.Row? {
        guard let name = session.network.privateName, let node = session.privateNode else {
            return nil
        }
        let place = "Signed transactions go to the private mempool at \(name) alone"
        do throws(ChainError) {
            let chainID = try await node.read(.chainID)
            guard chainID == session.network.chainID else {
                return .fail(
                    .privateNode,
                    NetworkError.wrongChain(node: chainID, session.network)
                )
            }
            return .ok(.privateNode, "\(place); it is on chain \(chainID).")
        } catch {
            // Some take transactions and nothing else.
            guard error.isMethodMissing else { return .fail(.privateNode, DexError(error)) }
            return .ok(.privateNode, "\(place); it does not tell its chain.")
        }
    }
}
