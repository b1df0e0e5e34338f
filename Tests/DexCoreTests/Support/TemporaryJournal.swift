import DexStore
import Foundation
import GRDB
import StrictJSON
import ZeroEx

/// A real journal in a folder of its own, which goes with it.
final class TemporaryJournal: Sendable {
    let journal: Journal
    private let folder: String

    init() {
        folder =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("dex-tests-\(UUID().uuidString)").path
        journal = Journal(path: "\(folder)/journal.sqlite")
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Changes the file as another program might.
    func damage(_ sql: String) throws {
        try DatabaseQueue(path: "\(folder)/journal.sqlite").write { try $0.execute(sql: sql) }
    }

    /// Writes an order down as one of ours, as placing it does.
    func keep(
        _ order: any SignedOrder,
        of codec: any OrderCodec,
        created: UInt64 = TestMarket.now
    ) throws {
        try journal.save(
            JournalOrder(
                chainID: 1337,
                exchange: order.exchange,
                hash: order.hash,
                maker: order.maker,
                wire: codec.encodeOrder(order).text,
                created: created
            )
        )
    }
}
