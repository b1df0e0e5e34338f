package import DexCore
import DexRelay
import Logging
import ZeroEx

/// Takes a relay's orders out of its store, and back into it.
package struct OrderTransfer: Sendable {
    private let settings: RelaySettings
    private let logger: Logger

    package init(settings: RelaySettings) {
        self.settings = settings
        logger = Logger(label: "dex.relay.transfer") { _ in SwiftLogNoOpLogHandler() }
    }

    /// A line for each order that is shown or waits for funds, in the order of their changes.
    ///
    /// - Parameter line: gets each line without its end.
    /// - Returns: how many there are.
    /// - Throws: `DexError`.
    package func export(
        now: UInt64,
        _ line: ([UInt8]) -> Void
    ) async throws(DexError) -> Int {
        let store = try await StoreOpening.open(settings, logger)
        var count = 0
        var failure: OrderStoreError?
        do throws(OrderStoreError) {
            _ = try await store.load(goneSince: now) { order in
                guard order.state == .shown || order.state == .dormant else { return }
                line(OrderLine.text(order.version, body: order.body))
                count += 1
            }
        } catch {
            failure = error
        }
        do throws(OrderStoreError) {
            try await store.close()
        } catch {
            failure = failure ?? error
        }
        if let failure { throw DexError(failure, at: settings.store) }
        return count
    }

    /// Verifies the orders of an export and takes those that a post would be taken of.
    ///
    /// - Throws: `DexError`, as when the node does not answer: then earlier batches are taken, and
    ///   the import can be repeated.
    package func take(
        _ text: [UInt8],
        node: RelayNode,
        environment: Environment
    ) async throws -> OrderImport.Report {
        let relay = try await HostedRelay.open(
            settings,
            contracts: try await node.contracts(),
            chain: node.chain,
            recoverer: node.recoverer,
            environment: environment,
            logger: logger
        )
        var protocols: [ProtocolVersion: any ExchangeProtocol] = [:]
        for network in settings.networks where relay.live[network.protocolVersion] != nil {
            protocols[network.protocolVersion] = Protocols.implementation(of: network)
        }
        let orders = OrderImport(protocols: protocols) { version, orders in
            guard let market = relay.server.market(version) else {
                return OrderIntake.BulkOutcome()
            }
            return try await market.intake.add(orders)
        }
        do {
            let report = try await orders.run(text)
            await relay.close(logger)
            return report
        } catch {
            await relay.close(logger)
            if let error = error as? OrderStoreError {
                throw DexError(error, at: settings.store)
            }
            throw error
        }
    }
}
