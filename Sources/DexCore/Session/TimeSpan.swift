/// The text of a time span.
package enum TimeSpan {
    /// The two largest units: `2 d 4 h`, `3 h 12 m`, `12 m 5 s`, `45 s`.
    package static func text(_ seconds: UInt64) -> String {
        let units: [(size: UInt64, name: String)] = [
            (86_400, "d"), (3_600, "h"), (60, "m"), (1, "s"),
        ]
        guard let first = units.firstIndex(where: { seconds >= $0.size }) else { return "0 s" }
        let large = units[first]
        var text = "\(seconds / large.size) \(large.name)"
        if first + 1 < units.count {
            let small = units[first + 1]
            let rest = seconds % large.size / small.size
            if rest > 0 { text += " \(rest) \(small.name)" }
        }
        return text
    }
}
