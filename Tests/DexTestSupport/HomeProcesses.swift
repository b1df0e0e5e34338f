import Foundation

/// The `dex` processes of one DEX_HOME.
struct HomeProcesses: Sendable {
    let home: URL

    /// Sends a signal to each that runs now, and tells how many there were.
    ///
    /// - Throws: where /proc cannot be read.
    ///
    /// - Parameter variable: only those with this in their environment: `NAME=value`.
    func send(_ signal: CInt, with variable: String? = nil) throws -> Int {
        try send(signal, to: ["dex"], with: variable)
    }

    /// Sends a signal to the child of `dex live`, which was started through /proc/self/exe.
    func sendToScreen(_ signal: CInt) throws -> Int {
        try send(signal, to: ["exe"], with: "DEX_LIVE_PARENT=", isPrefix: true)
    }

    /// Ends what a test that failed has left in the background: what was started again through
    /// /proc/self/exe is called so.
    func endAll() {
        _ = try? send(SIGKILL, to: ["dex", "exe"])
    }

    private func send(
        _ signal: CInt,
        to names: Set<String>,
        with variable: String? = nil,
        isPrefix: Bool = false
    ) throws -> Int {
        let ours = ["DEX_HOME=\(home.path)\0", variable.map { $0 + (isPrefix ? "" : "\0") }]
            .compactMap { $0 }.map { Data($0.utf8) }
        let running = try FileManager.default.contentsOfDirectory(atPath: "/proc")
            .compactMap { pid_t($0) }.filter { process in
                // A process that has just ended has neither.
                let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
                let environment = try? Data(contentsOf: URL(filePath: "/proc/\(process)/environ"))
                return names.contains(name?.split(separator: "\n").first.map(String.init) ?? "")
                    && ours.allSatisfy { environment?.range(of: $0) != nil }
            }
        return running.count { kill($0, signal) == 0 }
    }
}
