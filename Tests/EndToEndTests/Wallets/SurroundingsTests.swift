import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

@Suite(
    "What a shell hands over: descriptors, limits, a full disk, escapes"
)
struct SurroundingsTests {
    private let dex: DexBinary
    private static let recipient = "0x00000000000000000000000000000000DeaDBeef"

    init() throws {
        dex = try DexBinary()
    }

    /// Runs below a shell that does something to its descriptors or limits first.
    private func run(
        _ arguments: [String],
        _ shell: String,
        environment: [String: String] = [:]
    ) async throws -> DexBinary.Run {
        try await dex.run(
            arguments,
            environment: environment,
            under: ["/bin/sh", "-c", shell],
            program: DexBinary.executable.path
        )
    }

    // MARK: Descriptors

    @Test(
        "closed standard descriptors are reserved, so that no file or connection gets their number"
    )
    func closedDescriptors() async throws {
        let home = "DEX_HOME=\(dex.home.path)"
        let server = try ScriptedServer { connection in
            guard connection.readRequest() != nil else { return }
            let open = Self.standardDescriptors(of: home)
            #expect(open == ["/dev/null", "/dev/null", "/dev/null"])
            connection.waitForClose()
        }
        defer { server.stop() }
        let run = try await run(
            ["pairs", "--network", "mainnet", "--relay", "\(server.url)/v0", "--timeout", "2"],
            #"exec "$0" "$@" <&- >&- 2>&-"#
        )
        #expect(run.status == 4)
    }

    /// What descriptors 0 to 2 of the `dex` with this in its environment are.
    private static func standardDescriptors(of variable: String) -> [String] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        for process in processes {
            guard let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8),
                name == "dex\n",
                let environment = FileManager.default.contents(atPath: "/proc/\(process)/environ"),
                environment.range(of: Data("\(variable)\0".utf8)) != nil
            else { continue }
            return (0...2).map { number in
                let link = "/proc/\(process)/fd/\(number)"
                return (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) ?? "none"
            }
        }
        return []
    }

    @Test("too few descriptors end with a sentence and exit 3", arguments: [4, 6, 8, 20, 63])
    func fewDescriptors(limit: Int) async throws {
        let shell = #"ulimit -n \#(limit); exec "$0" "$@""#
        for arguments in [["network", "list"], ["doctor"], ["balance", "--json"]] {
            let run = try await run(arguments, shell)
            #expect(run.status == 3, "\(arguments): \(run.status) \(run.stderr)")
            #expect(run.stderr.contains("files and connections may be open at once"))
            #expect(run.stderr.contains("ulimit -n 1024"))
            if arguments.contains("--json") {
                #expect(try run.json()["error"]?["code"] == "too-few-descriptors")
            }
        }
    }

    @Test("a soft limit is raised where the system allows it")
    func softLimit() async throws {
        let run = try await run(["network", "list"], #"ulimit -S -n 8; exec "$0" "$@""#)
        #expect(run.status == 0, "\(run.stderr)")
    }

    @Test("a relay raises its soft limit, and says if the hard one is too low for its connections")
    func relayDescriptors() async throws {
        let written = try await run(["relay", "init", "--network", "sandbox"], #"exec "$0" "$@""#)
        try #require(written.status == 0, "\(written.stderr)")
        for (limit, isEnough) in [("-n 1200", false), ("-S -n 1200", true)] {
            // No sandbox runs, so that it ends; the warning comes before.
            let run = try await run(["relay", "serve"], #"ulimit \#(limit); exec "$0" "$@""#)
            #expect(run.status == 4, "\(run.stderr)")
            let warning = "may have 1200 files open, and limits.connections needs 5120"
            #expect(run.stderr.contains(warning) != isEnough, "\(run.stderr)")
        }
    }

    // MARK: A result that is lost

    @Test("a result that nobody got has an exit code of its own, and is said to be lost")
    func lostResult() async throws {
        let full = #"exec "$0" "$@" > /dev/full"#
        for arguments in [
            ["--version"], ["--help"], ["config", "path"], ["tokens", "ZRX", "--json"],
            ["network", "use", "mainnet"],
        ] {
            let run = try await run(arguments, full)
            #expect(run.status == 15, "\(arguments): \(run.stderr)")
            #expect(run.stderr.contains("The result could not be written to standard output"))
            #expect(run.stderr.contains("dex resume"))
        }
        // A failure keeps its own: its sentence is on stderr.
        let failed = try await run(["balance", "--json", "--network", "sandbox"], full)
        #expect(failed.status == 4, "\(failed.stderr)")
        #expect(failed.stderr.contains("dex sandbox up"))
    }

    @Test("an order that was signed and whose result was lost looks neither done nor undone")
    func lostOrder() async throws {
        try await dex.withSandbox { _ in
            let words = ["place-limit", "sell", "ZRX/WETH", "1", "--price", "0.01", "--yes"]
            let run = try await run(words, #"exec "$0" "$@" > /dev/full"#)
            #expect(run.status == 15, "\(run.stderr)")
            #expect(run.stderr.contains("What was sent, if anything, is in the journal."))
            let reported = try await dex.data("resume")
            let items = try #require(reported["items"]?.arrayValue)
            #expect(items.contains { $0["kind"] == "order" && $0["status"] == "posted" })
        }
    }

    @Test("a reader that goes away is no failure")
    func closedPipe() async throws {
        let run = try await run(
            ["tokens"],
            #"{ "$0" "$@"; echo "exit $?" >&2; } | /usr/bin/head -1"#
        )
        #expect(run.stderr.contains("exit 0"), "\(run.stderr)")
    }

    @Test("Ctrl-C at a question says that nothing was signed or sent, and is no error")
    func cancelled() async throws {
        try await dex.withSandbox { _ in
            let broken = try await dex.converse(
                ["send", "ZRX", "1", Self.recipient],
                [("[y/N] ", Conversation.interrupt)]
            )
            #expect(broken.run.status == 130)
            #expect(broken.run.stderr.hasSuffix("Cancelled. Nothing was signed or sent.\n"))
            #expect(!broken.run.stderr.contains("error:"), "\(broken.run.stderr)")
            #expect(!broken.run.stderr.contains("journal"), "\(broken.run.stderr)")
        }
    }

    @Test("what is typed before a question appears answers no question")
    func typedAhead() async throws {
        try await dex.withSandbox { _ in
            let asked = try await dex.converse(
                ["send", "ZRX", "1", Self.recipient],
                ahead: "y\n",
                [("[y/N] ", "\n")]
            )
            #expect(asked.run.status == 20, "\(asked.run.stderr)")
        }
    }

    // MARK: Escapes

    private static let escapes = "\u{1B}[31m\u{1B}]0;x\u{07}\u{9B}1m\u{202E}"

    @Test("no argument, variable or name of a file brings an escape to the terminal")
    func escapes() async throws {
        let bad = "\(Self.escapes)name"
        for arguments in [
            ["--\(bad)"], [bad], ["network", bad], ["network", "use", bad], ["help", bad],
            ["config", "get", bad], ["config", "set", "network", bad],
            ["balance", "--timeout", bad],
            ["place-limit", bad, "ZRX/WETH", "1", "--price", "1"], ["fill", bad], ["status", bad],
            ["completion", bad], ["wallet", "import", "keystore", "--from", bad],
            ["wallet", "sign-message", "--file", bad], ["wallet", "use", bad],
            ["unlock", "--for", bad], ["sandbox", "up", "--rpc-port", bad],
            ["wallet", "restore", bad], ["send", bad, "1", "alice"],
            ["balance", "--json", "-\(bad)"],
        ] {
            let run = try await dex.run(arguments)
            #expect(Self.isPlain(run), "\(arguments.map { $0.debugDescription }): \(run)")
        }
        for variable in [
            "DEX_NETWORK", "DEX_RPC_URL", "DEX_RELAY_URL", "DEX_WALLET", "DEX_PASSWORD_FILE",
            "DEX_PRIVATE_KEY", "DEX_ZEROEX_API_KEY",
        ] {
            let run = try await dex.run("balance", environment: [variable: bad])
            #expect(Self.isPlain(run), "\(variable): \(run)")
        }
    }

    private static func isPlain(_ run: DexBinary.Run) -> Bool {
        (run.stdout + run.stderr).unicodeScalars.allSatisfy { scalar in
            scalar == "\n"
                || scalar.properties.generalCategory != .control
                    && scalar.properties.generalCategory != .format
        }
    }

    @Test("a URL with a key among wrong arguments is not repeated")
    func wrongURLs() async throws {
        let key = "0123456789abcdefKEY"
        for arguments in [
            ["balance", "--rpcc", "https://node.example/v2/\(key)"],
            ["balance", "--rpcc=https://node.example/v2/\(key)"],
            ["balance", "--rpc", "https//node.example/v2/\(key)"],
            ["balance", "--rpc", "ftp://user:\(key)@node.example"],
            ["config", "set", "networks.mainnet.relay", "https//relay.example/\(key)"],
            ["balance", "--timeout", "https://node.example/v2/\(key)"],
        ] {
            for more in [[], ["--json"]] {
                let run = try await dex.run(arguments + more)
                #expect(run.status == 2, "\(arguments): \(run.stderr)")
                #expect(!(run.stdout + run.stderr).contains(key), "\(arguments): \(run)")
            }
        }
        let run = try await dex.run(
            "balance",
            environment: ["DEX_RPC_URL": "https//node.example/\(key)"]
        )
        #expect(run.status == 3 && !run.stderr.contains(key), "\(run.stderr)")
    }

    // MARK: Clocks

    @Test(
        "clocks before 1970 and beyond the end of the world end with a sentence",
        arguments: [
            "=0", "=-5", "=4611686018427387904", "=9223372036854775807", "=18446744073709551",
        ]
    )
    func clocks(_ clock: String) async throws {
        let environment = [
            "LD_PRELOAD": DiskCase.library.path, "DEX_FAULT_CLOCK": clock,
        ]
        try await dex.withSandbox { _ in
            for arguments in [
                ["network", "list"], ["doctor"], ["orderbook", "ZRX/WETH"], ["orders", "--mine"],
                ["history"], ["history", "--since", "7d"], ["tx", "list"], ["resume"],
                ["send", "ZRX", "1", Self.recipient, "--dry-run"],
                ["market-buy", "ZRX/WETH", "1", "--dry-run"],
                ["place-limit", "sell", "ZRX/WETH", "1", "--price", "0.01", "--yes"],
                ["cancel", "--all", "--dry-run"], ["policy", "show"],
            ] {
                let run = try await dex.run(arguments, environment: environment)
                // A trap ends by a signal, and a fault of ours with 1.
                #expect((2...30).contains(run.status) || run.status == 0, "\(arguments): \(run)")
                #expect(!run.stderr.contains("Fatal error"), "\(arguments): \(run.stderr)")
            }
        }
    }

    @Test("an order of 24 hours is refused where the clock is 30 days ahead, and nothing is signed")
    func clockAhead() async throws {
        try await dex.withSandbox { _ in
            let words = [
                "place-limit", "sell", "ZRX/WETH", "1", "--price", "0.01", "--yes", "--json",
            ]
            for (clock, reported) in [
                ("+2592000", " ahead of the node's"), ("-7200", " behind the node's"),
            ] {
                let run = try await dex.run(
                    words,
                    environment: ["LD_PRELOAD": DiskCase.library.path, "DEX_FAULT_CLOCK": clock]
                )
                #expect(run.status == 6, "\(run.stdout) \(run.stderr)")
                let error = try run.json()["error"]
                #expect(error?["code"] == "clock-off")
                #expect(error?["message"]?.stringValue?.contains(reported) == true, "\(run.stdout)")
            }
            #expect(try await dex.data("orders --mine")["orders"] == [])
            #expect(try await dex.run(words).status == 0)
        }
    }
}
