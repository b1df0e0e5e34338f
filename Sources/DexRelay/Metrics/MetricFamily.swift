/// A metric with its samples, as Prometheus reads it.
///
/// Source: the Prometheus text exposition format, version 0.0.4.
struct MetricFamily: Sendable {
    enum Kind: String {
        case counter, gauge, histogram
    }

    /// One line; a suffix only in histograms.
    struct Sample {
        let suffix: StaticString
        let labels: [(name: String, value: String)]
        let value: String
    }

    let name: String
    let kind: Kind
    let help: String
    private(set) var samples: [Sample] = []

    init(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        self.kind = kind
        self.help = help
    }

    /// A family with one sample without labels, or without samples if the value is nil.
    init(_ name: String, _ kind: Kind, _ help: String, value: (some BinaryInteger)?) {
        self.init(name, kind, help)
        if let value { add(value) }
    }

    mutating func add(_ value: some BinaryInteger, _ labels: [(String, String)] = []) {
        add("", String(value), labels)
    }

    mutating func add(_ value: Double, _ labels: [(String, String)] = []) {
        add("", Self.text(value), labels)
    }

    mutating func add(_ histogram: Histogram, _ labels: [(String, String)] = []) {
        var sum: UInt64 = 0
        for (bound, count) in zip(Histogram.bounds, histogram.counts) {
            sum &+= count
            add("_bucket", String(sum), labels + [("le", Self.text(bound))])
        }
        add("_bucket", String(histogram.count), labels + [("le", "+Inf")])
        add("_sum", Self.text(histogram.sum), labels)
        add("_count", String(histogram.count), labels)
    }

    private mutating func add(
        _ suffix: StaticString,
        _ value: String,
        _ labels: [(String, String)]
    ) {
        samples.append(
            Sample(suffix: suffix, labels: labels.map { (name: $0.0, value: $0.1) }, value: value)
        )
    }

    /// The family's lines; nothing if it has no samples.
    var text: String {
        guard !samples.isEmpty else { return "" }
        var text = "# HELP \(name) \(Self.escaped(help, quotes: false))\n"
        text += "# TYPE \(name) \(kind.rawValue)\n"
        for sample in samples {
            text += "\(name)\(sample.suffix)"
            if !sample.labels.isEmpty {
                let labels = sample.labels.map {
                    "\($0.name)=\"\(Self.escaped($0.value, quotes: true))\""
                }
                text += "{\(labels.joined(separator: ","))}"
            }
            text += " \(sample.value)\n"
        }
        return text
    }

    private static func text(_ value: Double) -> String {
        guard value.isFinite else {
            return value.isNaN ? "NaN" : value < 0 ? "-Inf" : "+Inf"
        }
        return value == value.rounded() && abs(value) < 1e15
            ? String(Int64(value)) : String(value)
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quotes: result += "\\\""
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
