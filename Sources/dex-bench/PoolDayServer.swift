import Glibc

/// A node that serves a `PoolDay` over loopback, in a process of its own.
///
/// The number of logs that it gave is in the file `logs` of its folder.
enum PoolDayServer {
    /// The first argument of the process; with `-timed`, logs have the times of their blocks.
    static let role = "--serve-pool"
    static let timedRole = "--serve-pool-timed"

    /// A connection with what it sent of its next request.
    private struct Connection {
        let descriptor: Int32
        var received: [UInt8] = []
    }

    /// Serves until the process is killed; the port is written to `port` in the folder.
    static func run(folder: String, tellsTimes: Bool) throws {
        let day = try PoolDay(now: UInt64(clamping: time(nil)), tellsTimes: tellsTimes)
        let (listener, port) = try Loopback.listen()
        Notice.write("0", to: "\(folder)/logs")
        Notice.write("\(port)", to: "\(folder)/port")
        var open: [Connection] = []
        var logs = 0
        while true {
            var waited = ([listener] + open.map(\.descriptor)).map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            guard poll(&waited, nfds_t(waited.count), -1) > 0 else { continue }
            var left: [Connection] = []
            for (var connection, state) in zip(open, waited.dropFirst()) {
                let isQuiet = state.revents == 0
                if try isQuiet || serve(&connection, day, &logs, folder) {
                    left.append(connection)
                } else {
                    close(connection.descriptor)
                }
            }
            open = left
            if waited[0].revents != 0 {
                let descriptor = accept(listener, nil, nil)
                if descriptor >= 0 { open.append(Connection(descriptor: descriptor)) }
            }
        }
    }

    /// Reads what came, and answers whole requests.
    ///
    /// - Returns: false at the end of the connection.
    private static func serve(
        _ connection: inout Connection,
        _ day: PoolDay,
        _ logs: inout Int,
        _ folder: String
    ) throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        let count = read(connection.descriptor, &buffer, buffer.count)
        guard count > 0 else { return false }
        connection.received += buffer[..<count]
        while let body = request(in: &connection.received) {
            let answer = try day.answer(body)
            if answer.logs > 0 {
                logs += answer.logs
                Notice.write("\(logs)", to: "\(folder)/logs")
            }
            let bytes = Array(answer.json.utf8)
            let head =
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(bytes.count)\r\n\r\n"
            do throws(ChildProcessError) {
                try Loopback.write(Array(head.utf8) + bytes, to: connection.descriptor)
            } catch {
                return false  // The client has gone.
            }
        }
        return true
    }

    /// Takes the body of the first whole request; nil if there is none.
    private static func request(in bytes: inout [UInt8]) -> [UInt8]? {
        let end = Array("\r\n\r\n".utf8)
        guard bytes.count >= 4,
            let start = bytes.indices.dropLast(3).first(where: {
                bytes[$0] == 13 && bytes[$0..<$0 + 4].elementsEqual(end)
            })
        else { return nil }
        let head = String(decoding: bytes[..<start], as: UTF8.self).lowercased()
        let length =
            head.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst(15).filter { $0 != " " }) } ?? 0
        guard bytes.count >= start + 4 + length else { return nil }
        let body = Array(bytes[(start + 4)..<(start + 4 + length)])
        bytes.removeFirst(start + 4 + length)
        return body
    }
}
