import Ethereum
import GRDB

// The words of the journal's own values.

extension ActivityRecord.Kind: DatabaseValueConvertible {}
extension AlertCondition.Comparison: DatabaseValueConvertible {}
extension JournalGuard.Side: DatabaseValueConvertible {}
extension JournalGuard.Trigger: DatabaseValueConvertible {}
extension WatchEvent.Kind: DatabaseValueConvertible {}

extension TransactionStage: DatabaseValueConvertible {
    var databaseValue: DatabaseValue { stored.databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> TransactionStage? {
        let word = String.fromDatabaseValue(value)
        return allCases.first { $0.stored == word }
    }
}

extension PlanID: DatabaseValueConvertible {
    var databaseValue: DatabaseValue { description.databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> PlanID? {
        String.fromDatabaseValue(value).flatMap { PlanID($0) }
    }
}

/// Base units, or a word for an amount that is not proven.
extension TradeArrival: DatabaseValueConvertible {
    static let unknown = "unknown"

    var databaseValue: DatabaseValue { amount?.databaseValue ?? Self.unknown.databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> TradeArrival? {
        if String.fromDatabaseValue(value) == unknown { return .unproven }
        return UInt256.fromDatabaseValue(value).map { .proven($0) }
    }
}
