import Ethereum
import EthereumWallet
import Testing

@testable import DexSandbox

@Suite("Permit2 of the simulated chain")
struct SwapPermitTests {
    private let permit2 = TestChain.swap.permit2
    private let settler = TestChain.settler

    /// A call of Permit2 by bob for 100 of alice's DAI.
    private func transfer(
        _ test: TestChain,
        _ amount: UInt256 = 100,
        signedBy signer: PrivateKeySigner? = nil,
        spender: Address? = nil,
        change: (inout SwapCalls.Permit) -> Void = { _ in },
        signature edit: (inout [UInt8]) -> Void = { _ in }
    ) throws -> [UInt8] {
        var permit = SwapCalls.Permit(token: TestChain.dai, amount: 100)
        change(&permit)
        var signature = try permit.signature(
            by: signer ?? test.alice,
            spender: spender ?? test.bob.address
        )
        edit(&signature)
        return try SwapCalls.permitTransferFrom(
            permit,
            to: test.bob.address,
            amount,
            owner: test.alice.address,
            signature
        )
    }

    @Test("the domain of this chain")
    func domain() async throws {
        let contract = GenesisSwap.permit2
        #expect(contract.lowercaseHex == "0x000000000022d473030f116ddee9f6b43ac78ba3")
        let test = try TestChain.withSwap()
        let domain = TypedDataDomain(name: "Permit2", chainID: 1337, verifyingContract: contract)
        #expect(
            try await test.answer(permit2, ERC20.call("DOMAIN_SEPARATOR()"))
                == domain.separator.bytes
        )
    }

    @Test("a signature moves tokens once, up to its amount, for its spender")
    func transfer() async throws {
        let test = try TestChain.withSwap()
        let before = try await test.balance(TestChain.dai, test.alice.address)
        #expect(await test.refusal(of: permit2, try transfer(test), from: test.bob) == nil)
        #expect(
            await test.refusal(of: permit2, try transfer(test, 101), from: test.bob)
                == ERC20.call("InvalidAmount(uint256)", UInt256(100).word)
        )
        // Alice herself is another spender, and so is another signer another owner.
        let wrong = ERC20.call("InvalidSigner()")
        #expect(await test.refusal(of: permit2, try transfer(test)) == wrong)
        for data in [
            try transfer(test, signedBy: test.bob), try transfer(test, spender: settler),
            try transfer(test, signature: { $0[40] ^= 1 }),
        ] {
            let error = try #require(await test.refusal(of: permit2, data, from: test.bob))
            // A changed signature is that of somebody else, or of nobody.
            #expect(error == wrong || error == ERC20.call("InvalidSignature()"))
        }
        let receipt = try await test.send(
            from: test.bob,
            to: permit2,
            data: transfer(test, 60)
        )
        #expect(receipt.succeeded)
        #expect(receipt.logs.map(\.address) == [TestChain.dai])
        #expect(try await test.balance(TestChain.dai, test.alice.address) == before - 60)
        #expect(
            await test.refusal(of: permit2, try transfer(test, 40), from: test.bob)
                == ERC20.call("InvalidNonce()")
        )
        #expect(
            try await test.send(from: test.bob, to: permit2, data: transfer(test, 40)).succeeded
                == false
        )
    }

    @Test("nonces are bits in any order, each owner's own, and unused where a call reverts")
    func nonces() async throws {
        let test = try TestChain.withSwap()
        func word(_ index: UInt256, of owner: PrivateKeySigner) async throws -> UInt256 {
            let data = ERC20.call(
                "nonceBitmap(address,uint256)",
                owner.address.word,
                index.word
            )
            return try #require(UInt256(bigEndian: try await test.answer(permit2, data)))
        }
        for nonce in [UInt256(256 * 3 + 255), 256 * 3, .max, 256 * 3 + 7] {
            let data = try transfer(test, 1, change: { $0.nonce = nonce })
            #expect(await test.refusal(of: permit2, data, from: test.bob) == nil)
            #expect(try await test.send(from: test.bob, to: permit2, data: data).succeeded)
            #expect(
                await test.refusal(of: permit2, data, from: test.bob)
                    == ERC20.call("InvalidNonce()")
            )
        }
        #expect(try await word(3, of: test.alice) == 1 << 255 | 1 << 7 | 1)
        #expect(try await word(.max >> 8, of: test.alice) == 1 << 255)
        #expect(try await word(3, of: test.bob) == 0)
        // More than alice has: the token fails, and the nonce stays free.
        let maximum = try await test.balance(TestChain.dai, test.alice.address)
        let tooMuch = try transfer(test, maximum + 1, change: { $0.amount = .max })
        #expect(
            try await test.send(from: test.bob, to: permit2, data: tooMuch).succeeded == false
        )
        #expect(try await word(0, of: test.alice) == 0)
    }

    @Test("deadlines, short and long signatures, other chains and contracts")
    func signatures() async throws {
        let test = try TestChain.withSwap()
        let now = UInt256(test.clock.now)
        #expect(
            await test.refusal(
                of: permit2,
                try transfer(test, change: { $0.deadline = now }),
                from: test.bob
            )
                == nil
        )
        #expect(
            await test.refusal(
                of: permit2,
                try transfer(test, change: { $0.deadline = now - 1 }),
                from: test.bob
            ) == ERC20.call("SignatureExpired(uint256)", (now - 1).word)
        )
        for count in [0, 1, 63, 66, 97] {
            let data = try transfer(
                test,
                signature: { $0 = Array(($0 + $0).prefix(count)) }
            )
            #expect(
                await test.refusal(of: permit2, data, from: test.bob)
                    == ERC20.call("InvalidSignatureLength()")
            )
        }
        for v in [0, 1, 26, 29, 255] as [UInt8] {
            let data = try transfer(test, signature: { $0[64] = v })
            #expect(
                await test.refusal(of: permit2, data, from: test.bob)
                    == ERC20.call("InvalidSignature()")
            )
        }
        let zeros = try transfer(
            test,
            signature: { $0.replaceSubrange(0..<64, with: repeatElement(0, count: 64)) }
        )
        #expect(
            await test.refusal(of: permit2, zeros, from: test.bob)
                == ERC20.call("InvalidSignature()")
        )
        // The short form of EIP-2098 carries v in the highest bit of s.
        for nonce in 0..<8 as Range<UInt64> {
            let data = try transfer(
                test,
                change: { $0.nonce = UInt256(nonce) },
                signature: { signature in
                    signature[32] |= (signature[64] - 27) << 7
                    signature.removeLast()
                }
            )
            #expect(await test.refusal(of: permit2, data, from: test.bob) == nil)
        }
        let permit = SwapCalls.Permit(token: TestChain.dai, amount: 100)
        for digest in [
            try permit.digest(spender: test.bob.address, chainID: 1),
            try permit.digest(spender: test.bob.address, contract: settler),
        ] {
            let signature = try test.alice.signature(over: digest)
            let data = try SwapCalls.permitTransferFrom(
                permit,
                to: test.bob.address,
                100,
                owner: test.alice.address,
                signature.r.bytes + signature.s.bytes + [signature.v]
            )
            #expect(
                await test.refusal(of: permit2, data, from: test.bob)
                    == ERC20.call("InvalidSigner()")
            )
        }
        // A contract signs nothing here.
        let contract = try SwapCalls.permitTransferFrom(
            permit,
            to: test.bob.address,
            0,
            owner: TestChain.zrxWeth,
            Array(repeating: 1, count: 65)
        )
        #expect(await test.refusal(of: permit2, contract, from: test.bob) == [])
    }

    @Test("a trade by signature: canonical, and with the signature appended as 0x's API wants it")
    func trade() async throws {
        let test = try TestChain.withSwap()
        for (nonce, isAppended) in [(1, false), (2, true)] as [(UInt256, Bool)] {
            var permit = SwapCalls.Permit(token: TestChain.zrx, amount: 5 * ether)
            permit.nonce = nonce
            let signature = try permit.signature(by: test.alice, spender: settler)
            let reserves = try await test.reserves(TestChain.zrxWeth)
            let wanted = TestChain.output(5 * ether, reserves[0], reserves[1])
            let sell = SwapCalls.sell(TestChain.zrxWeth, TestChain.zrx, to: settler)
            let data: [UInt8]
            if isAppended {
                let unsigned = try Self.unsigned(
                    to: test.alice.address,
                    minimum: wanted,
                    permit,
                    sell
                )
                #expect(
                    await test.refusal(of: settler, unsigned)
                        == ERC20.call("InvalidSignatureLength()")
                )
                data = unsigned + UInt256(65).word.bytes + signature
            } else {
                data = try SwapCalls.execute(
                    to: test.alice.address,
                    TestChain.weth,
                    minimum: wanted,
                    [try SwapCalls.transferFrom(to: settler, permit, signature: signature), sell]
                )
            }
            // Only for whom it was signed.
            #expect(
                await test.refusal(of: settler, data, from: test.bob)
                    == ERC20.call("InvalidSigner()")
            )
            let before = try await test.balance(TestChain.weth, test.alice.address)
            #expect(try await test.send(from: test.alice, to: settler, data: data).succeeded)
            #expect(try await test.balance(TestChain.weth, test.alice.address) == before + wanted)
            #expect(
                await test.refusal(of: settler, data) == ERC20.call("InvalidNonce()")
            )
        }
    }

    /// The layout of 0x's Permit2 quotes: the first action lies last, claims 0xffff bytes, and ends
    /// with the offset of a signature that is not there yet.
    private static func unsigned(
        to recipient: Address,
        minimum: UInt256,
        _ permit: SwapCalls.Permit,
        _ second: [UInt8]
    ) throws -> [UInt8] {
        let head = [
            recipient.word, TestChain.weth.word, minimum.word, UInt256(0xA0).word, .zero,
        ].flatMap(\.bytes)
        let padded = second + Array(repeating: 0, count: (32 - second.count % 32) % 32)
        let tail = UInt256(64 + 32 + UInt64(padded.count))
        let offsets = [UInt256(2).word, tail.word, UInt256(64).word].flatMap(\.bytes)
        let first = try SwapCalls.transferFrom(to: TestChain.settler, permit).dropLast(32)
        #expect(Array(first.suffix(32)) == UInt256(0xC0).word.bytes)
        return [0x1F, 0xFF, 0x99, 0x1F] + head + offsets
            + UInt256(UInt64(second.count)).word.bytes + padded
            + UInt256(0xFFFF).word.bytes + first
    }
}
