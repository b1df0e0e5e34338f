import Ethereum

/// Checks whether the state that a signature rests on is proven, and which nodes can give proofs.
struct ProofCheck {
    let probes: [any NodeProbe]
    let network: Network

    /// One row, whether proofs are on or not.
    func row() async -> DoctorState.Row {
        let failures = await failures()
        let count = failures.count { $0.reason == nil }
        let nodes = "\(count) of \(probes.count) \(probes.count == 1 ? "node gives" : "nodes give")"
        guard network.provesState else {
            return .ok(.proofs, "Proofs are off. \(nodes) them (eth_getProof).")
        }
        let missing = failures.compactMap { node in node.reason.map { "\(node.name): \($0)." } }
        guard count > 0 else {
            return .warn(
                .proofs,
                "Proofs are on, and no node gives one, so nothing is proven. "
                    + missing.joined(separator: " "),
                "\(others)\nOr leave them out: dex config set "
                    + "networks.\(network.name).proofs false"
            )
        }
        let alone =
            probes.count == 1 ? " That node alone could invent the header: name a second one." : ""
        let words = ["Proofs are on. \(nodes) them (eth_getProof).\(alone)"] + missing
        return .ok(.proofs, words.joined(separator: " "))
    }

    private var others: String {
        "Name nodes that do: --rpc URL for each, or dex config set networks.\(network.name).rpc URL,URL"
    }

    /// Why each node gives no proof, as a clause; nil if it gives one.
    private func failures() async -> [(name: String, reason: String?)] {
        await probes.concurrentMap { probe in (probe.name, await failure(probe)) }
    }

    private func failure(_ probe: any NodeProbe) async -> String? {
        do throws(ChainError) {
            guard let newest = try await probe.ask(.header(.latest)).value.get() else {
                return "it has no newest block"
            }
            // Some nodes prove their newest block alone.
            let number = newest.number
            var batch = ReadBatch()
            let header = batch.add(.header(.number(number)))
            let proof = batch.add(.proof(network.exchange, [], .number(number)))
            let answers = try await probe.ask(batch).get()
            guard let block = try answers[header].get() else {
                return "it has lost block \(number)"
            }
            let account = try answers[proof].get()
            do throws(ProofError) {
                _ = try account.verified(in: block.stateRoot)
                return nil
            } catch {
                return "its proof is none"
            }
        } catch {
            return PlainText.clean(error.reason, limit: 200)
        }
    }
}
