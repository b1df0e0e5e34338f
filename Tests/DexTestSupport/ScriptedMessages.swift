import Foundation

/// A request as it came over the wire.
package struct ScriptedRequest: Sendable {
    /// The request line and the headers.
    package let lines: [String]
    package let body: [UInt8]

    package init(lines: [String], body: [UInt8]) {
        self.lines = lines
        self.body = body
    }

    package var method: String { lines[0].components(separatedBy: " ")[0] }
    package var target: String { lines[0].components(separatedBy: " ")[1] }

    package func header(_ name: String) -> String? {
        lines.dropFirst().compactMap { line -> String? in
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { return nil }
            return parts[1].trimmingCharacters(in: .whitespaces)
        }.first
    }
}

/// An answer with its length.
package struct ScriptedAnswer: Sendable {
    package var status = "200 OK"
    package var headers: [String] = []
    package var body: [UInt8] = []

    package init(_ status: String = "200 OK", headers: [String] = [], body: String = "") {
        self.status = status
        self.headers = headers
        self.body = Array(body.utf8)
    }

    package var bytes: [UInt8] {
        let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.count)"] + headers
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }
}
