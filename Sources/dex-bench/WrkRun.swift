import Glibc

/// A run of wrk, a load program of others: pages that it read in some seconds.
struct WrkRun {
    let requestsPerSecond: Double
    let requests: Int

    /// Loads a URL over some connections.
    ///
    /// - Throws: `Unanswered` if one request failed, or was answered with another status than 2xx.
    init(url: String, connections: Int, seconds: Int) throws {
        let arguments = [
            "/usr/bin/wrk", "-t1", "-c\(connections)", "-d\(seconds)s", "--timeout", "5s", url,
        ]
        let child = try ChildProcess.run(arguments, keepsOutput: true)
        guard child.exitCode == 0 else {
            throw ChildProcessError.exited(arguments, child.exitCode)
        }
        let lines = child.output.split(separator: "\n").map { $0.drop { $0 == " " } }
        // wrk names them only if there are any.
        let faults = lines.filter {
            $0.hasPrefix("Non-2xx") || $0.hasPrefix("Socket errors")
        }
        let rate = lines.first { $0.hasPrefix("Requests/sec:") }?.split(separator: " ").last
        let count = lines.first { $0.contains(" requests in ") }?.split(separator: " ").first
        guard faults.isEmpty, let rate = rate.flatMap({ Double($0) }),
            let count = count.flatMap({ Int($0) }), count > 0
        else { throw Unanswered(output: child.output) }
        requestsPerSecond = rate
        requests = count
    }

    private struct Unanswered: Error, CustomStringConvertible {
        let output: String

        var description: String { "wrk had requests without a proper answer:\n\(output)" }
    }
}
