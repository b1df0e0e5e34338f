import DexCore

@testable import DexSettings
@testable import Ethereum

extension FuzzTarget {
    /// config.toml: what is read keeps to its kinds and is as exact as it was typed; a changed
    /// setting is read again, and nothing else has changed, comments neither.
    static let settings = FuzzTarget(
        "settings",
        maximumLength: 1_024,
        seeds: SettingsTarget.seeds
    ) { input in
        var reader = InputReader(input)
        let choice = reader.byte()
        let content = reader.rest()
        guard let file = try? SettingsFile(content: content, path: "/home/user/config.toml") else {
            return
        }
        try SettingsTarget.checkValues(file)
        try SettingsTarget.checkExactness(file, content)
        try SettingsTarget.checkChange(file, choice, content)
        if let networks = try? Settings(file: file).networks() {
            try requireEqual(
                Set(networks.map(\.name)).count,
                networks.count,
                "a network comes twice"
            )
        }
    }
}

private enum SettingsTarget {
    private static let path = "/home/user/config.toml"

    static func checkValues(_ file: SettingsFile) throws {
        for (path, value) in file.values {
            guard let kind = SettingsSchema.kind(of: path) else {
                throw Violation("a key that is not known is kept: \(path)")
            }
            try require(kind.accepts(value), "\(path) has a value that it does not take: \(value)")
            // A file with nothing but this setting.
            let name = path.last ?? ""
            let table = path.dropLast().joined(separator: ".")
            let text = (table.isEmpty ? "" : "[\(table)]\n") + "\(name) = \(value.literal)\n"
            let again = try SettingsFile(content: Array(text.utf8), path: Self.path)
            try requireEqual(again.values, [path: value], "a setting that is written alone")
        }
    }

    /// A number in plain digits is taken as it stands there, or not at all.
    static func checkExactness(_ file: SettingsFile, _ content: [UInt8]) throws {
        let lines = String(decoding: content, as: UTF8.self).split(separator: "\n")
        guard lines.count == 2, lines[0] == "[trade]" else { return }
        let parts = lines[1].split(separator: "=", omittingEmptySubsequences: false).map { part in
            String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        guard parts.count == 2, let typed = try? DecimalText.parse(parts[1], decimals: 60),
            ["slippage", "max_gas_cost", "max_taker_fee"].contains(parts[0]),
            case .text(let text)? = file.values[["trade", parts[0]]]
        else { return }
        try requireEqual(
            try? DecimalText.parse(text, decimals: 60),
            typed,
            "\(parts[0]) is \(text) where \(parts[1]) was typed"
        )
    }

    static func checkChange(_ file: SettingsFile, _ choice: UInt8, _ content: [UInt8]) throws {
        let changes: [(path: [String], value: SettingValue)] = [
            (["network"], .text("mainnet")), (["wallet"], .text("a \"b\" \\ é")),
            (["keystores"], .list(["/a", "b c"])), (["trade", "slippage"], .text("0.5")),
            (["trade", "confirmations"], .integer(3)),
            (["networks", "my-net", "chain_id"], .integer(.max)),
            (["networks", "my-net", "rpc"], .list(["http://127.0.0.1:8545"])),
            (["networks", "mainnet", "relay"], .text("https://relay.test/v0")),
        ]
        let change = changes[Int(choice) % changes.count]
        var changed = file
        do throws(DexError) {
            try changed.set([change])
        } catch {
            try requireEqual(changed.values, file.values, "a refused change changes")
            try require(error.exit == .configuration || error.exit == .usage, "another exit")
            return
        }
        var expected = file.values
        expected[change.path] = change.value
        try requireEqual(changed.values, expected, "a change does more, or less")
        let again = try SettingsFile(content: Array(changed.text.utf8), path: path)
        try requireEqual(again.values, expected, "a changed file is read otherwise")
        try requireKept(content, Array(changed.text.utf8))
        var twice = changed
        try twice.set([change])
        try requireEqual(twice.text, changed.text, "the same change again changes the text")
    }

    /// A change replaces one run of bytes: what stood before and behind it stands there still.
    ///
    /// A comment goes only with the value that it stands in.
    private static func requireKept(_ before: [UInt8], _ after: [UInt8]) throws {
        let head = zip(before, after).prefix { $0 == $1 }.count
        let maximum = min(before.count, after.count) - head
        let tail = zip(before.reversed(), after.reversed()).prefix(maximum).prefix { $0 == $1 }
            .count
        let replaced = before[head..<before.count - tail]
        let added = after[head..<after.count - tail]
        let isInValue = TOMLOutline(String(decoding: before, as: UTF8.self)).entries.contains {
            $0.value.lowerBound <= replaced.startIndex && replaced.endIndex <= $0.value.upperBound
        }
        try require(
            !replaced.contains(UInt8(ascii: "#")) || added.contains(UInt8(ascii: "#"))
                || replaced.contains(UInt8(ascii: "\"")) || replaced.contains(UInt8(ascii: "'"))
                || replaced.contains(UInt8(ascii: "[")) || isInValue,
            "a comment is lost: \(String(decoding: replaced, as: UTF8.self))"
        )
    }

    @Sendable
    static func seeds() -> [[UInt8]] {
        let address = Address(truncating: UInt256(0xE1).word).lowercaseHex
        let texts = [
            "", "# nothing\n", "network = \"mainnet\" # mine\nwallet='x'\n",
            "[trade]\nslippage = 0.5\n", "[trade]\nslippage = \"1.25\"\nmax_gas_cost = 1\n",
            "[trade]\nmax_gas_cost = 0.1234567890123456789\n", "[trade]\nslippage = 0.3\n",
            "trade.confirmations = 2\ntrade.expiry_margin=0x10\n", "trade = { slippage = 1 }\n",
            "keystores = [ \"/a\", # one\n 'b', ]\n\n[networks.mainnet] # bundled\n"
                + "rpc = [\"https://node.test/key\"]\nrelay=\"\"\"https://relay.test\"\"\"\n",
            "[networks.my-net]\nchain_id = 5\nexchange = \"\(address)\"\nprotocol=\"v1\"\n",
            "[\"networks\" . 'x']\n\"chain_id\" = 1_000\nexchange=\"\(address)\"\n",
            "wallet = '''\n'''\n[[networks]]\n", "wallet = \"a\\u0000b\"\n", "\"a\\u0000\" = 1\n",
            "wallet = \"\\\"#\" # \"\n", "a = 1979-05-27T07:32:00Z\n", "x = inf\ny = nan\n",
            "a = " + String(repeating: "[", count: 300) + "\n", "\u{FEFF}network = \"x\"\r\n",
            String(repeating: "a.", count: 200) + "b = 1\n",
        ]
        return texts.enumerated().map { index, text in [UInt8(index)] + Array(text.utf8) }
    }
}
