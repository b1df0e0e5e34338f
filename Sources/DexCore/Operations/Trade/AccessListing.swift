import Ethereum
import ZeroEx

/// Finds whether an access list lets a fill skip orders that are gone.
///
/// It helps if a token's queries cost more gas than the exchange gives them: listed slots cost less
/// to read.
struct AccessListing {
    let chain: any ChainClient

    /// The highest address of a precompile, with reserve (EIP-7951 has 0x100).
    private static let lastPrecompile = UInt256(0x1FF)

    /// The reason why no access list is used.
    enum Refusal: Hashable, Sendable {
        /// The chain has no base fee, so no transactions of type 2.
        case noBaseFee
        /// The node cannot create one.
        case unsupported
        /// The call fails with it as well.
        case useless
    }

    enum Answer {
        case fill(FillSimulation.Result)
        case refused(Refusal)
    }

    /// The skipping call with the list of its accesses; one request.
    ///
    /// A node's failure here does not fail the trade: the call without a list was simulated.
    func announced(_ simulation: FillSimulation) async -> Answer {
        guard let call = simulation.call(.skipping) else { return .refused(.useless) }
        let trace: AccessListTrace
        do throws(ChainError) {
            trace = try await chain.read(.accessList(simulation.request(call)))
        } catch {
            return .refused(.unsupported)
        }
        let orders = simulation.route.legs.count + simulation.route.backups.count
        guard trace.failure == nil,
            let list = Self.helpful(
                trace.entries,
                account: simulation.account,
                exchange: call.to,
                orders: orders
            )
        else { return .refused(.useless) }
        let hasBackups = !simulation.route.backups.isEmpty
        let attempt = FillAttempt(mode: .skipping, accessList: list, hasBackups: hasBackups)
        return .fill(
            FillSimulation.Result(
                route: simulation.route(attempt),
                attempt: attempt,
                call: call,
                estimate: trace.gasUsed
            )
        )
    }

    /// Only entries that make a query cheaper; nil without any, or with more than the orders need.
    ///
    /// Sender, exchange and precompiles are warm anyway.
    static func helpful(
        _ entries: [AccessListEntry],
        account: Address,
        exchange: Address,
        orders: Int
    ) -> [AccessListEntry]? {
        var slots: [Address: Set<Bytes32>] = [:]
        for entry in entries {
            let number = UInt256(bigEndian: entry.address.bytes) ?? .zero
            guard entry.address != account, entry.address != exchange, number > lastPrecompile
            else { continue }
            slots[entry.address, default: []].formUnion(entry.storageKeys)
        }
        let items = slots.reduce(0) { $0 + 1 + $1.value.count }
        guard items > 0, items <= 64 + 32 * orders else { return nil }
        return slots.sorted { $0.key < $1.key }.map {
            AccessListEntry(address: $0.key, storageKeys: $0.value.sorted())
        }
    }
}
