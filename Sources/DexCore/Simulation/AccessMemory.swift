import EVM
import Ethereum
import Synchronization

/// What calls read of the chain's state, as nodes told it while a command plans.
///
/// So the last check before a signature asks for all of that state at once.
package final class AccessMemory: Sendable {
    private let keys = Mutex<[Address: Set<StateKey>]>([:])

    package init() {}

    /// - Parameter trace: a node's answer about a call.
    func learn(_ trace: AccessListTrace, of call: CallRequest) {
        var found: Set<StateKey> = [.account(call.to)]
        if let account = call.from { found.insert(.account(account)) }
        for entry in trace.entries {
            found.insert(.account(entry.address))
            for slot in entry.storageKeys {
                found.insert(.word(UInt256(slot), of: entry.address))
            }
        }
        keys.withLock { keys in
            let all = keys[call.to, default: []].union(found)
            // Calls of other forms to the same contract; what they need is asked for again.
            keys[call.to] = all.count > StateReads.maximum ? found : all
        }
    }

    /// nil if no node told it.
    func keys(of call: CallRequest) -> Set<StateKey>? {
        keys.withLock { $0[call.to] }
    }
}

extension ReadAnswers {
    /// Remembers what a call reads, unless the node does not say it or the call fails.
    func learn(
        _ slot: ReadSlot<AccessListTrace>,
        of call: CallRequest,
        into memory: AccessMemory
    ) {
        // nil: many nodes have no such method
        guard let trace = try? self[slot].get(), trace.failure == nil else { return }
        memory.learn(trace, of: call)
    }
}
