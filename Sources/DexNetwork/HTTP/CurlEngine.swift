import CCurl

/// The thread's side of the transport: libcurl's multi handle and the transfers in it.
///
/// Not Sendable: it lives and dies on its thread.
final class CurlEngine {
    private let loop: CurlLoop
    private var transfers: [UnsafeMutableRawPointer: CurlTransfer] = [:]

    /// Once in the process, on the first thread that needs it.
    private static let globalInitialisation = dex_curl_global_init()

    /// Makes libcurl ready, which takes a few milliseconds; the library must be loaded.
    static func prepare() {
        _ = globalInitialisation
    }

    init(loop: CurlLoop) {
        self.loop = loop
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
        for handle in Array(transfers.keys) {
            finish(handle, in: multi, with: .failure(.cancelled))
        }
        dex_curl_multi_cleanup(multi)
    }

    /// One turn; false when it was the last.
    private func carry(_ multi: UnsafeMutableRawPointer) -> Bool {
        let orders = loop.takeOrders()
        for job in orders.starts { start(job, in: multi) }
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

    private func start(_ job: CurlJob, in multi: UnsafeMutableRawPointer) {
        guard let transfer = CurlTransfer(job: job, options: loop.options) else {
            job.continuation.resume(returning: .failure(.other("libcurl has no memory left")))
            return
        }
        transfers[transfer.handle] = transfer
        let code = dex_curl_multi_add_handle(multi, transfer.handle)
        if code != CURLM_OK {
            transfers[transfer.handle] = nil
            transfer.answer(.failure(.other(String(cString: dex_curl_multi_strerror(code)))))
        }
    }

    private func cancel(_ ticket: UInt64, in multi: UnsafeMutableRawPointer) {
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
    }

    /// libcurl cannot work: every request is told so, and later ones are not taken in.
    private func refuseEverything() {
        loop.stop()
        for job in loop.takeOrders().starts {
            job.continuation.resume(returning: .failure(.other("libcurl cannot be started")))
        }
    }
}
