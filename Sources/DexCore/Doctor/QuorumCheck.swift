import Ethereum

/// Checks whether as many nodes as must agree are at one chain and one block.
struct QuorumCheck {
    let probes: [any NodeProbe]
    let network: Network

    private typealias Row = DoctorState.Row

    /// A node that answers, with its latest block.
    private struct Head {
        let probe: any NodeProbe
        let chainID: UInt64
        let block: Block
    }

    /// One row; none if one node suffices.
    func rows() async -> [DoctorState.Row] {
        guard network.quorum > 1 else { return [] }
        let quorum = network.quorum
        let count = network.distinctNodes.count
        guard count >= quorum else {
            return [
                .fail(
                    .quorum,
                    "\(quorum) nodes must agree, and \(count == 1 ? "only one is" : "\(count) are") "
                        + "given.",
                    "\(others)\nOr require fewer: dex config set "
                        + "networks.\(network.name).quorum \(max(count, 1))",
                    .configuration
                )
            ]
        }
        let heads = await heads()
        guard heads.count >= quorum,
            let newest = heads.max(by: { $0.block.number < $1.block.number }),
            let oldest = heads.min(by: { $0.block.number < $1.block.number })
        else {
            return [
                .fail(
                    .quorum,
                    "\(quorum) nodes must agree, and \(heads.count) of \(count) can be used.",
                    others,
                    .unreachable
                )
            ]
        }
        if let other = heads.first(where: { $0.chainID != heads[0].chainID }) {
            return [
                disagree("the chain id", heads[0], "\(heads[0].chainID)", other, "\(other.chainID)")
            ]
        }
        let lag = newest.block.number - oldest.block.number
        guard NodeView.isClose(newest.block, oldest.block) else {
            return [
                disagree(
                    "the latest block",
                    newest,
                    "block \(newest.block.number)",
                    oldest,
                    "block \(oldest.block.number)"
                )
            ]
        }
        return [await atOneBlock(oldest.block, heads, lag: lag)]
    }

    /// The nodes that answer.
    private func heads() async -> [Head] {
        let heads = await probes.concurrentMap { probe -> Head? in
            var batch = ReadBatch()
            let chainID = batch.add(.chainID)
            let block = batch.add(.latestBlock)
            guard case .success(let answers) = await probe.ask(batch),
                let id = try? answers[chainID].get(),  // its own row says why not
                let head = try? answers[block].get()  // as above
            else { return nil }
            return Head(probe: probe, chainID: id, block: head)
        }
        return heads.compactMap(\.self)
    }

    /// Compares the hash of the latest block that all nodes have.
    private func atOneBlock(_ block: Block, _ heads: [Head], lag: UInt64) async -> DoctorState.Row {
        let hashes = await heads.concurrentMap { head in
            let reported = await head.probe.ask(.block(.number(block.number))).value
            return (try? reported.get())??.hash  // nil: it does not have the block
        }
        let subject = "block \(block.number)"
        for (index, head) in heads.enumerated() where hashes[index] != hashes[0] {
            let said = [0, index].map { hashes[$0].map { "\($0)" } ?? "there is none" }
            return disagree(subject, heads[0], said[0], head, said[1])
        }
        guard let hash = hashes[0] else {
            return .fail(.quorum, "No node has \(subject).", others, .unreachable)
        }
        let short = "\(hash)".prefix(10)
        return .ok(
            .quorum,
            "\(heads.count) of \(probes.count) nodes agree on chain \(heads[0].chainID) and "
                + "\(subject) (\(short)), \(network.quorum) must"
                + (lag == 0 ? "." : "; one is \(lag) blocks behind.")
        )
    }

    private func disagree(
        _ subject: String,
        _ one: Head,
        _ said: String,
        _ other: Head,
        _ alsoSaid: String
    ) -> DoctorState.Row {
        let disagreement = NodeDisagreement(
            about: subject,
            NodeDisagreement.Statement(node: one.probe.name, said: said),
            NodeDisagreement.Statement(node: other.probe.name, said: alsoSaid)
        )
        return .fail(.quorum, disagreement.description, others, .unreachable)
    }

    private var others: String {
        "Name other nodes: --rpc URL for each, or dex config set networks.\(network.name).rpc URL,URL"
    }
}
