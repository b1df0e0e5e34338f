import Ethereum
import EthereumWallet
import Testing

@testable import DexSandbox

@Suite("Allowances inside Permit2 of the simulated chain")
struct Permit2AllowanceTests {
    private let permit2 = TestChain.swap.permit2
    private let dai = TestChain.dai
    private static let unlimited = (UInt256(1) << 160) &- 1

    // MARK: Calls, written by the ABI encoder

    private func approve(
        _ amount: UInt256,
        _ spender: PrivateKeySigner,
        until expiration: UInt256
    ) throws -> [UInt8] {
        try ABIFunction("approve(address,address,uint160,uint48)").encode([
            .address(dai), .address(spender.address), .uint(amount), .uint(expiration),
        ])
    }

    private func take(_ amount: UInt256, _ test: TestChain) throws -> [UInt8] {
        try ABIFunction("transferFrom(address,address,uint160,address)").encode([
            .address(test.alice.address), .address(test.bob.address), .uint(amount), .address(dai),
        ])
    }

    /// Amount, expiration and nonce of bob's allowance of alice's DAI.
    private func allowance(_ test: TestChain) async throws -> [UInt256] {
        let answer = try await test.answer(
            permit2,
            ERC20.call(
                "allowance(address,address,address)",
                test.alice.address.word,
                dai.word,
                test.bob.address.word
            )
        )
        #expect(answer.count == 96)
        return stride(from: 0, to: answer.count, by: 32).compactMap {
            UInt256(bigEndian: answer[$0..<$0 + 32])
        }
    }

    private func permit(
        _ test: TestChain,
        _ amount: UInt256,
        until expiration: UInt256,
        nonce: UInt256 = 0,
        deadline: UInt256? = nil,
        by signer: PrivateKeySigner? = nil
    ) throws -> [UInt8] {
        let deadline = deadline ?? UInt256(test.clock.now + 100)
        let details = ABIValue.tuple([
            .address(dai), .uint(amount), .uint(expiration), .uint(nonce),
        ])
        let message = ABIValue.tuple([details, .address(test.bob.address), .uint(deadline)])
        let types = try TypedDataTypes([
            TypedDataStruct(
                "PermitSingle",
                [
                    ("details", "PermitDetails"), ("spender", "address"),
                    ("sigDeadline", "uint256"),
                ]
            ),
            TypedDataStruct(
                "PermitDetails",
                [
                    ("token", "address"), ("amount", "uint160"), ("expiration", "uint48"),
                    ("nonce", "uint48"),
                ]
            ),
        ])
        let data = try TypedData(
            types: types,
            primaryType: "PermitSingle",
            domain: TypedDataDomain(name: "Permit2", chainID: 1337, verifyingContract: permit2),
            message: message
        )
        let signature = try (signer ?? test.alice).signature(over: data.digest)
        return try ABIFunction(
            "permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)"
        ).encode([
            .address(test.alice.address), message,
            .bytes(signature.r.bytes + signature.s.bytes + [signature.v]),
        ])
    }

    // MARK: Known values

    @Test("selectors and event topics are those of the published contract")
    func known() throws {
        func selector(_ signature: String) -> String {
            Hex.encode(Keccak256.hash(signature.utf8).bytes.prefix(4))
        }
        #expect(selector("allowance(address,address,address)") == "0x927da105")
        #expect(selector("approve(address,address,uint160,uint48)") == "0x87517c45")
        #expect(selector("lockdown((address,address)[])") == "0xcc53287f")
        #expect(selector("transferFrom(address,address,uint160,address)") == "0x36c78516")
        #expect(
            selector("permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)")
                == "0x2b67b570"
        )
    }

    // MARK: Behaviour

    @Test("an allowance is set, drawn by its spender alone, and reduced")
    func draws() async throws {
        let test = try TestChain.withSwap()
        #expect(try await allowance(test) == [0, 0, 0])
        let end = UInt256(test.clock.now + 1_000)
        let receipt = try await test.send(
            from: test.alice,
            to: permit2,
            data: approve(100, test.bob, until: end)
        )
        #expect(receipt.succeeded)
        let log = try #require(receipt.logs.first)
        #expect(receipt.logs.count == 1 && log.address == permit2)
        #expect(
            log.topics.map(\.hex) == [
                "0xda9fa7c1b00402c17d0161b249b1ab8bbec047c5a52207b9c112deffd817036b",
                test.alice.address.word.hex, dai.word.hex, test.bob.address.word.hex,
            ]
        )
        #expect(log.data == UInt256(100).bigEndianBytes + end.bigEndianBytes)
        #expect(try await allowance(test) == [100, end, 0])
        #expect(
            await test.refusal(of: permit2, try take(101, test), from: test.bob)
                == ERC20.call("InsufficientAllowance(uint256)", UInt256(100).word)
        )
        // Alice gave herself none.
        #expect(
            await test.refusal(of: permit2, try take(1, test))
                == ERC20.call("AllowanceExpired(uint256)", UInt256(0).word)
        )
        let before = try await test.balance(dai, test.alice.address)
        let drawn = try await test.send(from: test.bob, to: permit2, data: take(60, test))
        #expect(drawn.succeeded && drawn.logs.map(\.address) == [dai])
        #expect(try await test.balance(dai, test.alice.address) == before - 60)
        #expect(try await allowance(test) == [40, end, 0])
    }

    @Test("an unlimited allowance stays, an expired one and a dirty word are refused")
    func edges() async throws {
        let test = try TestChain.withSwap()
        let end = UInt256(test.clock.now + 1_000)
        _ = try await test.send(
            from: test.alice,
            to: permit2,
            data: approve(Self.unlimited, test.bob, until: end)
        )
        _ = try await test.send(from: test.bob, to: permit2, data: take(60, test))
        #expect(try await allowance(test) == [Self.unlimited, end, 0])
        // Zero is the time of the block.
        let brief = try await test.send(
            from: test.alice,
            to: permit2,
            data: approve(5, test.bob, until: 0)
        )
        #expect(brief.logs.first?.data.suffix(32) == UInt256(0).bigEndianBytes[...])
        let mined = try await allowance(test)[1]
        #expect(mined > 0 && mined < end)
        test.clock.advance(50)
        #expect(
            await test.refusal(of: permit2, try take(1, test), from: test.bob)
                == ERC20.call("AllowanceExpired(uint256)", mined.word)
        )
        for index in [2, 3] {
            var data = try approve(5, test.bob, until: end)
            data[4 + 32 * index + 11] = 1
            if index == 3 { data[4 + 32 * index + 25] = 1 }
            #expect(await test.refusal(of: permit2, data) == [])
        }
    }

    @Test("a permit sets an allowance once, by its owner and until its deadline")
    func permits() async throws {
        let test = try TestChain.withSwap()
        let end = UInt256(test.clock.now + 1_000)
        #expect(
            await test.refusal(
                of: permit2,
                try permit(test, 70, until: end, by: test.bob),
                from: test.bob
            ) == ERC20.call("InvalidSigner()")
        )
        #expect(
            await test.refusal(of: permit2, try permit(test, 70, until: end, nonce: 1))
                == ERC20.call("InvalidNonce()")
        )
        let late = UInt256(test.clock.now - 1)
        #expect(
            await test.refusal(of: permit2, try permit(test, 70, until: end, deadline: late))
                == ERC20.call("SignatureExpired(uint256)", late.word)
        )
        let data = try permit(test, 70, until: end)
        let receipt = try await test.send(from: test.bob, to: permit2, data: data)
        #expect(receipt.succeeded)
        #expect(
            receipt.logs.first?.topics.map(\.hex) == [
                "0xc6a377bfc4eb120024a8ac08eef205be16b817020812c73223e81d1bdb9708ec",
                test.alice.address.word.hex, dai.word.hex, test.bob.address.word.hex,
            ]
        )
        #expect(receipt.logs.first?.data.count == 96)
        #expect(try await allowance(test) == [70, end, 1])
        #expect(
            await test.refusal(of: permit2, data, from: test.bob)
                == ERC20.call("InvalidNonce()")
        )
    }

    @Test("a lockdown takes amounts away, leaves their nonces, and names each pair")
    func lockdown() async throws {
        let test = try TestChain.withSwap()
        let end = UInt256(test.clock.now + 1_000)
        _ = try await test.send(
            from: test.bob,
            to: permit2,
            data: permit(test, 70, until: end)
        )
        let pair = ABIValue.tuple([.address(dai), .address(test.bob.address)])
        let data = try ABIFunction("lockdown((address,address)[])")
            .encode([.array([pair, pair])])
        // Somebody else's allowances are not touched.
        _ = try await test.send(from: test.bob, to: permit2, data: data)
        #expect(try await allowance(test) == [70, end, 1])
        let receipt = try await test.send(from: test.alice, to: permit2, data: data)
        #expect(receipt.succeeded)
        #expect(receipt.logs.count == 2)
        #expect(
            receipt.logs.first?.topics.map(\.hex) == [
                "0x89b1add15eff56b3dfe299ad94e01f2b52fbcb80ae1a3baea6ae8c04cb2b98a4",
                test.alice.address.word.hex,
            ]
        )
        #expect(receipt.logs.first?.data == dai.word.bytes + test.bob.address.word.bytes)
        #expect(try await allowance(test) == [0, end, 1])
        #expect(
            await test.refusal(of: permit2, try take(1, test), from: test.bob)
                == ERC20.call("InsufficientAllowance(uint256)", UInt256(0).word)
        )
        // A list that is longer than its data.
        var long = data
        long[4 + 63] = 3
        #expect(await test.refusal(of: permit2, long) == [])
    }
}
