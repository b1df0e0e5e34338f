import DexSigning
import Ethereum
import StrictJSON
import Testing
import ZeroEx

@testable import DexCore
@testable import DexTerminal

@Suite("Typed data that takes more than it says")
struct TypedDataDangerTests {
    private typealias Typed = TypedDataScreenTests

    private static func safe(
        operation: Int = 0,
        gasPrice: Int = 0,
        value: String = "0"
    ) -> JSONValue {
        [
            "types": Typed.types([
                "EIP712Domain": [("chainId", "uint256"), ("verifyingContract", "address")],
                "SafeTx": [
                    ("to", "address"), ("value", "uint256"), ("data", "bytes"),
                    ("operation", "uint8"), ("safeTxGas", "uint256"), ("baseGas", "uint256"),
                    ("gasPrice", "uint256"), ("gasToken", "address"),
                    ("refundReceiver", "address"), ("nonce", "uint256"),
                ],
            ]),
            "primaryType": "SafeTx",
            "domain": ["chainId": 1, "verifyingContract": Typed.text(Fixtures.address(9))],
            "message": [
                "to": Typed.text(Typed.spender), "value": .string(value),
                "data": .string(Hex.encode(ERC20.approve(spender: Typed.alice, amount: 0))),
                "operation": .number(String(operation)), "safeTxGas": 0, "baseGas": 0,
                "gasPrice": .number(String(gasPrice)), "gasToken": Typed.text(.zero),
                "refundReceiver": Typed.text(.zero), "nonce": 3,
            ],
        ]
    }

    @Test("code that runs as a Safe, and gas that it pays, want a word; its ether is told")
    func safes() throws {
        #expect(TypedDataView(try Typed.plan(Self.safe())).question.word == nil)
        let delegated = try Typed.plan(Self.safe(operation: 1))
        #expect(TypedDataView(delegated).question.word == "blind")
        let warning = try #require(
            delegated.warnings.first { $0.hasPrefix("IT CHANGES A CONTRACT") }
        )
        #expect(warning.contains(Fixtures.address(9).checksummed))
        #expect(warning.contains(Typed.spender.checksummed))
        let paying = try Typed.plan(Self.safe(gasPrice: 7))
        #expect(TypedDataView(paying).question.word == "blind")
        #expect(paying.warnings.contains { $0.hasPrefix("THE CONTRACT PAYS FOR ITS GAS: whoever") })
        let sending = try Typed.plan(Self.safe(value: "2500000000000000000"))
        #expect(sending.warnings.contains { $0.hasPrefix("It sends 2.5 ETH to") })
    }

    @Test("the fee of a meta-transaction is told, also where its call is known")
    func metaFee() throws {
        let known = Hex.encode(ERC20.approve(spender: Typed.alice, amount: 0))
        let json = try JSONParser.parse(
            Array(
                Typed.text(of: Typed.metaTransaction)
                    .replacing("0x415565b0", with: known).utf8
            )
        )
        let state = try Typed.plan(json)
        #expect(
            state.warnings.contains {
                $0.hasPrefix("IT MOVES") && $0.contains("0.002 WETH of this account")
                    && $0.contains(Typed.spender.checksummed)
            },
            "\(state.warnings)"
        )
    }

    @Test("typed data that lets others act for the account want a word")
    func delegations() throws {
        for (name, members) in [
            (
                "DelegationWithSig",
                [
                    ("delegatee", "address"), ("value", "uint256"), ("nonce", "uint256"),
                    ("deadline", "uint256"),
                ]
            ),
            (
                "Authorization",
                [
                    ("authorizer", "address"), ("authorized", "address"),
                    ("isAuthorized", "bool"), ("nonce", "uint256"), ("deadline", "uint256"),
                ]
            ),
            (
                "Access",
                [
                    ("owner", "address"), ("manager", "address"), ("isAllowed", "bool"),
                    ("nonce", "uint256"), ("expiry", "uint256"),
                ]
            ),
        ] {
            var message = JSONObject()
            for (member, type) in members {
                message[member] =
                    type == "address" ? Typed.text(Typed.spender) : type == "bool" ? true : 1
            }
            let json: JSONValue = [
                "types": Typed.types([
                    "EIP712Domain": [("chainId", "uint256"), ("verifyingContract", "address")],
                    name: members,
                ]),
                "primaryType": .string(name),
                "domain": ["chainId": 1, "verifyingContract": Typed.text(Fixtures.address(9))],
                "message": .object(message),
            ]
            #expect(TypedDataView(try Typed.plan(json)).question.word == "blind", "\(name)")
        }
    }
}
