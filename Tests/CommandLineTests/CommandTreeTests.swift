import ArgumentParser
import Testing

@testable import DexCommandLine

@Suite("Command lines by the words of the command")
struct CommandTreeTests {
    @Test(
        "the command and its options are those that ArgumentParser finds from the root",
        arguments: [
            [],
            ["orderbook", "ZRX/WETH", "--json"],
            ["buy", "ZRX/WETH", "500", "--yes", "--timeout=5"],
            ["wallet"],
            ["wallet", "list", "-j"],
            ["allowance", "set", "WETH", "unlimited"],
            ["call", "--json", "0xe41d2489571d322189246dafa5ebde1f4699f498", "name()", "--", "-1"],
            ["send", "ETH", "1", "wallet"],
            ["config", "--json"],
            ["relay", "token", "list"],
        ]
    )
    func sameCommand(_ line: [String]) throws {
        let wanted = try? Dex.parseAsRoot(line)  // nil: both refuse it
        let found = try? CommandTree.parse(line)  // nil: both refuse it
        #expect(String(describing: found) == String(describing: wanted))
    }

    @Test(
        "a command is reported by all its words, also for a short form or a group alone",
        arguments: [
            (["buy", "ZRX/WETH", "500"], "market-buy"),
            (["send", "ETH", "1", "wallet"], "send"),
            (["allowance"], "allowance list"), (["guard"], "guard list"),
            (["config"], "config show"), (["network", "-j"], "network list"),
            (["history", "--json"], "history list"),
            (["sandbox", "fault", "clear", "flaky"], "sandbox fault clear"),
        ]
    )
    func reported(_ line: [String], _ name: String) {
        #expect(CommandTree.reportedName(line) == name)
    }

    @Test("what is wrong with a line throws, and so does what asks for the version")
    func refused() {
        for line in [
            ["orderbook", "--nonsense"], ["orderbook", "--version"],
            ["nonsense"], ["send", "ETH", "1"], ["wallet", "--version"],
        ] {
            #expect(throws: (any Error).self, "\(line)") { try CommandTree.parse(line) }
        }
    }
}
