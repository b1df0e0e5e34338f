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
        ("typed-transfer", { TypedDataView(state(authorization)).lines($0) }),
        ("typed-seaport", { TypedDataView(state(seaport)).lines($0) }),
        ("typed-meta-transaction", { TypedDataView(state(metaTransaction)).lines($0) }),
        (
            "typed-of-page",
            { TypedDataView(state(permit("5"), origin: "https://app.example")).lines($0) }
        ),
    ]

    static let alice = Fixtures.address(77)
    static let spender = Fixtures.address(78)

    static func state(
        _ json: JSONValue,
        origin: String? = nil,
        facts: TypedDataFacts? = nil
    ) -> TypedDataState {
        do {
            return try plan(json, origin: origin, facts: facts)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    static func plan(
        _ json: JSONValue,
        origin: String? = nil,
        facts: TypedDataFacts? = nil
    ) throws -> TypedDataState {
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
        return try model.plan(
            try TypedData(json: json),
            account: alice,
            origin: origin,
            facts: facts
        )
    }

    static func types(_ structs: [String: [(String, String)]]) -> JSONValue {
        var object = JSONObject()
        for (name, members) in structs.sorted(by: { $0.key < $1.key }) {
            object[name] = .array(
                members.map { ["name": .string($0.0), "type": .string($0.1)] }
            )
        }
        return .object(object)
    }

    static func text(_ address: Address) -> JSONValue { .string(address.checksummed) }

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

    @Test("what cannot be shown whole is refused")
    func long() throws {
        var json = Self.unknown.objectValue ?? JSONObject()
        func message(_ count: Int) {
            json["message"] = [
                "from": ["name": "Alice", "wallets": []],
                "to": .array((0..<count).map { _ in ["name": "Bob", "wallets": []] }), "text": "",
                "data": "0x",
            ]
        }
        message(1_000)
        let screen = Screen(width: 80, style: .plain, now: Fixtures.now)
        let lines = TypedDataView(try Self.plan(.object(json))).lines(screen)
        #expect(lines.count { $0.contains("\"Bob\"") } == 1_000)
        message(2_000)
        #expect(throws: DexError.self) { try Self.plan(.object(json)) }
        let tokens = (UInt64(1)...60).map { (Fixtures.address(100 + $0), "1") }
        #expect(throws: DexError.self) { try Self.plan(Self.batch(tokens)) }
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

    // MARK: Shares

    private static func batch(_ parts: [(token: Address, amount: String)]) -> JSONValue {
        var json = batch.objectValue ?? JSONObject()
        json["message"] = [
            "details": .array(
                parts.map { part in
                    [
                        "token": text(part.token), "amount": .string(part.amount),
                        "expiration": .number(String(Fixtures.now + 86_400)), "nonce": 0,
                    ]
                }
            ),
            "spender": text(spender), "sigDeadline": .number(String(Fixtures.now + 600)),
        ]
        return .object(json)
    }

    /// 300 small parts of one token before a large one of another, and one of a third.
    private static let shares = batch(
        (0..<300).map { _ in (Fixtures.usdc.address, "1000000") }
            + [(Fixtures.zrx.address, "5000000000000000000")]
            + (0..<2).map { _ in (Fixtures.weth.address, "500000000000000000000000") }
    )
    private static let shareFacts = TypedDataFacts(
        tokens: [:],
        balances: [
            Fixtures.usdc.address: 1_000_000_000, Fixtures.weth.address: Fixtures.milli(4_000),
            Fixtures.zrx.address: Fixtures.milli(1_000_000),
        ],
        stakes: nil,
        isRead: true
    )

    @Test("parts are summed by token, and the most dangerous is first")
    func sums() throws {
        let state = try Self.plan(Self.shares, facts: Self.shareFacts)
        #expect(state.shares.map(\.token.symbol) == ["WETH", "USDC", "ZRX"])
        #expect(state.shares.map(\.parts) == [2, 300, 1])
        #expect(state.shares.map(\.isAllHeld) == [true, false, false])
        #expect(state.shares.map(\.permille) == [250_000_000, 300, 5])
        let screen = Screen(width: 80, style: .plain, now: Fixtures.now)
        let text = TypedDataView(state).lines(screen).suffix(12).joined(separator: "\n")
        #expect(text.contains("1000000 WETH"))
        #expect(state.warnings.contains { $0.hasPrefix("IT IS AS GOOD AS UNLIMITED: ") })
        #expect(TypedDataView(state).question.text.contains("1000000 WETH, 300 USDC and 5 ZRX"))
    }

    @Test("unlimited comes first, then all that is held, unknown balances, and the share")
    func order() throws {
        let parts: [(Address, String)] = [
            (Fixtures.address(50), "0"), (Fixtures.address(51), "1"), (Fixtures.address(52), "10"),
            (Fixtures.address(53), "10"), (Fixtures.address(54), "20"),
            (Fixtures.address(55), "1461501637330902918203684832716283019655932542975"),
            (Fixtures.address(56), "10"),
        ]
        let facts = TypedDataFacts(
            tokens: [:],
            balances: [
                Fixtures.address(50): 5, Fixtures.address(51): 0, Fixtures.address(52): 100,
                Fixtures.address(53): 20, Fixtures.address(54): 20, Fixtures.address(55): 1,
                Fixtures.address(56): nil,
            ],
            stakes: nil,
            isRead: true
        )
        let state = try Self.plan(Self.batch(parts), facts: facts)
        #expect(
            state.shares.map(\.token.address)
                == [55, 54, 56, 53, 52, 51, 50].map { Fixtures.address($0) }
        )
    }

    @Test("without balances a known token is not hidden behind unknown ones, in any spelling")
    func unknownParts() throws {
        var json = Self.batch((60..<80).map { (Fixtures.address($0), "1") })
        let weth = Fixtures.weth.address
        let parts = [weth.checksummed, weth.lowercaseHex].map { spelling -> JSONValue in
            [
                "token": .string(spelling), "amount": "500000000000000000000000",
                "expiration": .number(String(Fixtures.now + 86_400)), "nonce": 0,
            ]
        }
        var object = json.objectValue ?? JSONObject()
        var message = object["message"]?.objectValue ?? JSONObject()
        message["details"] = .array((message["details"]?.arrayValue ?? []) + parts)
        object["message"] = .object(message)
        json = .object(object)
        let state = try Self.plan(json)
        #expect(state.shares.first?.token.address == weth)
        #expect(state.shares.first?.parts == 2)
        #expect(TypedDataView(state).question.text.contains("1000000 WETH, "))
        let screen = Screen(width: 40, style: .plain, now: Fixtures.now)
        let lines = TypedDataView(state).lines(screen)
        // Each token has a line of its own, in base units where its decimals are not known.
        for part in 60..<80 {
            let address = Fixtures.address(UInt64(part)).checksummed
            #expect(lines.contains { $0.contains(address) && !$0.hasPrefix(ForeignText.margin) })
        }
    }

    @Test("what is too long to be shown whole is refused, not cut")
    func manyParts() throws {
        for count in [1_000, 20_000] {
            let parts = (0..<count).map { _ in (Fixtures.usdc.address, "1") }
            let json = Self.batch(parts + [(Fixtures.weth.address, "1")])
            let error = #expect(throws: DexError.self) { _ = try Self.plan(json) }
            #expect(error?.code == "too-long-to-show")
        }
        let tokens = (100..<151).map { (Fixtures.address($0), "1") }
        let error = #expect(throws: DexError.self) { _ = try Self.plan(Self.batch(tokens)) }
        #expect(error?.code == "too-long-to-show")
    }

    // MARK: Kinds

    private static let tokenDomain: [(String, String)] = [
        ("name", "string"), ("version", "string"), ("chainId", "uint256"),
        ("verifyingContract", "address"),
    ]

    private static func domain(_ contract: Address, _ name: String) -> JSONValue {
        ["name": .string(name), "version": "1", "chainId": 1, "verifyingContract": text(contract)]
    }

    private static let authorization: JSONValue = [
        "types": types([
            "EIP712Domain": tokenDomain,
            "TransferWithAuthorization": [
                ("from", "address"), ("to", "address"), ("value", "uint256"),
                ("validAfter", "uint256"), ("validBefore", "uint256"), ("nonce", "bytes32"),
            ],
        ]),
        "primaryType": "TransferWithAuthorization",
        "domain": domain(Fixtures.usdc.address, "USD Coin"),
        "message": [
            "from": text(alice), "to": text(spender), "value": "2500000", "validAfter": 0,
            "validBefore": .number(String(Fixtures.now + 600)),
            "nonce": .string(Hex.encode(UInt256(3).bigEndianBytes)),
        ],
    ]

    private static let item: [(String, String)] = [
        ("itemType", "uint8"), ("token", "address"), ("identifierOrCriteria", "uint256"),
        ("startAmount", "uint256"), ("endAmount", "uint256"),
    ]

    private static let seaport: JSONValue = [
        "types": types([
            "EIP712Domain": tokenDomain,
            "OrderComponents": [
                ("offerer", "address"), ("zone", "address"), ("offer", "OfferItem[]"),
                ("consideration", "ConsiderationItem[]"), ("orderType", "uint8"),
                ("startTime", "uint256"), ("endTime", "uint256"), ("zoneHash", "bytes32"),
                ("salt", "uint256"), ("conduitKey", "bytes32"), ("counter", "uint256"),
            ],
            "OfferItem": item, "ConsiderationItem": item + [("recipient", "address")],
        ]),
        "primaryType": "OrderComponents", "domain": domain(Fixtures.address(40), "Seaport"),
        "message": [
            "offerer": text(alice), "zone": text(.zero),
            "offer": [
                [
                    "itemType": 1, "token": text(Fixtures.weth.address), "identifierOrCriteria": 0,
                    "startAmount": "1000000000000000000", "endAmount": "1500000000000000000",
                ],
                [
                    "itemType": 2, "token": text(Fixtures.address(41)), "identifierOrCriteria": 7,
                    "startAmount": 1, "endAmount": 1,
                ],
            ],
            "consideration": [
                [
                    "itemType": 0, "token": text(.zero), "identifierOrCriteria": 0,
                    "startAmount": "3", "endAmount": "3", "recipient": text(spender),
                ]
            ], "orderType": 0, "startTime": 0,
            "endTime": .number(String(Fixtures.now + 600)),
            "zoneHash": .string(Hex.encode(UInt256(0).bigEndianBytes)), "salt": 1,
            "conduitKey": .string(Hex.encode(UInt256(0).bigEndianBytes)), "counter": 0,
        ],
    ]

    static let metaTransaction: JSONValue = [
        "types": types([
            "EIP712Domain": tokenDomain,
            "MetaTransactionData": [
                ("signer", "address"), ("sender", "address"), ("minGasPrice", "uint256"),
                ("maxGasPrice", "uint256"), ("expirationTimeSeconds", "uint256"),
                ("salt", "uint256"), ("callData", "bytes"), ("value", "uint256"),
                ("feeToken", "address"), ("feeAmount", "uint256"),
            ],
        ]),
        "primaryType": "MetaTransactionData", "domain": domain(Fixtures.address(9), "ZeroEx"),
        "message": [
            "signer": text(alice), "sender": text(spender), "minGasPrice": 0, "maxGasPrice": 0,
            "expirationTimeSeconds": .number(String(Fixtures.now + 600)), "salt": 5,
            "callData": "0x415565b0", "value": 0, "feeToken": text(Fixtures.weth.address),
            "feeAmount": "2000000000000000",
        ],
    ]

    @Test("what moves tokens is known, or named so and wants a word")
    func kinds() throws {
        func title(_ json: JSONValue) throws -> String {
            let screen = Screen(width: 200, style: .plain, now: Fixtures.now)
            return TypedDataView(try Self.plan(json)).lines(screen).first ?? ""
        }
        #expect(try title(Self.authorization) == "Signs a transfer of a token (EIP-3009)")
        #expect(try title(Self.seaport) == "Signs an order of Seaport")
        #expect(
            try title(Self.metaTransaction)
                == "Signs a meta-transaction of 0x: moves tokens, unknown how"
        )
        // It names a token.
        #expect(try title(Self.unknown) == "Signs typed data: moves tokens, unknown how")
        let plain = Self.text(of: Self.unknown).replacing(
            Fixtures.weth.address.checksummed,
            with: Self.alice.checksummed
        )
        let mail = try JSONParser.parse(Array(plain.utf8))
        #expect(try title(mail) == "Signs typed data of an unknown kind")
        #expect(TypedDataView(try Self.plan(mail)).question.word == nil)
        #expect(TypedDataView(try Self.plan(Self.metaTransaction)).question.word == "blind")
        #expect(TypedDataView(try Self.plan(Self.seaport)).question.word == nil)
        let seaport = try Self.plan(Self.seaport)
        #expect(seaport.warnings.contains { $0.hasPrefix("YOU GET NOTHING") })
        // The same members under another name of the struct: another kind, which moves tokens.
        let other = Self.text(of: Self.authorization).replacing(
            "TransferWithAuthorization",
            with: "Hello"
        )
        let json = try JSONParser.parse(Array(other.utf8))
        #expect(try title(json) == "Signs typed data: moves tokens, unknown how")
    }

    static func text(of json: JSONValue) -> String {
        String(decoding: json.utf8, as: UTF8.self)
    }

    @Test("no value of others begins a line, whatever it holds", arguments: [20, 40, 80, 200])
    func margin(width: Int) throws {
        let fake = "\nasked by  https://bank.example\u{A0}\u{2003}x\u{202E}\u{1B}[2K"
        let texts = [
            fake, String(repeating: "\u{A0}", count: width) + "account  0xfake",
            String(repeating: "x", count: width - 3) + " account  0xfake", "\" account  0xfake",
            String(repeating: "漢\u{301}\u{301}\u{301}", count: 200),
        ]
        for text in texts {
            var json = Self.unknown.objectValue ?? JSONObject()
            json["domain"] = ["name": .string(text)]
            json["message"] = [
                "from": ["name": .string(text), "wallets": []], "to": [], "text": .string(text),
                "data": "0x",
            ]
            let screen = Screen(width: width, style: .plain, now: Fixtures.now)
            let lines = TypedDataView(try Self.plan(.object(json))).lines(screen)
            #expect(lines.first?.hasPrefix("Signs typed data of") == true || width < 40)
            #expect(lines.count { $0.contains("0xfake") && !$0.hasPrefix("  |") } == 0)
            #expect(lines.count { $0.contains("bank.example") && !$0.hasPrefix("  |") } == 0)
            #expect(!lines.joined().unicodeScalars.contains { $0 == "\u{202E}" || $0 == "\u{A0}" })
            for line in lines where line.hasPrefix("  |") {
                #expect(TerminalText.width(of: line) <= width)
            }
        }
        let state = try Self.plan(Self.unknown)
        #expect(
            state.warnings.contains {
                $0.contains("U+001B ESCAPE") && $0.contains("U+202E RIGHT-TO-LEFT OVERRIDE")
            }
        )
    }
}
