import DexCore
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("Errors and their exit codes")
struct DexErrorTests {
    private static let address = TestMarket.exchange

    @Test(
        "each failure of a node has its exit code and its words",
        arguments: [
            (
                .unreachable(url: "http://n", reason: "refused"), .unreachable,
                "node-unreachable", true, "The node at http://n cannot be reached: refused."
            ),
            (
                .badStatus(url: "http://n", reason: "HTTP 404", isPermanent: true),
                .unreachable, "node-unreachable", false,
                "The node at http://n gave no usable answer: HTTP 404."
            ),
            (
                .rateLimited(url: "http://n", retryAfter: 3), .unreachable, "node-rate-limited",
                true, "The node at http://n limits our requests; try again in 3 s."
            ),
            (
                .nonsense("it is HTML"), .unreachable, "node-nonsense", false,
                "The node's answer makes no sense: it is HTML."
            ),
            (
                .rpc(code: -32_601, message: "no such method"), .unreachable, "node-error", false,
                "The node answered with error -32601: \"no such method\"."
            ),
            (
                .reverted(data: [], message: "execution reverted"), .simulationFailed,
                "would-revert", false, "The call would revert: \"execution reverted\"."
            ),
        ] as [(ChainError, ExitCode, String, Bool, String)]
    )
    func chain(
        error: ChainError,
        exit: ExitCode,
        code: String,
        retryable: Bool,
        message: String
    ) {
        let mapped = DexError(error)

        #expect(mapped.exit == exit)
        #expect(mapped.code == code)
        #expect(mapped.retryable == retryable)
        #expect(mapped.message == message)
    }

    @Test("a sandbox that says what mends it is not followed by another node")
    func sandboxHint() {
        func hint(_ message: String) -> String? {
            DexError(ChainError.rpc(code: -32_000, message: message)).hint
        }
        #expect(hint("no such thing") == "Try another node with --rpc.")
        #expect(hint("start it with `dex sandbox up --fork URL` of a node") == nil)
    }

    @Test("a relay's refusal shows every reason")
    func relayRefusal() {
        let mapped = DexError(
            RelayRefusal(
                RelayError.refused(
                    status: 400,
                    code: 100,
                    reason: "Validation failed",
                    fields: [
                        .init(field: "maker", code: 1002, reason: "Invalid address"),
                        .init(field: "salt", code: nil, reason: "Too \u{1B}[31mred"),
                    ]
                )
            )
        )

        #expect(mapped.exit == .relayRefused)
        #expect(mapped.code == "relay-refused")
        #expect(
            mapped.message == """
                The relay refused (HTTP 400): "Validation failed".
                  maker: "Invalid address".
                  salt: "Too \\u{1B}[31mred".
                """
        )
    }

    @Test("a relay that answers well, but with what no order can have, has not refused with a code")
    func relayTerms() {
        let mapped = DexError(
            RelayRefusal(
                RelayError.refused(
                    status: 200,
                    code: nil,
                    reason: "only it may fill",
                    fields: []
                )
            )
        )
        #expect(mapped.exit == .relayRefused)
        #expect(mapped.code == "relay-refused")
        #expect(mapped.message == "The relay cannot be used: only it may fill.")
    }

    @Test("each failure of a relay that is no refusal is exit 4")
    func relay() {
        let errors: [(RelayError, String, Bool, String)] = [
            (
                .unreachable(url: "u", reason: "time-out"), "relay-unreachable", true,
                "The relay at u cannot be reached: time-out."
            ),
            (
                .badStatus(url: "u", reason: "HTTP 404", isPermanent: true),
                "relay-unreachable", false, "The relay at u gave no usable answer: HTTP 404."
            ),
            (
                .rateLimited(url: "u", retryAfter: nil), "relay-rate-limited", true,
                "The relay at u limits our requests; try again later."
            ),
            (
                .nonsense("no JSON"), "relay-nonsense", false,
                "The relay's answer makes no sense: no JSON."
            ),
        ]
        for (error, code, retryable, message) in errors {
            let mapped = DexError(error)
            #expect(mapped.exit == .unreachable)
            #expect(mapped.code == code)
            #expect(mapped.retryable == retryable)
            #expect(mapped.message == message)
            #expect(mapped.hint?.isEmpty == false)
        }
    }

    @Test("an exchange that is none is configuration, one that cannot trade is refused")
    func exchange() {
        let none = DexError(ExchangeError.notAnExchange(Self.address, .v1))
        let idle = DexError(
            ExchangeError.notAuthorized(exchange: Self.address, transferContract: TestMarket.proxy)
        )
        let garbled = DexError(ExchangeError.unreadableAnswer("a log"))

        #expect(none.exit == .configuration)
        #expect(none.code == "not-an-exchange")
        #expect(
            none.message
                == "\(Self.address.checksummed) does not answer as an exchange of 0x v1; check the "
                + "network's exchange address."
        )
        #expect(idle.exit == .refused)
        #expect(idle.code == "exchange-not-authorized")
        #expect(
            idle.message
                == "The exchange \(Self.address.checksummed) is not authorized on its transfer "
                + "contract \(TestMarket.proxy.checksummed), so every fill would fail."
        )
        #expect(garbled.exit == .unreachable)
        #expect(garbled.code == "exchange-nonsense")
        #expect(garbled.message == "The exchange's answer cannot be read: a log.")
    }

    @Test("what a user wrote wrongly is exit 2")
    func usage() {
        let errors = [
            (DexError(OrderError.missing(field: "salt")), "bad-order", "The order has no salt."),
            (
                DexError(DecimalTextError.malformed("1,5")), "bad-amount",
                "\"1,5\" is not an amount: digits with at most one point are expected, such as 1.5."
            ),
            (
                DexError(AddressError.malformed("0x\u{7}1")), "bad-address",
                "\"0x\\u{7}1\" is not an address: 0x and 40 hexadecimal digits are expected."
            ),
            (
                DexError(Bytes32Error.of("0x1")), "bad-hash",
                "\"0x1\" is not a 32-byte word: 0x and 64 hexadecimal digits are expected."
            ),
        ]
        for (mapped, code, message) in errors {
            #expect(mapped.exit == .usage)
            #expect(mapped.code == code)
            #expect(mapped.message == message)
        }
    }

    @Test("an order that does not hold is refused by its own code")
    func rejection() {
        let rejections: [OrderRejection] = [
            .wrongExchange(Self.address), .zeroAmount, .zeroMaker, .badSignature, .wrongTokens,
            .wrongHash, .wrongChain(56), .malformedSignature("The signature's r is zero."),
            .noOrigin,
        ]
        for rejection in rejections {
            let mapped = DexError(rejection)
            #expect(mapped.exit == .refused)
            #expect(mapped.code == rejection.code)
            #expect(mapped.message == "The order is refused. \(rejection)")
        }
    }

    @Test("a key that does not sign is the wallet's fault, a wrong chain the configuration's")
    func signer() {
        let chain = DexError(SignerError.wrongChain(transaction: 1, node: 1337))
        let refused = DexError(SignerError.refused("locked\u{1B}"))
        let key = DexError(PrivateKeyError.outOfRange)

        #expect(chain.exit == .configuration)
        #expect(chain.code == "wrong-chain")
        #expect(
            chain.message
                == "The transaction is for chain 1 but the node is on chain 1337; nothing was "
                + "signed. Check --network and --rpc."
        )
        #expect(refused.exit == .wallet)
        #expect(refused.message == "The key did not sign: locked")
        #expect(key.exit == .wallet)
        #expect(key.code == "bad-private-key")
        #expect(key.message == "The private key is zero or beyond the group's order.")
    }

    @Test("a journal that cannot be used is told with what mends it")
    func journal() {
        let errors: [(JournalError, ExitCode, String, Bool)] = [
            (.notWritable(path: "p", reason: "r"), .configuration, "journal-not-writable", false),
            (.corrupt(path: "p"), .configuration, "journal-damaged", false),
            (.foreign(path: "p"), .configuration, "journal-foreign", false),
            (.newer(path: "p"), .configuration, "journal-newer", false),
            (.full(path: "p"), .configuration, "journal-full", false),
            (.busy(path: "p"), .fault, "journal-busy", true),
            (.reservationLost(nonce: 1), .fault, "nonce-lost", true),
            (
                .notReplaceable(TransactionHash(.zero)), .refused, "not-replaceable",
                false
            ),
            (.outOfRange("x"), .fault, "journal-out-of-range", false),
            (.failed(path: "p", reason: "r"), .fault, "journal-failed", false),
        ]
        for (error, exit, code, retryable) in errors {
            let mapped = DexError(error)
            #expect(mapped.exit == exit)
            #expect(mapped.code == code)
            #expect(mapped.retryable == retryable)
            #expect(mapped.message == error.description)
            #expect(mapped.hint == error.hint)
        }
    }

    @Test(
        "text from outside loses what could move a cursor or turn letters around, nothing else",
        arguments: [
            ("plain text, ünïcödé 漢字 🙂", "plain text, ünïcödé 漢字 🙂"),
            ("a\u{1B}[2Jb\u{9B}31mc", "abc"),
            ("a\u{202E}b\u{2066}c\u{200B}d\u{FEFF}e", "abcde"),
            ("line\nline\r\u{8}\u{0}\u{7F}", "line line "),
            ("a\u{2028}b\u{E000}c", "abc"),
        ]
    )
    func plainText(text: String, expected: String) {
        #expect(PlainText.clean(text) == expected)
    }

    @Test("what a relay says of a read is no refusal of an order, and makes no line of its own")
    func refusedRead() {
        let mapped = DexError(
            .refused(status: 400, code: 100, reason: "no\nerror: paid", fields: []) as RelayError
        )
        #expect(mapped.exit == .unreachable)
        #expect(mapped.message == "The relay refused (HTTP 400): \"no\\u{A}error: paid\".")
        #expect(!mapped.retryable)
    }

    @Test(
        "a sentence that ends with words from outside ends with one full stop",
        arguments: [("no", "no."), ("no.\n", "no."), ("why?", "why?"), ("", "")]
    )
    func sentence(text: String, expected: String) {
        #expect(PlainText.sentence(text) == expected)
    }

    @Test("text from outside is cut to a length")
    func longText() {
        #expect(PlainText.clean(String(repeating: "x", count: 9_999)).count == 2_000)
        #expect(PlainText.clean("abcdef", limit: 3) == "abc")
    }
}

extension Bytes32Error {
    fileprivate static func of(_ text: String) -> Bytes32Error {
        do throws(Bytes32Error) {
            _ = try Bytes32(hex: text)
            Issue.record("\(text) was taken for a word")
            return Bytes32Error.of("x")
        } catch {
            return error
        }
    }
}
