/// Splits what a client of the Model Context Protocol writes into its messages: one a line.
///
/// Source: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio
package struct MCPFrames: Sendable {
    package enum Frame: Equatable, Sendable {
        /// The bytes of a line without its end; never only white space.
        case message([UInt8])
        /// A line of more than `maximumBytes`; said once, and nothing of it is kept.
        case tooLong
    }

    /// The most bytes of a message.
    package static let maximumBytes = 1 << 20

    private var line: [UInt8] = []
    private var isSkipping = false

    package init() {}

    /// The messages that end in these bytes; the start of another is kept for the next ones.
    package mutating func take(_ bytes: some Collection<UInt8>) -> [Frame] {
        var frames: [Frame] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            keep(rest[..<end], &frames)
            finish(&frames)
            rest = rest[rest.index(after: end)...]
        }
        keep(rest, &frames)
        return frames
    }

    private mutating func keep(_ part: some Collection<UInt8>, _ frames: inout [Frame]) {
        guard !isSkipping else { return }
        guard line.count + part.count <= Self.maximumBytes else {
            frames.append(.tooLong)
            line = []
            isSkipping = true
            return
        }
        line.append(contentsOf: part)
    }

    private mutating func finish(_ frames: inout [Frame]) {
        defer {
            isSkipping = false
            line = []
        }
        let isBlank = line.allSatisfy { [0x20, 0x09, 0x0D].contains($0) }
        guard !isSkipping, !isBlank else { return }
        frames.append(.message(line))
    }
}
