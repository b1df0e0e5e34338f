/// Samples of a text for Prometheus, as far as a relay writes them.
///
/// Source: the Prometheus text exposition format, version 0.0.4.
package struct MetricsText: Sendable {
    package struct Sample: Hashable, Sendable {
        package let name: String
        package let labels: [String: String]
        package let value: Double
    }

    package let samples: [Sample]

    /// Reads a text; nil if a line is no sample, no comment and not empty.
    package init?(_ text: String) {
        var samples: [Sample] = []
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            var reader = LineReader(Array(line.utf8))
            guard let sample = reader.sample() else { return nil }
            samples.append(sample)
        }
        self.samples = samples
    }

    package func all(_ name: String) -> [Sample] {
        samples.filter { $0.name == name }
    }

    /// The value of the only sample with this name; nil if there is none.
    package func value(_ name: String) -> Double? {
        samples.first { $0.name == name }?.value
    }

    /// The same as a count; nil also for what is no whole number from 0 on.
    package func count(_ name: String) -> UInt64? {
        value(name).flatMap { UInt64(exactly: $0) }
    }
}

/// Reads one line: `name{label="value"} 1.5`.
private struct LineReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func sample() -> MetricsText.Sample? {
        guard let name = word() else { return nil }
        var labels: [String: String] = [:]
        if take("{") {
            while !take("}") {
                guard let key = word(), take("="), let value = quoted() else { return nil }
                labels[key] = value
                guard take(",") || next == UInt8(ascii: "}") else { return nil }
            }
        }
        guard take(" ") else { return nil }
        let rest = String(decoding: bytes[position...], as: UTF8.self)
        guard let number = rest.split(separator: " ").first.flatMap({ Double($0) }) else {
            return nil
        }
        return MetricsText.Sample(name: name, labels: labels, value: number)
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: scalar) else { return false }
        position += 1
        return true
    }

    private mutating func word() -> String? {
        let start = position
        while let byte = next, Self.isName(byte) { position += 1 }
        guard position > start else { return nil }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: ":"):
            true
        default: false
        }
    }

    private mutating func quoted() -> String? {
        guard take("\"") else { return nil }
        var text: [UInt8] = []
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = next else { return nil }
                position += 1
                text.append(escaped == UInt8(ascii: "n") ? UInt8(ascii: "\n") : escaped)
            default: text.append(byte)
            }
        }
        return nil
    }
}
