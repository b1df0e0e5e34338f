import Ethereum

/// One of a network's nodes, asked by itself: no other node answers in its place.
struct SingleNode: Sendable {
    private let asked: @Sendable (ReadBatch) async -> ReadAnswers?

    /// Its answers; nil if it gives none.
    func ask(_ batch: ReadBatch) async -> ReadAnswers? { await asked(batch) }

    /// Its answers; nil if it gives none in time.
    ///
    /// - Parameter milliseconds: the most that it is waited for.
    func ask(
        _ batch: ReadBatch,
        within milliseconds: UInt64,
        _ environment: Environment
    ) async -> ReadAnswers? {
        await withTaskGroup(of: ReadAnswers?.self) { group in
            group.addTask { await ask(batch) }
            group.addTask {
                _ = await environment.hasSlept(milliseconds)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }
}

extension SingleNode {
    init(_ probe: any NodeProbe) {
        asked = { batch in
            try? await probe.ask(batch).get()  // nil: no answer
        }
    }

    init(_ chain: any ChainClient) {
        asked = { batch in
            try? await batch.send(to: chain)  // nil: no answer
        }
    }
}

extension Session {
    /// Each node of the network; all of them as one where single ones are not known.
    var singleNodes: [SingleNode] {
        probes.isEmpty ? [SingleNode(chain)] : probes.map { SingleNode($0) }
    }
}
