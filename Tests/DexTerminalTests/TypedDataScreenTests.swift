import Ethereum
import StrictJSON
import Testing
import ZeroEx

@testable import DexCore
@testable import DexTerminal

/// What `dex wallet sign-typed` shows; `ScreenTests` compares the screens.
@Suite("Typed data, shown")
struct TypedDataScreenTests {
    static let screens: [(name: String, draw: ScreenTests.Draw)] = [
        ("typed-permit", { TypedDataView(state(permit("100000000000000000000"))).lines($0) }),
        ("typed-permit-unlimited", { TypedDataView(state(permit("\(UInt256.max)"))).lines($0) }),
        ("typed-permit2-batch", { TypedDataView(state(batch)).lines($0) }),
        ("typed-order", { TypedDataView(state(order)).lines($0) }),
        ("typed-unknown", { TypedDataView(state(unknown)).lines($0) }),
        (
            "typed-of-page",
            { TypedDataView(state(permit("5"), origin: "https://app.example")).lines($0) }
        ),
    ]

    private static let alice = Fixtures.address(77)
    private static let spender = Fixtures.address(78)

    static func state(_ json: JSONValue, origin: String? = nil) -> TypedDataState {
        let network = Network(
            name: "mainnet",
            chainID: 1,
            rpc: [],
            relay: nil,
            protocolVersion: .v4,
            exchange: Fixtures.address(9),
            weth: Fixtures.weth.address,
            blockMilliseconds: 12_000,
            isSandbox: false
        )
        let tokens = [Fixtures.zrx, Fixtures.weth, Fixtures.usdc]
            .reduce(TokenMap()) { $0.adding($1) }
        let known = KnownAddresses([
            KnownAddresses.Entry(name: "alice", address: alice, source: .wallet)
        ])
        let model = TypedDataModel(
            network: network,
            tokens: tokens,
            known: known,
            now: Fixtures.now
        )
        do {
            return model.plan(try TypedData(json: json), account: alice, origin: origin)
        } catch {
            preconditionFailure(error.description)
        }
    }

    private static func types(_ structs: [String: [(String, String)]]) -> JSONValue {
        var object = JSONObject()
        for (name, members) in structs.sorted(by: { $0.key < $1.key }) {
            object[name] = .array(
                members.map { ["name": .string($0.0), "type": .string($0.1)] }
            )
        }
        return .object(object)
    }

    private static func text(_ address: Address) -> JSONValue { .string(address.checksummed) }

    static func permit(_ amount: String) -> JSONValue {
        [
            "types": types([
                "EIP712Domain": [
                    ("name", "string"), ("version", "string"), ("chainId", "uint256"),
                    ("verifyingContract", "address"),
                ],
                "Permit": [
                    ("owner", "address"), ("spender", "address"), ("value", "uint256"),
                    ("nonce", "uint256"), ("deadline", "uint256"),
                ],
            ]),
            "primaryType": "Permit",
            "domain": [
                "name": "0x Protocol Token", "version": "1", "chainId": 1,
                "verifyingContract": text(Fixtures.zrx.address),
            ],
            "message": [
                "owner": text(alice), "spender": text(spender), "value": .string(amount),
                "nonce": 0, "deadline": .number(String(Fixtures.now + 600)),
            ],
        ]
    }

    private static let batch: JSONValue = [
        "types": types([
            "EIP712Domain": [
                ("name", "string"), ("chainId", "uint256"), ("verifyingContract", "address"),
            ],
            "PermitBatch": [
                ("details", "PermitDetails[]"), ("spender", "address"),
                ("sigDeadline", "uint256"),
            ],
            "PermitDetails": [
                ("token", "address"), ("amount", "uint160"), ("expiration", "uint48"),
                ("nonce", "uint48"),
            ],
        ]),
        "primaryType": "PermitBatch",
        "domain": [
            "name": "Permit2", "chainId": 1,
            "verifyingContract": text(ZeroExSwapContracts.permit2),
        ],
        "message": [
            "details": [
                [
                    "token": text(Fixtures.usdc.address), "amount": "2500000",
                    "expiration": .number(String(Fixtures.now + 86_400)), "nonce": 0,
                ],
                [
                    "token": text(Fixtures.address(5)),
                    "amount": "1461501637330902918203684832716283019655932542975",
                    "expiration": .number(String(Fixtures.now + 3_600)), "nonce": 1,
                ],
            ],
            "spender": text(spender), "sigDeadline": .number(String(Fixtures.now - 1)),
        ],
    ]

    private static let order: JSONValue = {
        let order = LimitOrderV4(
            makerToken: Fixtures.zrx.address,
            takerToken: Fixtures.weth.address,
            makerAmount: 100_000_000_000_000_000_000,
            takerAmount: 120_000_000_000_000_000,
            maker: alice,
            expiry: Fixtures.now + 86_400,
            salt: 7
        )
        let domain = ExchangeDomainV4(chainID: 1, exchange: Fixtures.address(9))
        return order.typedData(in: domain)?.json ?? .null
    }()

    private static let unknown: JSONValue = [
        "types": types([
            "EIP712Domain": [("name", "string")],
            "Mail": [
                ("from", "Person"), ("to", "Person[]"), ("text", "string"), ("data", "bytes"),
            ],
            "Person": [("name", "string"), ("wallets", "address[]")],
        ]),
        "primaryType": "Mail",
        "domain": ["name": "Mail\u{1B}[31mbox"],
        "message": [
            "from": ["name": "Alice", "wallets": [text(alice), text(Fixtures.weth.address)]],
            "to": [["name": "Bob\nvalue  0 ZRX\u{202E}", "wallets": []]],
            "text": .string(String(repeating: "a long text ", count: 10)),
            "data": .string("0x" + String(repeating: "00ff", count: 40)),
        ],
    ]

    @Test("a long message is cut, and says how much more is signed")
    func long() {
        var json = Self.unknown.objectValue ?? JSONObject()
        json["message"] = [
            "from": ["name": "Alice", "wallets": []],
            "to": .array((0..<1_000).map { _ in ["name": "Bob", "wallets": []] }), "text": "",
            "data": "0x",
        ]
        let screen = Screen(width: 80, style: .plain, now: Fixtures.now)
        let lines = TypedDataView(Self.state(.object(json))).lines(screen)
        #expect(lines.count < 450)
        #expect(lines.contains { $0.contains("more values are signed") })
    }

    @Test("the question repeats what is allowed")
    func questions() {
        func question(_ json: JSONValue) -> String { TypedDataView(Self.state(json)).question.text }
        let name = Self.spender.shortened
        #expect(
            question(Self.permit("5000000000000000000")) == "Allow \(name) to take up to 5 ZRX?"
        )
        #expect(question(Self.permit("\(UInt256.max)")) == "Allow \(name) to take up to ALL ZRX?")
        #expect(question(Self.permit("0")) == "Sign this?")
        #expect(question(Self.order) == "Sell 100 ZRX for 0.12 WETH?")
        #expect(question(Self.unknown) == "Sign this?")
    }
}
