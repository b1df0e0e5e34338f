import DexTestSupport
import StrictJSON
import Testing

extension DexBinary.Run {
    /// What `dex doctor --json` found: the status of each check, the first of its kind.
    ///
    /// Every row is held to what all of them promise.
    func checks() throws -> [String: String] {
        let json = try json()
        #expect(json["command"] == "doctor")
        #expect(json["exitCode"]?.numberText == String(status))
        let hasFailed = status != 0
        #expect(json["status"] == (hasFailed ? "error" : "ok"))
        #expect(json["error"]?["code"] == (hasFailed ? "unhealthy" : nil))
        let rows = try #require(json["data"]?["checks"]?.arrayValue, "\(stdout) \(stderr)")
        var statuses: [String: String] = [:]
        for row in rows {
            let name = try #require(row["check"]?.stringValue)
            statuses[name] = statuses[name] ?? row["status"]?.stringValue
            let isWell = ["ok", "skipped"].contains(row["status"]?.stringValue)
            // What is not well says what mends it.
            #expect(isWell == row.remedies.isEmpty, "\(row.text)")
            #expect(row["found"]?.stringValue?.hasSuffix(".") == true, "\(row.text)")
        }
        return statuses
    }

    /// The first row of a check.
    func check(_ name: String) throws -> JSONValue {
        let rows = try #require(try json()["data"]?["checks"]?.arrayValue, "\(stderr)")
        return try #require(rows.first { $0["check"]?.stringValue == name })
    }
}

extension JSONValue {
    /// What mends the finding of a check.
    var remedies: [String] { self["remedies"]?.arrayValue?.compactMap(\.stringValue) ?? [] }
}
