import CCurl
import Synchronization

/// The mailbox between a WebSocket's thread and its reader.
///
/// Only the thread uses libcurl's handles; others put texts in and wake it.
final class WebSocketLink: Sendable {
    /// What the thread hands over.
    enum Event: Sendable {
        /// The upgrade is done.
        case opened
        case message(String)
    }

    /// What the thread is to do.
    struct Orders: Sendable {
        var texts: [String] = []
        /// The reader takes more messages.
        var reads = true
        var isClosed = false
    }

    private typealias Reader = CheckedContinuation<Result<Event, WebSocketError>, Never>

    private struct Box: Sendable {
        var events: [Event] = []
        /// Bytes of the messages in `events`.
        var bytes = 0
        var reader: Reader?
        var end: WebSocketError?
        var orders = Orders()
        /// The address of the multi handle while the thread runs, otherwise 0.
        var multi: UInt = 0
    }

    private let limits: WebSocketLimits
    private let box = Mutex(Box())

    init(limits: WebSocketLimits) {
        self.limits = limits
    }

    // MARK: The reader's side

    /// The next event.
    ///
    /// - Throws: `WebSocketError`: the end.
    func next() async throws(WebSocketError) -> Event {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (reader: Reader) in
                let ready = box.withLock { box -> Result<Event, WebSocketError>? in
                    if Task.isCancelled { return .failure(.cancelled) }
                    if !box.events.isEmpty {
                        let event = box.events.removeFirst()
                        if case .message(let text) = event { box.bytes -= text.utf8.count }
                        if !box.orders.reads, box.bytes <= limits.inbox / 2 {
                            box.orders.reads = true
                            Self.wake(box)
                        }
                        return .success(event)
                    }
                    if let end = box.end { return .failure(end) }
                    box.reader = reader
                    return nil
                }
                if let ready { reader.resume(returning: ready) }
            }
        } onCancel: {
            let reader = box.withLock { box in
                let reader = box.reader
                box.reader = nil
                return reader
            }
            reader?.resume(returning: .failure(.cancelled))
        }
        return try result.get()
    }

    func send(_ text: String) {
        box.withLock { box in
            box.orders.texts.append(text)
            Self.wake(box)
        }
    }

    func close() {
        box.withLock { box in
            box.orders.isClosed = true
            Self.wake(box)
        }
    }

    private static func wake(_ box: Box) {
        if let multi = UnsafeMutableRawPointer(bitPattern: box.multi) {
            dex_curl_multi_wakeup(multi)
        }
    }

    // MARK: The thread's side

    /// From now on the thread can be woken; 0 ends that.
    func setMulti(address: UInt) {
        box.withLock { $0.multi = address }
    }

    /// The reader has gone.
    var isClosing: Bool { box.withLock { $0.orders.isClosed } }

    func takeOrders() -> Orders {
        box.withLock { box in
            let orders = box.orders
            box.orders.texts = []
            return orders
        }
    }

    func put(_ event: Event) {
        let reader = box.withLock { box -> Reader? in
            if let reader = box.reader {
                box.reader = nil
                return reader
            }
            box.events.append(event)
            if case .message(let text) = event { box.bytes += text.utf8.count }
            if box.bytes > limits.inbox { box.orders.reads = false }
            return nil
        }
        reader?.resume(returning: .success(event))
    }

    /// The end, after the events that were put before.
    func end(_ error: WebSocketError) {
        let reader = box.withLock { box -> Reader? in
            if box.end == nil { box.end = error }
            let reader = box.reader
            box.reader = nil
            return reader
        }
        reader?.resume(returning: .failure(error))
    }
}
