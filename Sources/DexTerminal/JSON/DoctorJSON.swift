package import DexCore
package import StrictJSON

/// What `dex doctor` found as `data`.
package enum DoctorJSON {
    package static func state(_ state: DoctorState) -> JSONValue {
        [
            "network": JSONForms.text(state.network),
            "account": state.account.map { JSONForms.address($0) } ?? .null,
            "checks": .array(state.rows.map(row)),
        ]
    }

    private static func row(_ row: DoctorState.Row) -> JSONValue {
        [
            "check": .string(row.check.rawValue),
            "node": JSONForms.text(row.node),
            "status": .string(row.mark.rawValue),
            "found": JSONForms.text(row.found),
            "remedies": .array(
                (row.remedy ?? "").split(separator: "\n").map { JSONForms.text(String($0)) }
            ),
        ]
    }
}
