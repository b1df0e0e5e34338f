import DexCore
import Testing
import ZeroEx

@testable import DexSettings

@Suite("Networks of config.toml")
struct NetworkSettingsTests {
    private func settings(_ text: String) throws -> Settings {
        Settings(file: try SettingsFile(content: Array(text.utf8), path: "/home/config.toml"))
    }

    @Test("a network of one's own is of 0x v1 unless it says otherwise")
    func versions() throws {
        let table =
            "[networks.mine]\nchain_id = 7\n"
            + "exchange = \"0x12459c951127e0c374ff9105dda097662a027093\"\n"
        let plain = try settings(table).network("mine")
        #expect(plain.protocolVersion == .v1)
        #expect(plain.orderSigning == .ethSign)
        let v4 = try settings(table + "protocol = \"v4\"\n").network("mine")
        #expect(v4.protocolVersion == .v4)
        #expect(v4.orderSigning == .ethSign)
        let typed = try settings(table + "protocol = \"v4\"\nsignature = \"eip712\"\n")
            .network("mine")
        #expect(typed.orderSigning == .eip712)
    }

    @Test("a way to sign that the version does not take is told with those that it does")
    func impossibleSignature() throws {
        let settings = try settings("[networks.mainnet]\nsignature = \"eip712\"\n")
        let error = #expect(throws: DexError.self) { try settings.network("mainnet") }
        #expect(error?.exit == .configuration)
        #expect(error?.code == "bad-order-signature")
        #expect(
            error?.message
                == "The network mainnet in /home/config.toml has the signature eip712, which 0x v1 "
                + "does not take; it takes ethsign."
        )
    }

    @Test("a bundled network of 0x v4 may sign otherwise, and one that ended stays so")
    func bundled() throws {
        let settings = try settings(
            "[networks.base]\nsignature = \"eip712\"\n[networks.goerli]\nblock_time = 1\n"
        )
        #expect(try settings.network("base").orderSigning == .eip712)
        #expect(try settings.network("goerli").isHistorical)
    }

    @Test(
        "what is no version and no way to sign is refused with what would be right",
        arguments: [
            ("protocol = \"v3\"", "protocol takes \"v1\" or \"v4\"."),
            ("protocol = 4", "protocol takes \"v1\" or \"v4\"."),
            ("signature = \"presigned\"", "signature takes \"ethsign\" or \"eip712\"."),
        ]
    )
    func unknown(_ line: String, _ words: String) {
        let error = #expect(throws: DexError.self) { try settings("[networks.x]\n\(line)\n") }
        #expect(error?.message == "/home/config.toml:2: networks.x.\(words)")
    }
}
