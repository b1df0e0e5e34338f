import Glibc

/// Requests over several connections to a server on loopback, each answered before the next one
/// goes out on the same connection.
struct HTTPLoad {
    /// The status of an answer and the length of its body.
    struct Answer: Hashable {
        let status: Int
        let length: Int
    }

    private var connections: [Connection]

    init(port: UInt16, connections: Int) throws {
        self.connections = try (0..<connections).map { _ in try Connection(port: port) }
    }

    /// Sends all of these requests and reads all answers.
    mutating func run(_ requests: [[UInt8]]) throws -> [Answer] {
        var answers: [Answer] = []
        answers.reserveCapacity(requests.count)
        let width = connections.count
        for (index, request) in requests.enumerated() {
            if index >= width { answers.append(try connections[index % width].read()) }
            try connections[index % width].write(request)
        }
        for index in max(0, requests.count - width)..<requests.count {
            answers.append(try connections[index % width].read())
        }
        return answers
    }

    func close() {
        for connection in connections { Glibc.close(connection.descriptor) }
    }

    private struct Connection {
        let descriptor: Int32
        /// Read bytes that belong to the next answer.
        private var rest: [UInt8] = []
        private var buffer = [UInt8](repeating: 0, count: 262_144)

        init(port: UInt16) throws {
            descriptor = try Loopback.connect(port: port)
        }

        func write(_ bytes: [UInt8]) throws {
            try Loopback.write(bytes, to: descriptor)
        }

        mutating func read() throws -> Answer {
            var head: (status: Int, start: Int, length: Int)?
            while true {
                if head == nil { head = Self.head(rest) }
                if let head, rest.count >= head.start + head.length {
                    rest.removeFirst(head.start + head.length)
                    return Answer(status: head.status, length: head.length)
                }
                let count = Glibc.read(descriptor, &buffer, buffer.count)
                guard count > 0 else { throw ChildProcessError.failed("read", errno) }
                rest += buffer[..<count]
            }
        }

        /// The status, where the body starts and its length; nil before the head's end.
        private static func head(_ bytes: [UInt8]) -> (status: Int, start: Int, length: Int)? {
            let end = Array("\r\n\r\n".utf8)
            guard bytes.count >= end.count,
                let start = (0...bytes.count - end.count).first(where: {
                    bytes[$0..<$0 + end.count].elementsEqual(end)
                })
            else { return nil }
            let lines = String(decoding: bytes[..<start], as: UTF8.self)
                .lowercased().split(separator: "\r\n")
            let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
            let length = lines.lazy.compactMap { line -> Int? in
                guard line.hasPrefix("content-length:") else { return nil }
                return Int(line.dropFirst("content-length:".count).drop { $0 == " " })
            }.first
            return (status ?? 0, start + end.count, length ?? 0)
        }
    }
}
