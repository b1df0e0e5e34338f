import CCurl

/// The transport thread's side: libcurl's multi handle and its transfers.
///
/// Not Sendable: it stays on its thread.
final class CurlEngine {
    private let loop: CurlLoop
    private var transfers: [UnsafeMutableRawPointer: CurlTransfer] = [:]
    private var queue: TransferQueue<CurlJob>
    private let clock = ContinuousClock()

    /// Runs once per process, on the first thread that needs it.
    private static let globalInitialisation = dex_curl_global_init()

    /// Initialises libcurl, which takes a few milliseconds; the library must be loaded.
    static func prepare() {
        _ = globalInitialisation
    }

    init(loop: CurlLoop) {
        self.loop = loop
        queue = TransferQueue(connectionsPerServer: loop.options.connectionsPerHost)
    }

    func run() {
        guard Self.globalInitialisation == CURLE_OK, let multi = dex_curl_multi_init() else {
            refuseEverything()
            return
        }
        let perHost = loop.options.connectionsPerHost
        dex_curl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, perHost)
        dex_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, perHost * 2)
        dex_curl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        loop.setMulti(address: UInt(bitPattern: multi))
        while carry(multi) {}
        loop.setMulti(address: 0)
        for job in queue.removeAll() { job.continuation.resume(returning: .failure(.cancelled)) }
        for handle in Array(transfers.keys) {
            finish(handle, in: multi, with: .failure(.cancelled))
        }
        dex_curl_multi_cleanup(multi)
    }

    /// One turn; false if it was the last.
    private func carry(_ multi: UnsafeMutableRawPointer) -> Bool {
        let orders = loop.takeOrders()
        for job in orders.starts {
            let isFirst = queue.admit(
                job,
                ticket: job.ticket,
                to: job.address.server,
                now: clock.now
            )
            if isFirst { start(job, waited: 0, in: multi) }
        }
        for ticket in orders.cancels { cancel(ticket, in: multi) }
        guard !orders.stop else { return false }
        var running: CInt = 0
        dex_curl_multi_perform(multi, &running)
        var left: CInt = 0
        while let message = dex_curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle
            else { continue }
            let code = dex_curl_result(message)
            if let transfer = transfers[handle] {
                finish(handle, in: multi, with: transfer.outcome(of: code))
            }
        }
        // libcurl wakes up earlier for its own time-outs and for new orders.
        dex_curl_multi_wait(multi, 60_000)
        return true
    }

    /// - Parameter waited: the wait for a connection, in milliseconds.
    private func start(_ job: CurlJob, waited: Int, in multi: UnsafeMutableRawPointer) {
        let options = loop.options
        let timeout = CurlTransfer.timeout(of: job, options)
        guard waited < timeout || waited == 0 else {
            // The time limit of the whole answer passed in the queue.
            return refuse(job, .timedOut(milliseconds: timeout), in: multi)
        }
        guard let transfer = CurlTransfer(job: job, waited: waited, options: options) else {
            return refuse(job, .other("libcurl has no memory left"), in: multi)
        }
        let code = dex_curl_multi_add_handle(multi, transfer.handle)
        guard code == CURLM_OK else {
            return refuse(job, .other(String(cString: dex_curl_multi_strerror(code))), in: multi)
        }
        transfers[transfer.handle] = transfer
    }

    private func refuse(_ job: CurlJob, _ error: HTTPError, in multi: UnsafeMutableRawPointer) {
        job.continuation.resume(returning: .failure(error))
        startNext(after: job.address.server, in: multi)
    }

    /// Gives a free connection to the request that has waited longest for one.
    private func startNext(
        after server: TransferQueue<CurlJob>.Server,
        in multi: UnsafeMutableRawPointer
    ) {
        guard let waiting = queue.next(after: server) else { return }
        start(waiting.job, waited: waiting.milliseconds(until: clock.now), in: multi)
    }

    private func cancel(_ ticket: UInt64, in multi: UnsafeMutableRawPointer) {
        if let job = queue.remove(ticket) {
            return job.continuation.resume(returning: .failure(.cancelled))
        }
        for (handle, transfer) in transfers where transfer.ticket == ticket {
            finish(handle, in: multi, with: .failure(.cancelled))
            return
        }
    }

    /// Removes a transfer from libcurl and then answers; an unfinished one loses its connection.
    private func finish(
        _ handle: UnsafeMutableRawPointer,
        in multi: UnsafeMutableRawPointer,
        with result: Result<HTTPResponse, HTTPError>
    ) {
        guard let transfer = transfers.removeValue(forKey: handle) else { return }
        dex_curl_multi_remove_handle(multi, handle)
        transfer.answer(result)
        startNext(after: transfer.server, in: multi)
    }

    /// libcurl does not work: all requests fail, and no later ones are accepted.
    private func refuseEverything() {
        loop.stop()
        for job in loop.takeOrders().starts {
            job.continuation.resume(returning: .failure(.other("libcurl cannot be started")))
        }
    }
}
