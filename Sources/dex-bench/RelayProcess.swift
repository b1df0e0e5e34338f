import Glibc

/// A running `RelayBenchmarkServer`.
struct RelayProcess {
    private let server: ServerProcess
    private let home: TemporaryHome
    let port: UInt16

    /// Starts it and waits until it listens.
    init(onOneCore: Bool) throws {
        home = try TemporaryHome()
        let taskset = onOneCore ? ["/usr/bin/taskset", "-c", "0"] : []
        server = try ServerProcess(
            role: RelayBenchmarkServer.role,
            folder: home.path,
            launcher: taskset
        )
        do {
            port = try Notice.wait(.seconds(30), for: "The benchmark's relay") { [home] in
                Notice.read("\(home.path)/port").flatMap { UInt16($0) }
            }
        } catch {
            server.stop()
            throw error
        }
    }

    /// Processor time of the process until now, in steps of 10 ms.
    var processor: Duration { server.processor }

    /// Makes block N, which changes 100 orders.
    ///
    /// - Returns: when the relay learned of it, once it did.
    func block(_ number: Int) throws -> Moment {
        Notice.write("1", to: "\(home.path)/block-\(number)")
        return try Notice.wait(.seconds(10), for: "The relay's question for block \(number)") {
            Notice.read("\(home.path)/seen-\(number)").flatMap { UInt64($0) }
                .map { Moment(nanoseconds: $0) }
        }
    }

    func stop() {
        server.stop()
        do {
            try home.remove()
        } catch {
            print("\(home.path) is left behind: \(error)")
        }
    }
}
