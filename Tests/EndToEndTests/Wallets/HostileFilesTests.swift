import DexTestSupport
import Foundation
import StrictJSON
import Synchronization
import Testing

@testable import EndToEndTestSupport

@Suite("Pipes in place of files, and folders that others may change")
struct HostileFilesTests {
    private let home: WalletHome
    private var dex: DexBinary { home.dex }

    init() throws {
        home = try WalletHome()
    }

    private func pipe(_ name: String) throws -> String {
        let path = dex.home.appending(path: name).path
        try FileManager.default.createDirectory(
            atPath: dex.home.appending(path: name).deletingLastPathComponent().path,
            withIntermediateDirectories: true
        )
        try #require(mkfifo(path, 0o600) == 0)
        return path
    }

    private func setMode(_ path: String, _ mode: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    // MARK: Pipes and devices

    @Test("a pipe as config.toml, policy.toml or token list is refused at once")
    func pipes() async throws {
        let pipes: [(name: String, words: [String])] = [
            ("config.toml", ["network", "list"]), ("policy.toml", ["policy", "show"]),
            ("list.json", ["tokens", "--network", "mine"]), ("wallets.json", ["wallet", "list"]),
        ]
        for (name, words) in pipes {
            if name == "list.json" {
                try dex.write(
                    config: """
                        [networks.mine]
                        chain_id = 7
                        exchange = "0x12459c951127e0c374ff9105dda097662a027093"
                        tokens = "list.json"
                        """
                )
            }
            let path = try pipe(name)
            let run = try await dex.run(words)
            #expect(run.status == 3, "\(name): \(run)")
            #expect(run.stderr.contains(name), "\(name): \(run.stderr)")
            try FileManager.default.removeItem(atPath: path)
            if name == "list.json" { try FileManager.default.removeItem(at: dex.configFile) }
        }
        let device = dex.home.appending(path: "config.toml").path
        try FileManager.default.createSymbolicLink(
            atPath: device,
            withDestinationPath: "/dev/zero"
        )
        let run = try await dex.run(["network", "list"])
        #expect(run.status == 3)
        #expect(run.stderr.contains("it is a pipe or a device, and no file"))
    }

    @Test("a pipe among keystores keeps no command from the others")
    func keystore() async throws {
        _ = try await home.importKey()
        _ = try pipe("keystore/UTC--pipe")
        let run = try await dex.run(["wallet", "list"])
        #expect(run.status == 0, "\(run.stderr)")
        #expect(run.stdout.contains(WalletHome.address))
    }

    @Test("the first Ctrl-C ends a command that waits for a pipe")
    func interrupted() async throws {
        let path = try pipe("never")
        let runs: [(words: [String], environment: [String: String])] = [
            (["fill", path, "--network", "mainnet"], ["DEX_PRIVATE_KEY": WalletHome.key]),
            (["wallet", "sign-message", "--file", path], ["DEX_PRIVATE_KEY": WalletHome.key]),
            (["wallet", "new", "main", "--light"], ["DEX_PASSWORD_FILE": path]),
            (["wallet", "import", "key", "main", "--light", "--from", path], [:]),
            (["wallet", "import", "keystore", "main", "--from", path], [:]),
            (["wallet", "restore", path], [:]),
        ]
        for (words, environment) in runs {
            let nodes = ["--rpc", "http://127.0.0.1:1", "--relay", "http://127.0.0.1:1"]
            let dex = dex
            let writer = Mutex<CInt>(-1)
            Thread.detachNewThread {
                // It waits until somebody opens the pipe for reading.
                let descriptor = open(path, O_WRONLY | O_CLOEXEC)
                writer.withLock { $0 = descriptor }
                #expect((try? dex.interrupt()) == 1, "\(words)")
            }
            // Until then the pipe does not end.
            defer { close(writer.withLock { $0 }) }
            let run = try await dex.run(
                words + (words[0] == "fill" ? nodes : []),
                environment: environment
            )
            #expect(run.status == 130, "\(words): \(run)")
        }
    }

    @Test("a pipe and standard input give a password and a message where somebody writes")
    func written() async throws {
        let run = try await dex.run(
            ["wallet", "new", "main", "--light", "--json"],
            environment: ["DEX_PASSWORD_FILE": "/dev/stdin"],
            under: ["/bin/sh", "-c", #"{ sleep 0.2; echo open sesame; } | "$0" "$@""#],
            program: DexBinary.executable.path
        )
        #expect(run.status == 0, "\(run.stderr)")
        let list = try await home.done("wallet", "list")
        #expect(list["wallets"]?.arrayValue?.count == 1)
        let signed = try await dex.run(
            ["wallet", "sign-message", "--file", "-", "--json", "--yes", "--wallet", "main"],
            environment: try home.password(),
            input: "hello"
        )
        #expect(signed.status == 0, "\(signed.stderr)")
    }

    // MARK: Folders

    @Test(
        "folders that others may change are refused, with the command that closes them",
        arguments: ["", "keystore", "agent", "sandbox"]
    )
    func folders(_ name: String) async throws {
        let path = name.isEmpty ? dex.home.path : dex.home.appending(path: name).path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for mode in [0o777, 0o775, 0o1777] {
            try setMode(path, mode)
            for words in [
                ["wallet", "list"], ["config", "show"], ["balance"],
                ["send", "ETH", "1", "0x00000000000000000000000000000000DeaDBeef", "--yes"],
            ] {
                let run = try await dex.run(words)
                #expect(run.status == 3, "\(words): \(run)")
                #expect(run.stderr.contains("Others than you may change the folder"))
                #expect(run.stderr.contains("chmod go-w"))
            }
            let doctor = try await dex.run("doctor --json")
            #expect(doctor.status == 3, "\(doctor)")
        }
        try setMode(path, 0o755)
        #expect(try await dex.run("config show").status == 0)
    }

    @Test("a folder above in which everybody may rename is refused, and one like /tmp is not")
    func folderAbove() async throws {
        let above = dex.home.appending(path: "shared")
        let inside = above.appending(path: "dex")
        try FileManager.default.createDirectory(at: inside, withIntermediateDirectories: true)
        let environment = ["DEX_HOME": inside.path]
        try setMode(above.path, 0o777)
        let run = try await dex.run("config show", environment: environment)
        #expect(run.status == 3, "\(run)")
        #expect(run.stderr.contains("shared"))
        try setMode(above.path, 0o1777)
        #expect(try await dex.run("config show", environment: environment).status == 0)
    }

    // MARK: Keys in URLs

    @Test("keys in URLs are shown by no command, in no form")
    func keysInURLs() async throws {
        let key = "k0e1y2K3E4Y5"
        func url(_ host: String) -> String {
            "http://user:\(key)@127.0.0.1:1/v2/\(key)?apikey=\(key)#\(host)"
        }
        try dex.write(
            config: """
                network = "mine"

                [networks.mine]
                chain_id = 1
                rpc = ["\(url("a"))", "\(url("b"))"]
                relay = "\(url("c"))"
                exchange = "0x12459c951127e0c374ff9105dda097662a027093"

                [signers.device]
                address = "0xE41d2489571d322189246DaFA5ebDe1F4699F498"
                rpc = "\(url("d"))"

                [watch]
                webhook = "\(url("e"))"
                command = ["/usr/bin/curl", "\(url("f"))"]
                """
        )
        let commands: [[String]] = [
            ["network", "list"], ["config", "show"], ["doctor"], ["balance"], ["pairs"],
            ["orderbook", "ZRX/WETH"], ["price", "ZRX/WETH"], ["orders"],
            ["network", "use", "mine"],
            ["wallet", "list"], ["send", "ETH", "1", "0x00000000000000000000000000000000DeaDBeef"],
            ["place-limit", "buy", "ZRX/WETH", "1", "--price", "0.01", "--wallet", "device"],
            ["config", "set", "networks.mine.relay", url("g")],
            ["config", "set", "networks.mine.rpc", "\(url("h")),\(url("i"))"],
            ["config", "set", "watch.webhook", url("j")],
            [
                "network", "add", "other", "--chain-id", "7", "--exchange",
                "0x12459c951127e0c374ff9105dda097662a027093", "--rpc", url("k"), "--relay",
                url("l"),
            ],
            ["pairs", "--relay", url("m")], ["balance", "--rpc", url("n")],
            ["wallet", "sign-message", "hello", "--wallet", "device"],
        ]
        for words in commands {
            for more in [[], ["--json"], ["--verbose"]] {
                let run = try await dex.run(
                    words + more,
                    environment: ["HTTPS_PROXY": url("p"), "DEX_WALLET": WalletHome.address]
                )
                #expect(!(run.stdout + run.stderr).contains(key), "\(words + more): \(run)")
            }
        }
        let list = try await dex.run("network list")
        #expect(list.stdout.contains("http://127.0.0.1:1"))
        // Who asks for one value by its name gets it, but not in JSON.
        let one = try await dex.run("config get networks.mine.relay")
        #expect(one.stdout == url("g") + "\n")
        let json = try await dex.run("config get networks.mine.relay --json").json()
        #expect(json["data"]?["value"] == "http://127.0.0.1:1")
    }
}
