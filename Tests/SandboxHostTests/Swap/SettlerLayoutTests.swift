import DexSandbox
import Ethereum
import EthereumWallet
import StrictJSON
import Testing

@testable import SandboxHost

/// The bytes of quotes, beside what 0x's published samples look like.
@Suite("Call data of the sandbox's quotes")
struct SettlerLayoutTests {
    private static let amount: UInt256 = 1_000_000_000_000_000_000

    @Test("an AllowanceHolder quote: exec with the Settler twice, execute with what is promised")
    func allowanceHolder() async throws {
        let bench = try SwapBench()
        let quote = try await bench.quote(
            .allowanceHolder,
            bench.items(SwapBench.zrx, SwapBench.weth, Self.amount)
        )
        let call = quote["transaction"]
        #expect(call?["to"] == "0x0000000000001ff3684f28c67538d4d072c22734")
        #expect(call?["value"] == "0")
        let words = try QuotedCall(quote)
        let exec = try #require(words.exec)
        let settler = try Address("0x5e77000000000000000000000000000000000002")
        #expect(exec[0] == settler.word && exec[3] == settler.word)
        #expect(exec[1] == SwapBench.zrx.word && exec[2] == Self.amount.word)
        #expect(exec[4] == UInt256(0xa0).word)
        #expect(words.head[0] == bench.alice.address.word)
        #expect(words.head[1] == SwapBench.weth.word)
        #expect(UInt256(words.head[2]) == quote["minBuyAmount"]?.amount)
        #expect(words.head[3] == UInt256(0xa0).word)
        // The rest is canonical: a strict decoder reads it.
        let function = try ABIFunction("execute((address,address,uint256),bytes[],bytes32)")
        let arguments = try function.decodeArguments(words.execute)
        guard case .array(let actions) = arguments[1] else {
            Issue.record("no actions")
            return
        }
        let selectors = actions.compactMap { action -> String? in
            if case .bytes(let bytes) = action { Hex.encode(bytes.prefix(4)) } else { nil }
        }
        #expect(selectors == ["0xc1fb425e", "0xd33dcddd"])
    }

    @Test("a Permit2 quote is open at its end, and the signature becomes its tail")
    func permit2() async throws {
        let bench = try SwapBench()
        let quote = try await bench.quote(
            .permit2,
            bench.items(SwapBench.zrx, SwapBench.dai, Self.amount)
        )
        let settler = "0x5e77000000000000000000000000000000000002"
        #expect(quote["transaction"]?["to"]?.stringValue == settler)
        let call = try QuotedCall(quote)
        #expect(call.exec == nil)
        let bytes = call.execute
        // The first action's offset is the largest, its length 0xffff.
        let array = 4 + 0xa0
        func number(_ position: Int) throws -> Int {
            let word = try #require(Bytes32(bytes: bytes.dropFirst(position).prefix(32)))
            return try #require(UInt256(word).uint64.map(Int.init))
        }
        #expect(try number(array) == 3)
        let offsets = try (0..<3).map { try number(array + 32 + 32 * $0) }
        #expect(offsets[0] > offsets[1] && offsets[2] > offsets[1])
        let first = array + 32 + offsets[0]
        #expect(try number(first) == 0xffff)
        #expect(Hex.encode(bytes[(first + 32)..<(first + 36)]) == "0xc1fb425e")
        #expect(try number(bytes.count - 32) == 0xc0)
        #expect(bytes.count == first + 36 + 6 * 32)
        // No strict decoder reads that.
        let function = try ABIFunction("execute((address,address,uint256),bytes[],bytes32)")
        #expect(throws: ABIError.self) { try function.decodeArguments(bytes) }

        let message = quote["permit2"]?["eip712"]?["message"]
        #expect(
            message?["permitted"]?["token"]?.stringValue.flatMap(Address.init(ifHex:))
                == SwapBench.zrx
        )
        #expect(message?["permitted"]?["amount"]?.amount == Self.amount)
        #expect(
            message?["spender"]?.stringValue.flatMap(Address.init(ifHex:))
                == Address(ifHex: settler)
        )
        #expect(message?["deadline"]?.amount == UInt256(SwapBench.now + 300))
        let domain = quote["permit2"]?["eip712"]?["domain"]
        #expect(domain?["chainId"]?.numberText == "1337")
        #expect(domain?["version"] == nil)
        #expect(quote["permit2"]?["eip712"]?["primaryType"] == "PermitTransferFrom")
    }

    @Test("a message has the hash of 0x's published sample")
    func knownMessage() throws {
        let nonce: UInt256 = 2_241_959_297_937_691_820_908_574_931_991_559
        let json = try PermitMessage(
            chainID: 1,
            token: Address("0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"),
            amount: 100_000_000_000_000_000_000_000,
            spender: Address("0x0d0e364aa7852291883c162b22d6d81f6355428f"),
            nonce: nonce,
            deadline: 1_739_918_089
        ).json()
        #expect(
            json["hash"]
                == "0xafb2c83591d83ec04d0792eaa00d36f5a509dfab6666fa787e310afa276bf379"
        )
        #expect(json["type"] == "Permit2")
    }

    @Test("a sale of the coin checks its value and needs no message")
    func native() async throws {
        let bench = try SwapBench()
        let items = bench.items(SwapBench.native, SwapBench.zrx, Self.amount)
        for endpoint in SwapAPI.Endpoint.allCases {
            let quote = try await bench.quote(endpoint, items)
            #expect(quote["transaction"]?["value"]?.amount == Self.amount)
            #expect(quote["allowanceTarget"] == .null)
            #expect(endpoint == .allowanceHolder || quote["permit2"] == .null)
            let execute = try QuotedCall(quote).execute
            let function = try ABIFunction("execute((address,address,uint256),bytes[],bytes32)")
            guard case .array(let actions) = try function.decodeArguments(execute)[1],
                case .bytes(let check)? = actions.first
            else {
                Issue.record("no actions")
                return
            }
            let arguments = try ABIFunction("NATIVE_CHECK(uint256,uint256)").decodeArguments(check)
            #expect(arguments == [.uint(UInt256(SwapBench.now + 300)), .uint(Self.amount)])
        }
    }

    @Test("the wrapped coin's own contract is called directly")
    func wraps() async throws {
        let bench = try SwapBench()
        let wrap = try await bench.quote(
            .allowanceHolder,
            bench.items(SwapBench.native, SwapBench.weth, Self.amount)
        )
        let weth = SwapBench.weth.lowercaseHex
        #expect(wrap["transaction"]?["to"]?.stringValue == weth)
        #expect(wrap["transaction"]?["data"] == "0xd0e30db0")
        #expect(wrap["transaction"]?["value"]?.amount == Self.amount)
        let unwrap = try await bench.quote(
            .permit2,
            bench.items(SwapBench.weth, SwapBench.native, Self.amount)
        )
        #expect(unwrap["transaction"]?["to"]?.stringValue == weth)
        let digits = String(repeating: "0", count: 64 - 15) + "de0b6b3a7640000"
        #expect(unwrap["transaction"]?["data"]?.stringValue == "0x2e1a7d4d" + digits)
        #expect(unwrap["transaction"]?["value"] == "0")
        #expect(unwrap["permit2"] == .null)
        #expect(unwrap["allowanceTarget"] == .null)
        #expect(unwrap["minBuyAmount"] == unwrap["sellAmount"])
    }
}
