import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// 0xEeee…EEeE and the zero address, wherever a command reads an address.
@Suite("Addresses that nobody can have, by the built binary")
struct ReservedAddressTests {
    private static let coin = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"
    private static let zero = "0x0000000000000000000000000000000000000000"
    private static let exchange = "0xdef1c0ded9bec7f1a1670819833240f027b25eff"
    private static let signature = "0x" + String(repeating: "11", count: 65)

    /// A command, where `@` is the address.
    private struct Use {
        let words: [String]
        let exit: Int32
        /// nil: the coin is meant, and the command takes it.
        let code: String?
        /// The code for the zero address; nil: as for the coin's.
        var zeroCode: String?

        init(_ line: String, _ exit: Int32, _ code: String?, zero: String? = nil) {
            words = line.split(separator: " ").map(String.init)
            (self.exit, self.code, zeroCode) = (exit, code, zero)
        }
    }

    /// An account or a contract is named: refused with what the address is.
    private static let parties = [
        Use("send ETH 1 @ --yes", 6, "bad-recipient"),
        Use("place-limit sell ZRX/WETH 1 --price 0.001 --taker @ -n", 2, "bad-address"),
        Use("place-limit sell ZRX/WETH 1 --price 0.001 -n --wallet @", 2, "bad-address"),
        Use("unlock main --contract \(exchange) --contract @ -n", 2, "bad-address"),
        Use("orders --maker @", 2, "bad-address"),
        Use("balance --wallet @", 2, "bad-address"),
        Use("activity --wallet @", 2, "bad-address"),
        Use("history --wallet @", 2, "bad-address"),
        Use("watch --once --wallet @", 2, "bad-address"),
        Use("address add cold @ -n", 2, "bad-address"),
        Use("wallet verify-message @ \(signature) text", 2, "bad-address"),
        Use("config set addresses.cold @", 2, "bad-setting"),
        Use("config set networks.sandbox.weth @", 2, "bad-setting"),
        Use("config set networks.mine.exchange @", 2, "bad-setting"),
        Use("config set signers.mine.address @", 2, "bad-setting"),
        Use("config set wallet @", 2, "bad-setting"),
        Use("config set watch.wallets alice,@", 2, "bad-setting"),
        Use("network add mine --chain-id 77 --exchange @ -n", 2, "bad-setting"),
        Use("network add mine --chain-id 77 --exchange \(exchange) --weth @ -n", 2, "bad-setting"),
        Use("sandbox up --fund @ -n", 2, "usage"),
    ]

    /// A token is named: refused with the coin's name.
    private static let tokens = [
        Use("place-limit sell @/WETH 1 --price 0.001 -n", 2, "unknown-token"),
        Use("place-limit sell ZRX/@ 1 --price 0.001 -n", 2, "unknown-token"),
        Use("guard add sell @/WETH 1 --below 0.1 -n", 2, "unknown-token"),
        Use("alert add @/WETH<1 -n", 2, "unknown-token"),
        Use("allowance set @ 1 -n", 2, "unknown-token"),
        Use("allowance revoke @ -n", 2, "unknown-token"),
        Use("orderbook @/WETH", 2, "unknown-token"),
        Use("trades @/WETH", 2, "unknown-token"),
        Use("chart @/WETH", 2, "unknown-token"),
        Use("orders --pair @/WETH", 2, "unknown-token"),
        Use("cancel --pair @/WETH -n", 2, "unknown-token"),
        Use("tokens add @ -n", 2, "unknown-token"),
        Use("call @ name()(string)", 2, "unknown-token"),
        Use("transact @ f() -n", 2, "unknown-token"),
    ]

    /// The coin can be named: 0xEeee…EEeE is it, and the zero address is nothing.
    private static let coins = [
        Use("send @ 1 0x2b1858a6a83931237070a1a10b0dF600E528e7d7 -n", 30, nil),
        Use("balance @", 0, nil),
        Use("balance --in @", 0, nil),
        Use("market-buy ZRX/@ 1 -n", 30, nil),
    ]

    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    private func run(_ use: Use, _ address: String) async throws -> (DexBinary.Run, JSONValue?) {
        let words = use.words.map { $0.replacingOccurrences(of: "@", with: address) }
        let run = try await dex.run(words + ["--json"])
        return (run, try run.json()["error"])
    }

    @Test("where an account, a contract or a token is named, both are refused in the right words")
    func refused() async throws {
        try await dex.withSandbox { _ in
            for (address, meaning) in [
                (Self.coin, "what other programs write for the coin"),
                (Self.zero, "the zero address"),
            ] {
                for use in Self.parties {
                    let (run, error) = try await run(use, address)
                    #expect(run.status == use.exit, "\(use.words): \(run.stdout)")
                    #expect(error?["code"]?.stringValue == use.code, "\(use.words): \(run.stdout)")
                    let message = error?["message"]?.stringValue ?? ""
                    #expect(
                        message.contains(meaning) || use.words.contains("--fund"),
                        "\(use.words): \(message)"
                    )
                }
                for use in Self.tokens {
                    let (run, error) = try await run(use, address)
                    #expect(run.status == use.exit, "\(use.words): \(run.stdout)")
                    #expect(error?["code"]?.stringValue == use.code, "\(use.words): \(run.stdout)")
                    #expect(error?["message"]?.stringValue?.contains(meaning) == true)
                    #expect(error?["hint"]?.stringValue?.contains("Write ETH") == true)
                }
            }
        }
    }

    @Test("where the coin can be named, the one names it and the other is refused")
    func coin() async throws {
        try await dex.withSandbox { _ in
            for use in Self.coins {
                let (named, error) = try await run(use, Self.coin)
                #expect(named.status == use.exit, "\(use.words): \(named.stdout)")
                #expect(error?.isNull != false)
                let (nothing, refusal) = try await run(use, Self.zero)
                #expect(nothing.status == 2, "\(use.words): \(nothing.stdout)")
                #expect(refusal?["code"] == "unknown-token")
                #expect(refusal?["message"]?.stringValue?.contains("the zero address") == true)
            }
        }
    }
}
