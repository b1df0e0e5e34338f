import Glibc

/// Many subscribers of a relay's feed on loopback, read by one thread.
final class FeedLoad {
    private var readers: [FeedReader] = []
    private var buffer = [UInt8](repeating: 0, count: 1 << 20)

    /// Connects them one after another, each with one subscription.
    ///
    /// - Parameters:
    ///   - path: that of the API's WebSocket.
    ///   - subscription: the message that subscribes; it asks for a snapshot.
    init(port: UInt16, path: String, subscribers: Int, subscription: String) throws {
        do {
            for _ in 0..<subscribers {
                let reader = try FeedReader(port: port, path: path)
                readers.append(reader)
                try reader.send(text: subscription)
            }
            // Its snapshot makes a subscriber.
            _ = try read(until: 0, within: .seconds(60))
        } catch {
            close()
            throw error
        }
    }

    /// The last sequence that every subscriber has read.
    var sequence: UInt64 {
        readers.compactMap(\.sequence).min() ?? 0
    }

    /// When each subscriber had read a message with this sequence or a later one.
    func read(until sequence: UInt64, within patience: Duration) throws -> [Moment] {
        let deadline = ContinuousClock.now + patience
        var moments: [Moment] = []
        var waiting = readers.indices.filter { index in
            guard let reached = readers[index].sequence, reached >= sequence else { return true }
            moments.append(readers[index].read)
            return false
        }
        while !waiting.isEmpty {
            guard ContinuousClock.now < deadline else {
                throw TooSlow(subscribers: waiting.count, sequence: sequence)
            }
            var polls = waiting.map {
                pollfd(fd: readers[$0].descriptor, events: Int16(POLLIN), revents: 0)
            }
            guard poll(&polls, nfds_t(polls.count), 100) >= 0 || errno == EINTR else {
                throw ChildProcessError.failed("poll", errno)
            }
            var left: [Int] = []
            for (place, index) in waiting.enumerated() {
                if polls[place].revents != 0 { try readers[index].read(&buffer) }
                if let reached = readers[index].sequence, reached >= sequence {
                    moments.append(readers[index].read)
                } else {
                    left.append(index)
                }
            }
            waiting = left
        }
        return moments
    }

    /// Reads until nothing comes for so long.
    func settle(_ quiet: Duration = .milliseconds(400)) throws {
        var last = ContinuousClock.now
        while ContinuousClock.now - last < quiet {
            var polls = readers.map {
                pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0)
            }
            guard poll(&polls, nfds_t(polls.count), 50) >= 0 || errno == EINTR else {
                throw ChildProcessError.failed("poll", errno)
            }
            for index in readers.indices where polls[index].revents != 0 {
                try readers[index].read(&buffer)
                last = ContinuousClock.now
            }
        }
    }

    func close() {
        for reader in readers { Glibc.close(reader.descriptor) }
        readers = []
    }

    /// Processor time of this process until now.
    static var processor: Duration {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        return Duration(usage.ru_utime) + Duration(usage.ru_stime)
    }

    private struct TooSlow: Error, CustomStringConvertible {
        let subscribers: Int
        let sequence: UInt64

        var description: String { "\(subscribers) subscribers did not get sequence \(sequence)." }
    }
}
