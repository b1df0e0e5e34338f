import Glibc
import StrictJSON

/// Signing with a keystore of default strength, against eth-account opening the same file.
struct UnlockBenchmark {
    private static let runs = 9

    /// - Parameter python: an interpreter with eth-account.
    static func run(binary: String, python: String) throws -> Measurement {
        let home = try TemporaryHome()
        let dex = [binary, "wallet"]
        let password = "\(home.path)/password"
        try write("correct horse battery staple\n", to: password)
        let environment = ["DEX_HOME": home.path, "DEX_PASSWORD_FILE": password]
        let made = try ChildProcess.run(
            dex + ["new", "bench", "--yes", "--json"],
            environment: environment,
            keepsOutput: true
        )
        let keystore = try JSONValue.data("path", of: made.output).stringValue ?? ""
        let sign = [
            "sign-message", "hello", "--wallet", "bench", "--network", "mainnet", "--yes",
            "--quiet",
        ]
        var walls: [Duration] = []
        var peers: [Duration] = []
        // In turn, so that both have the same noise, which only adds: the shortest count.
        for _ in 0..<runs {
            let child = try ChildProcess.run(dex + sign, environment: environment)
            guard child.exitCode == 0 else { throw ChildProcessError.exited(sign, child.exitCode) }
            walls.append(child.wall)
            peers.append(try decryption(python: python, keystore: keystore, password: password))
        }
        try home.remove()
        let (unlock, peer) = (walls.min() ?? .zero, peers.min() ?? .zero)
        return Measurement(
            name: "wallet sign-message / eth-account (\(milliseconds(peer)))",
            figure: milliseconds(unlock),
            ratio: unlock / peer,
            limit: 0.9
        )
    }

    /// eth-account's time to open a file, without Python's start.
    private static func decryption(
        python: String,
        keystore: String,
        password: String
    ) throws -> Duration {
        let program = """
            import json, sys, time
            from eth_account import Account
            with open(sys.argv[1]) as file: keystore = json.load(file)
            with open(sys.argv[2]) as file: password = file.readline().rstrip("\\n")
            start = time.perf_counter_ns()
            Account.decrypt(keystore, password)
            print((time.perf_counter_ns() - start) // 1000)
            """
        let words = [python, "-c", program, keystore, password]
        let child = try ChildProcess.run(words, keepsOutput: true)
        let digits = child.output.filter(\.isNumber)
        guard child.exitCode == 0, let microseconds = Int64(digits) else {
            throw ChildProcessError.exited([python, "(eth-account)"], child.exitCode)
        }
        return .microseconds(microseconds)
    }

    private static func write(_ text: String, to path: String) throws(ChildProcessError) {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .failed("open", errno) }
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard Glibc.write(file, bytes, bytes.count) == bytes.count else {
            throw .failed("write", errno)
        }
    }
}
