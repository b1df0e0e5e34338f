package import DexCore
import Ethereum
import StrictJSON

/// The result of `dex doctor` as `data`.
package enum DoctorJSON {
    package static let state = Fields<DoctorState>(named: "checkup", "A checkup") {
        Field("network", "Null if unknown", \.network)
        Field("account", "Null if unknown", \.account)
        Field("checks", "In the order of the checkup", list: row, \.rows)
    }

    private static let row = Fields<DoctorState.Row> {
        Field("check", "What was looked at ([doctor.md](doctor.md))", \.check.word)
        Field("node", "Null if it is not about a node", \.node)
        Field("status", "What came of it", \.mark.word)
        Field("found", "What was found; a sentence", \.found)
        Field("remedies", "Sentences; empty if nothing is wrong") {
            ($0.remedy ?? "").split(separator: "\n").map(String.init)
        }
    }
}
