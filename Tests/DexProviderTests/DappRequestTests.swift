import Ethereum
import StrictJSON
import Testing

@testable import DexProvider

@Suite("The requests of EIP-1193, read")
struct DappRequestTests {
    private static let alice = Address(truncating: UInt256(0xA1).word)

    private func code(_ method: String, _ parameters: String) throws -> Int? {
        let json = try JSONParser.parse(Array(parameters.utf8))
        do throws(DappError) {
            _ = try DappRequest(method: method, parameters: json.arrayValue ?? [])
            return nil
        } catch {
            return error.code
        }
    }

    @Test("messages are bytes in hexadecimal, or text")
    func messages() throws {
        let account = JSONValue.string(Self.alice.checksummed)
        for (text, bytes) in [("0x6869", "hi"), ("hi", "hi"), ("6869", "6869"), ("0x", "")] {
            let request = try DappRequest(
                method: "personal_sign",
                parameters: [.string(text), account]
            )
            #expect(request == .signMessage(Array(bytes.utf8), Self.alice))
        }
    }

    @Test("reads are those of the list, and pass as they are")
    func reads() throws {
        let parameters: [JSONValue] = [["to": "0x"], "latest"]
        let read = try DappRequest(method: "eth_call", parameters: parameters)
        #expect(read == .read(method: "eth_call", parameters: parameters))
        for method in [
            "eth_sendRawTransaction", "eth_sign", "eth_newFilter", "debug_traceCall", "ETH_CALL",
            "personal_unlockAccount", "admin_peers", "eth_call ",
        ] {
            #expect(try code(method, "[]") == 4_200, "\(method)")
        }
    }

    @Test("a transaction is what it calls; who pays how is planned here")
    func transactions() throws {
        let request = try DappRequest(
            method: "eth_sendTransaction",
            parameters: [
                [
                    "from": .string(Self.alice.checksummed), "to": .string(Self.alice.lowercaseHex),
                    "input": "0x01", "data": "0x01", "gas": "0x5208", "gasPrice": "0x1",
                    "value": "0x0de0b6b3a7640000", "chainId": 1,
                ]
            ]
        )
        guard case .send(let transaction) = request else {
            Issue.record("\(request)")
            return
        }
        #expect(transaction.from == Self.alice && transaction.to == Self.alice)
        #expect(transaction.value == Wei(1_000_000_000_000_000_000))
        #expect(transaction.data == [1] && transaction.chainID == 1)
    }

    @Test(
        "wrong parameters are -32602",
        arguments: [
            ("personal_sign", "[]"), ("personal_sign", "[\"hi\"]"), ("personal_sign", "[1,2]"),
            ("personal_sign", "[\"0x0\",\"0x00000000000000000000000000000000000000A1\"]"),
            ("personal_sign", "[\"hi\",\"0xA1\"]"), ("wallet_pair", "[7]"),
            ("wallet_switchEthereumChain", "[]"), ("wallet_switchEthereumChain", "[{}]"),
            ("wallet_switchEthereumChain", "[{\"chainId\":1}]"),
            ("wallet_switchEthereumChain", "[{\"chainId\":\"0x10000000000000000\"}]"),
            ("eth_signTypedData_v4", "[]"), ("eth_sendTransaction", "[]"),
            ("eth_signTypedData_v4", "[\"0x00000000000000000000000000000000000000A1\",\"{\"]"),
            ("eth_signTypedData_v4", "[\"0x00000000000000000000000000000000000000A1\",{}]"),
            ("eth_sendTransaction", "[{\"from\":\"0x00000000000000000000000000000000000000A1\"}]"),
        ]
    )
    func invalid(method: String, parameters: String) throws {
        #expect(try code(method, parameters) == -32_602)
    }
}
