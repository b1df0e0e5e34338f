import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// The built binary at the end of the memory that it may have.
@Suite("A command that runs out of memory")
struct MemoryTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    @Test("too little memory to begin with ends with a sentence and exit 3")
    func shortage() async throws {
        // With less than 40 MB of data, most of it Unicode's tables, the kernel starts no such file.
        for (option, kilobytes) in [("-d", 64_000), ("-d", 262_143), ("-v", 1_048_575)] {
            let run = try await dex.run(
                ["orderbook", "ZRX/WETH", "--network", "sandbox", "--json"],
                environment: [:],
                under: ["/bin/sh", "-c", #"ulimit \#(option) \#(kilobytes); exec "$0" "$@""#],
                program: DexBinary.executable.path
            )
            #expect(run.status == 3, "\(run.stderr)")
            let error = try run.json()["error"]
            #expect(error?["code"] == "too-little-memory")
            #expect(error?["hint"]?.stringValue?.contains("ulimit \(option)") == true)
        }
    }

    @Test("an allocation that fails ends with a sentence and exit 1, and no trap")
    func allocation() async throws {
        let file = dex.home.appending(path: "order.json")
        let text = #"{"maker":""# + String(repeating: "0", count: 500_000) + #""}"#
        try Data(text.utf8).write(to: file)
        try await dex.withSandbox { _ in
            for more in [[], ["--json"]] {
                let run = try await dex.run(
                    ["fill", file.path] + more,
                    environment: [
                        "LD_PRELOAD": DiskCase.library.path, "DEX_FAULT_MEMORY": "200000",
                    ]
                )
                #expect(run.status == 1, "\(run.stderr)")
                #expect(run.stderr.contains("error: dex ran out of the memory that it may have."))
                #expect(run.stderr.contains("dex resume"))
                guard !more.isEmpty else {
                    #expect(run.stdout.isEmpty)
                    continue
                }
                let json = try run.json()
                #expect(json["schema"] == "dex/2" && json["exitCode"] == .number("1"))
                #expect(json["error"]?["code"] == "out-of-memory")
            }
        }
    }

    @Test("a command that holds 1 GiB asks no server any more, and nothing is signed")
    func answers() async throws {
        // As the kernel tells it, in pages of 4 KiB: 1 GiB of data.
        let statm = dex.home.appending(path: "statm")
        try Data("400000 300000 20000 10 0 262144 0\n".utf8).write(to: statm)
        try await dex.withSandbox { _ in
            let run = try await dex.run(
                ["market-buy", "ZRX/WETH", "1", "--yes", "--json"],
                environment: [
                    "LD_PRELOAD": DiskCase.library.path, "DEX_FAULT_STATM": statm.path,
                ]
            )
            #expect(run.status == 4, "\(run.stderr)")
            #expect(run.stderr.contains("holds 1024 MiB of memory"))
            #expect(try await dex.data("tx list")["transactions"] == [])
        }
    }

    @Test("programs that dex starts have the limits of the shell, not those of dex")
    func children() async throws {
        let signer = dex.home.appending(path: "signer")
        let seen = dex.home.appending(path: "limit")
        try Data("#!/bin/sh\nulimit -d >\(seen.path)\necho '{\"error\":\"no\"}'\n".utf8)
            .write(to: signer)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o700],
            ofItemAtPath: signer.path
        )
        try dex.write(
            config: """
                [signers.device]
                address = "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf"
                command = ["\(signer.path)"]
                """
        )
        let run = try await dex.run("wallet sign-message hello --wallet device --yes --json")
        #expect(run.status == 5, "\(run.stdout) \(run.stderr)")
        let limit = try String(contentsOf: seen, encoding: .utf8)
        #expect(limit == "unlimited\n")
    }
}
