import DexTestSupport
import Ethereum
import EthereumWallet
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

@Suite("Signing typed data, and checking it")
struct TypedDataCommandTests {
    private let home: WalletHome
    private var dex: DexBinary { home.dex }
    private let key = ["DEX_PRIVATE_KEY": WalletHome.key]

    init() throws {
        home = try WalletHome()
    }

    private static let dai = "0x6B175474E89094C44Da98b954EedeAC495271d0F"

    private static func permit(_ amount: String = "100000000000000000000", chain: Int = 1) -> String
    {
        """
        {"types":{"EIP712Domain":[{"name":"name","type":"string"},{"name":"version",\
        "type":"string"},{"name":"chainId","type":"uint256"},{"name":"verifyingContract",\
        "type":"address"}],"Permit":[{"name":"owner","type":"address"},{"name":"spender",\
        "type":"address"},{"name":"value","type":"uint256"},{"name":"nonce","type":"uint256"},\
        {"name":"deadline","type":"uint256"}]},"primaryType":"Permit","domain":{"name":"Dai \
        Stablecoin","version":"1","chainId":\(chain),"verifyingContract":"\(dai)"},"message":\
        {"owner":"\(WalletHome.address)","spender":"0xE592427A0AEce92De3Edee1F18E0157C05861564",\
        "value":"\(amount)","nonce":0,"deadline":4102444800}}
        """
    }

    private func sign(
        _ content: String,
        _ arguments: [String] = ["--yes", "--json"]
    ) async throws -> DexBinary.Run {
        let file = try home.file("request.json", content)
        return try await dex.run(
            ["wallet", "sign-typed", file, "--network", "mainnet"] + arguments,
            environment: key
        )
    }

    @Test("what is signed is shown, and the signature is the account's")
    func signing() async throws {
        let plan = try await sign(Self.permit(), ["--dry-run"])
        #expect(plan.status == 30)
        #expect(plan.stdout.hasPrefix("Signs a permit: an allowance in a token\n"))
        #expect(
            plan.stdout.contains("allows  0xE592427A0AEce92De3Edee1F18E0157C05861564 to take")
        )
        #expect(plan.stdout.contains("100 DAI"))
        let run = try await sign(Self.permit())
        #expect(run.status == 0, "\(run.stderr)")
        let data = try #require(try run.json()["data"])
        #expect(data["allows"]?["kind"] == "permit")
        let signature = try #require(data["signature"]?.stringValue)
        let file = try home.file("request.json", Self.permit())
        let verified = try await dex.run("wallet verify-typed \(file) \(signature)")
        #expect(verified.stdout == "\(WalletHome.address) signed this Permit.\n")
        let expected = try await dex.run(
            "wallet verify-typed \(file) \(signature) \(WalletHome.address)"
        )
        #expect(expected.status == 0)
        let other = try await dex.run("wallet verify-typed \(file) \(signature) \(Self.dai) --json")
        #expect(other.status == 5)
        #expect(try other.json()["error"]?["code"] == "wrong-signature")
    }

    @Test("typed data comes from a pipe too, and without --yes nothing is signed")
    func pipe() async throws {
        let run = try await dex.run(
            ["wallet", "sign-typed", "-", "--network", "mainnet"],
            environment: key,
            input: Self.permit()
        )
        #expect(run.status == 25)
        #expect(run.stdout.contains("100 DAI"))
    }

    @Test("an unlimited amount is said loudly")
    func unlimited() async throws {
        let run = try await sign(Self.permit("\(UInt256.max)"), ["--dry-run"])
        #expect(run.stdout.contains("! IT IS UNLIMITED"))
        #expect(run.stdout.contains("ALL DAI"))
    }

    @Test("another chain and rules refuse it: exit 6, and nothing is signed")
    func refusals() async throws {
        let other = try await sign(Self.permit(chain: 5))
        #expect(other.status == 6)
        #expect(try other.json()["error"]?["code"] == "other-chain")
        _ = try home.file("policy.toml", "[max_per_trade]\nDAI = 50\n")
        let much = try await sign(Self.permit())
        #expect(much.status == 6)
        #expect(try much.json()["error"]?["message"]?.stringValue?.contains("DAI") == true)
        let less = try await sign(Self.permit("50000000000000000000"))
        #expect(less.status == 0)
    }

    @Test(
        "what is no typed data is refused with the reason",
        arguments: [
            ("", "bad-typed-data"), ("{}", "bad-typed-data"), ("[]", "bad-typed-data"),
            (permit("-1"), "bad-typed-data"), (permit("1e3"), "bad-typed-data"),
            (permit().replacing("\"nonce\":0,", with: ""), "bad-typed-data"),
            (permit().replacing("\"nonce\":0", with: "\"nonce\":0,\"more\":1"), "bad-typed-data"),
            (permit().replacing("uint256", with: "uint"), "bad-typed-data"),
            (permit().replacing("\"Permit\":", with: "\"P\\u001b[31m\":"), "bad-typed-data"),
            (String(repeating: "[", count: 100_000), "bad-typed-data"),
        ]
    )
    func malformed(content: String, code: String) async throws {
        let run = try await sign(content)
        #expect(run.status == 2, "\(run.stdout)")
        #expect(try run.json()["error"]?["code"] == .string(code))
        #expect(!run.stderr.contains("\u{1B}"))
    }
}
