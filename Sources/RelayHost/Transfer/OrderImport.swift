import DexCore
package import DexRelay
package import ZeroEx

/// Reads the lines of an export and hands the orders on, to be verified as posted ones are.
package struct OrderImport: Sendable {
    /// Verifies orders of one version and takes them.
    package typealias Add =
        @Sendable (ProtocolVersion, [any SignedOrder]) async throws -> OrderIntake.BulkOutcome

    /// A line that brought no order.
    package struct Refusal: Hashable, Sendable {
        /// From 1.
        package let line: Int
        /// nil if the line is no order.
        package let hash: OrderHash?
        package let reason: String
    }

    package struct Report: Sendable {
        package var lines = 0
        package var added = 0
        package var known = 0
        package var refused = 0
        /// The first refusals, in the order of the lines of each batch.
        package var examples: [Refusal] = []
    }

    /// More refusals are only counted.
    package static let maximumExamples = 50
    /// Orders that are verified together.
    private static let batch = 1_000

    private let protocols: [ProtocolVersion: any ExchangeProtocol]
    private let add: Add

    /// - Parameter add: verifies orders and takes them; none of them if it throws.
    package init(
        protocols: [ProtocolVersion: any ExchangeProtocol],
        add: @escaping Add
    ) {
        self.protocols = protocols
        self.add = add
    }

    /// Takes the orders of a text; empty lines are skipped.
    ///
    /// - Throws: what `add` throws: then earlier batches are taken, and the same import can be
    ///   repeated.
    package func run(_ text: [UInt8]) async throws -> Report {
        var report = Report()
        var waiting: [ProtocolVersion: [(line: Int, order: any SignedOrder)]] = [:]
        var number = 0
        for line in text.lazy.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        {
            number += 1
            guard line.contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) else { continue }
            try Task.checkCancellation()
            report.lines += 1
            do throws(OrderLine.Fault) {
                let (version, order) = try OrderLine.read(line, protocols)
                waiting[version, default: []].append((number, order))
            } catch {
                report.add(Refusal(line: number, hash: nil, reason: error.description))
            }
            for version in waiting.keys where waiting[version]?.count ?? 0 >= Self.batch {
                try await hand(version, waiting.removeValue(forKey: version) ?? [], &report)
            }
        }
        for (version, orders) in waiting.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            try await hand(version, orders, &report)
        }
        return report
    }

    private func hand(
        _ version: ProtocolVersion,
        _ orders: [(line: Int, order: any SignedOrder)],
        _ report: inout Report
    ) async throws {
        // A second line with the same order is known, as it would be in a later batch.
        var lines: [OrderHash: Int] = [:]
        var unique: [any SignedOrder] = []
        for (line, order) in orders {
            if lines.updateValue(lines[order.hash] ?? line, forKey: order.hash) == nil {
                unique.append(order)
            } else {
                report.known += 1
            }
        }
        let outcome = try await add(version, unique)
        report.added += outcome.added
        report.known += outcome.known
        for (hash, refusals) in outcome.refused {
            report.add(
                Refusal(
                    line: lines[hash] ?? 0,
                    hash: hash,
                    reason: PlainText.clean(refusals.description, limit: 300)
                )
            )
        }
    }
}

extension OrderImport.Report {
    fileprivate mutating func add(_ refusal: OrderImport.Refusal) {
        refused += 1
        if examples.count < OrderImport.maximumExamples { examples.append(refusal) }
    }
}
