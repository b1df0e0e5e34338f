package import DexCore
package import StrictJSON

/// The result of `dex doctor` as `data`.
package enum DoctorJSON {
    package static func state(_ state: DoctorState) -> JSONValue {
        [
            "network": JSONFormat.text(state.network),
            "account": state.account.map { JSONFormat.address($0) } ?? .null,
            "checks": .array(state.rows.map(row)),
        ]
    }

    private static func row(_ row: DoctorState.Row) -> JSONValue {
        [
            "check": .string(row.check.rawValue),
            "node": JSONFormat.text(row.node),
            "status": .string(row.mark.rawValue),
            "found": JSONFormat.text(row.found),
            "remedies": .array(
                (row.remedy ?? "").split(separator: "\n").map { JSONFormat.text(String($0)) }
            ),
        ]
    }
}
