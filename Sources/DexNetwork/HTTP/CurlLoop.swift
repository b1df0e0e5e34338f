import CCurl
import DexSigning
import Glibc
import Synchronization

/// One request for the transport thread.
struct CurlJob: Sendable {
    let ticket: UInt64
    let request: HTTPRequest
    let address: WebAddress
    let continuation: CheckedContinuation<Result<HTTPResponse, HTTPError>, Never>
}

/// The mailbox of the transport thread.
///
/// Other threads put orders in and wake it; only the thread itself uses libcurl's handles.
final class CurlLoop: Sendable {
    /// The orders for the thread, taken all at once.
    struct Orders: Sendable {
        var starts: [CurlJob] = []
        var cancels: [UInt64] = []
        var stop = false
    }

    private struct Box: Sendable {
        var orders = Orders()
        var lastTicket: UInt64 = 0
        /// Requests that were started and not finished.
        var started: Set<UInt64> = []
        /// Requests that were cancelled before their start.
        var cancelledEarly: Set<UInt64> = []
        /// The address of the multi handle while the thread runs, otherwise 0.
        ///
        /// A raw pointer cannot cross threads in Swift; only `curl_multi_wakeup` may use it from
        /// others.
        var multi: UInt = 0
    }

    let options: CurlTransport.Options
    private let box = Mutex(Box())

    init(options: CurlTransport.Options) {
        self.options = options
    }

    /// Starts the thread; false if the system cannot create one.
    func startThread() -> Bool {
        DetachedThread.start { CurlEngine(loop: self).run() }
    }

    // MARK: From any thread

    func takeTicket() -> UInt64 {
        box.withLock { box in
            box.lastTicket += 1
            return box.lastTicket
        }
    }

    func start(_ job: CurlJob) {
        let isCancelled = box.withLock { box in
            if box.orders.stop || box.cancelledEarly.contains(job.ticket) { return true }
            box.started.insert(job.ticket)
            box.orders.starts.append(job)
            Self.wake(box)
            return false
        }
        if isCancelled { job.continuation.resume(returning: .failure(.cancelled)) }
    }

    func cancel(_ ticket: UInt64) {
        box.withLock { box in
            if box.started.contains(ticket) {
                box.orders.cancels.append(ticket)
                Self.wake(box)
            } else {
                box.cancelledEarly.insert(ticket)
            }
        }
    }

    func giveBack(_ ticket: UInt64) {
        box.withLock { box in
            box.started.remove(ticket)
            box.cancelledEarly.remove(ticket)
        }
    }

    func stop() {
        box.withLock { box in
            box.orders.stop = true
            Self.wake(box)
        }
    }

    private static func wake(_ box: Box) {
        if let multi = UnsafeMutableRawPointer(bitPattern: box.multi) {
            dex_curl_multi_wakeup(multi)
        }
    }

    /// From now on the thread can be woken; 0 ends that.
    func setMulti(address: UInt) {
        box.withLock { $0.multi = address }
    }

    /// The thread's current orders.
    ///
    /// After a stop no new requests are accepted.
    func takeOrders() -> Orders {
        box.withLock { box in
            let orders = box.orders
            box.orders.starts = []
            box.orders.cancels = []
            return orders
        }
    }
}

/// The value of an environment variable; nil if it is unset or empty.
package func variable(named name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
}
