import CCurl

/// The thread's side of the transport: libcurl's multi handle and the transfers in it.
///
/// Not Sendable: it lives and dies on its thread.
final class CurlEngine {
    private let loop: CurlLoop
    private var transfers: [UnsafeMutableRawPointer: CurlTransfer] = [:]
    private var queue: TransferQueue<CurlJob>
    private let clock = ContinuousClock()

    /// Once in the process, on the first thread that needs it.
    private static let globalInitialisation = dex_curl_global_init()

    /// Makes libcurl ready, which takes a few milliseconds; the library must be loaded.
    static func prepare() {
        _ = globalInitialisation
    }

    init(loop: CurlLoop) {
        self.loop = loop
        queue = TransferQueue(connectionsPerServer: loop.options.connectionsPerHost)
    }

    /// Carries transfers until it is told to stop.
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

    /// One turn; false when it was the last.
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
        // libcurl wakes up earlier for its own time-outs, and for a letter in the box.
        dex_curl_multi_wait(multi, 60_000)
        return true
    }

    /// - Parameter waited: how long for a connection, in milliseconds.
    private func start(_ job: CurlJob, waited: Int, in multi: UnsafeMutableRawPointer) {
        let options = loop.options
        let timeout = CurlTransfer.timeout(of: job, options)
        guard waited < timeout || waited == 0 else {
            // The time for the whole answer went by in the queue.
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

    /// The connection that came free goes to the request that waits longest for one.
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

    /// Takes a transfer out of libcurl, which closes its connection if it was not done, and then
    /// answers.
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

    /// libcurl cannot work: every request is told so, and later ones are not taken in.
    private func refuseEverything() {
        loop.stop()
        for job in loop.takeOrders().starts {
            job.continuation.resume(returning: .failure(.other("libcurl cannot be started")))
        }
    }
}
