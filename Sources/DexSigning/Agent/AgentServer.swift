import CProcess
import Glibc

/// Serves an unlocked key on its socket: one question and one answer a connection.
package final class AgentServer {
    private struct Connection {
        let descriptor: Int32
        /// Milliseconds of the clock.
        let deadline: UInt64
        var input: [UInt8] = []
        /// nil until the question is read.
        var output: ArraySlice<UInt8>?
    }

    private let agent: SigningAgent
    private let listener: Int32
    private let wake: Int32
    private let clock: () -> UInt64
    private let admits: (Int32) -> Bool
    private var connections: [Connection] = []

    /// More connections wait until one of these has its answer.
    package static let maximumConnections = 8
    /// Milliseconds from a connection to the end of its answer.
    package static let patience: UInt64 = 5_000
    /// Milliseconds between checks of the clock: poll(2) does not count a machine's sleep.
    private static let tick: UInt64 = 1_000

    /// - Parameters:
    ///   - wake: readable input ends the service; -1 for none.
    ///   - clock: milliseconds.
    ///   - admits: whether the peer of a connection gets an answer.
    package init(
        _ agent: SigningAgent,
        listener: Int32,
        wake: Int32,
        clock: @escaping () -> UInt64,
        admits: @escaping (Int32) -> Bool
    ) {
        self.agent = agent
        self.listener = listener
        self.wake = wake
        self.clock = clock
        self.admits = admits
    }

    deinit {
        for connection in connections { close(connection.descriptor) }
    }

    /// Serves until the time is over or `wake` is readable.
    ///
    /// It blocks its thread: the agent's process does nothing else.
    package func run() async {
        while await step(waiting: Self.tick) {}
    }

    /// Waits for an event and handles what is ready; false at the end.
    ///
    /// - Parameter milliseconds: the longest wait.
    package func step(waiting milliseconds: UInt64) async -> Bool {
        let isFull = connections.count >= Self.maximumConnections
        var ends = [
            pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
            // poll(2) ignores negative descriptors.
            pollfd(fd: isFull ? -1 : listener, events: Int16(POLLIN), revents: 0),
        ]
        for connection in connections {
            let event = connection.output == nil ? POLLIN : POLLOUT
            ends.append(pollfd(fd: connection.descriptor, events: Int16(event), revents: 0))
        }
        poll(&ends, nfds_t(ends.count), Int32(clamping: min(milliseconds, agent.timeLeft)))
        guard ends[0].revents == 0, agent.timeLeft > 0 else { return false }
        for end in ends.dropFirst(2) where end.revents != 0 { await advance(end.fd) }
        drop { $0.deadline <= clock() }
        if ends[1].revents != 0 { accept() }
        return true
    }

    package var connectionCount: Int { connections.count }

    private func accept() {
        while connections.count < Self.maximumConnections {
            let descriptor = dex_socket_accept(listener)
            guard descriptor >= 0 else { return }
            guard admits(descriptor) else {
                close(descriptor)
                continue
            }
            connections.append(
                Connection(descriptor: descriptor, deadline: clock() + Self.patience)
            )
        }
    }

    private func drop(_ isOver: (Connection) -> Bool) {
        for connection in connections where isOver(connection) { close(connection.descriptor) }
        connections.removeAll(where: isOver)
    }

    private func advance(_ descriptor: Int32) async {
        guard let index = connections.firstIndex(where: { $0.descriptor == descriptor }) else {
            return
        }
        if connections[index].output == nil {
            guard let output = await answer(at: index) else { return }
            connections[index].output = output[...]
        }
        guard let output = connections[index].output else { return }
        let sent = output.withUnsafeBytes {
            dex_socket_send(descriptor, $0.baseAddress, UInt($0.count))
        }
        if sent == -Int(EAGAIN) || sent == -Int(EINTR) { return }
        guard sent > 0, sent < output.count else {
            drop { $0.descriptor == descriptor }
            return
        }
        connections[index].output = output.dropFirst(sent)
    }

    /// The reply; nil while the question is incomplete.
    private func answer(at index: Int) async -> [UInt8]? {
        let descriptor = connections[index].descriptor
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        let count = read(descriptor, &chunk, chunk.count)
        if count < 0, errno == EAGAIN || errno == EINTR { return nil }
        guard count > 0 else {
            drop { $0.descriptor == descriptor }
            return nil
        }
        connections[index].input += chunk.prefix(count)
        switch AgentFrame.decode(connections[index].input) {
        case .partial: return nil
        case .broken:
            drop { $0.descriptor == descriptor }
            return nil
        case .whole(let question): return AgentFrame.encode(await agent.answer(question))
        }
    }
}
