/// A benchmark's figure and its limit, printed as a ratio.
struct Measurement {
    let name: String
    /// The figure in readable text.
    let figure: String
    /// The figure divided by its reference.
    let ratio: Double
    /// The maximum ratio.
    let limit: Double
    /// It is the best of so many.
    var runs = 1

    var isWithinLimit: Bool {
        ratio <= limit
    }

    var line: String {
        let verdict = isWithinLimit ? "ok  " : "OVER"
        return "\(verdict)  \(pad(name, 46))\(pad(figure, 24))"
            + "\(decimals(ratio, 2)) of at most \(decimals(limit, 2))"
            + (runs > 1 ? ", best of \(runs)" : "")
    }
}

/// The median of some values; of an even number the larger of the two in the middle.
func median<Value: Comparable>(_ values: [Value]) -> Value {
    values.sorted()[values.count / 2]
}

/// Milliseconds with two decimals.
func milliseconds(_ duration: Duration) -> String {
    "\(decimals(duration / .milliseconds(1), 2)) ms"
}

/// Microseconds with one decimal.
func microseconds(_ duration: Duration) -> String {
    "\(decimals(duration / .microseconds(1), 1)) us"
}

/// A number with this many decimals, rounded.
func decimals(_ value: Double, _ places: Int) -> String {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let scaled = Int((value * scale).rounded())
    let fraction = String(scaled % Int(scale))
    guard places > 0 else { return String(scaled) }
    return "\(scaled / Int(scale))."
        + String(repeating: "0", count: places - fraction.count) + fraction
}

/// Text padded to a width, with at least one trailing space.
func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
}
