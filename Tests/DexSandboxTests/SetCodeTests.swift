import Ethereum
import EthereumWallet
import Foundation
import StrictJSON
import Testing

@testable import DexSandbox

/// EIP-7702, by the rules and in the words of geth.
@Suite("Transactions of type 4, which let accounts run other code")
struct SetCodeTests {
    /// Answers the word at slot 0, and stores the first word of a call that has one.
    static let code = Hex.bytes("0x36600c575f545f5260205ff35b5f355f5500") ?? []
    static let contract = TestChain.address(0xC0DE)
    private static let gasOfEach: UInt64 = 25_000
    private static let order: UInt256 =
        0xFFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFE_BAAE_DCE6_AF48_A03B_BFD2_5E8C_D036_4141

    private func chain(
        mining: ChainConfiguration.Mining = .instant,
        storePath: String? = nil,
        change: (inout Genesis) -> Void = { _ in }
    ) throws -> TestChain {
        try TestChain(mining: mining, storePath: storePath) { genesis in
            genesis.contracts = [GenesisContract(address: Self.contract, code: Self.code)]
            change(&genesis)
        }
    }

    @Test("an account runs a contract's code on its own storage, and stops when it says so")
    func life() async throws {
        let test = try chain()
        let bob = test.bob.address
        let receipt = try await test.send(
            setting: [try test.authorization(by: test.bob, Self.contract, nonce: 0)],
            to: bob,
            data: UInt256(41).word.bytes
        )
        #expect(receipt.succeeded)
        #expect(try await test.client.read(.code(bob, .latest)) == Self.delegation)
        #expect(try await test.client.read(.transactionCount(bob, .latest)) == 1)
        #expect(try await test.answer(bob, []) == UInt256(41).word.bytes)
        #expect(try await test.answer(Self.contract, []) == Bytes32.zero.bytes)
        // It still sends transactions, and is called by others.
        try await test.send(from: test.bob, to: test.alice.address, value: 1)
        try await test.send(from: test.alice, to: bob, data: UInt256(42).word.bytes)
        #expect(try await test.answer(bob, []) == UInt256(42).word.bytes)
        // With the zero address it is an account without code again; its storage stays.
        try await test.send(
            setting: [try test.authorization(by: test.bob, .zero, nonce: 2)],
            to: test.alice.address
        )
        #expect(try await test.client.read(.code(bob, .latest)) == [])
        #expect(try await test.answer(bob, []) == [])
        let place: JSONValue = [.string(bob.lowercaseHex), "0x0", "latest"]
        let word = JSONValue.string(UInt256(42).word.hex)
        #expect(try await test.rpc("eth_getStorageAt", place) == word)
        // All of it is undone with its blocks.
        _ = try await test.chain.reorganize(blocks: 4, transactions: .gone)
        #expect(try await test.client.read(.transactionCount(bob, .latest)) == 0)
        #expect(try await test.client.read(.code(bob, .latest)) == [])
    }

    private static let delegation: [UInt8] = [0xEF, 0x01, 0x00] + contract.bytes

    @Test("a block, its transaction and its receipt show the type and the list")
    func shown() async throws {
        let test = try chain()
        let authorization = try test.authorization(by: test.bob, Self.contract, nonce: 0)
        let signed = try await test.signed(setting: [authorization], to: test.bob.address)
        let hash = JSONValue.string(try await test.client.send(raw: signed.raw).hex)
        let transaction = try await test.rpc("eth_getTransactionByHash", [hash])
        #expect(transaction["type"] == "0x4")
        #expect(transaction["authorizationList"] == [authorization.json])
        #expect(transaction["blockNumber"] == "0x1")
        #expect(transaction["gasPrice"] != transaction["maxFeePerGas"])
        let block = try await test.rpc("eth_getBlockByNumber", ["0x1", true])
        #expect(block["transactions"] == [transaction])
        #expect(
            block["transactionsRoot"]
                == .string(MerkleTrie(list: [signed.raw]).root.hex)
        )
        let receipt = try await test.rpc("eth_getTransactionReceipt", [hash])
        #expect(receipt["type"] == "0x4")
        #expect(receipt["contractAddress"] == .null)
        let payload = ReceiptPayload(
            type: 4,
            succeeded: true,
            cumulativeGasUsed: try #require(
                receipt["gasUsed"]?.stringValue.flatMap(UInt256.init(quantity:))?.uint64
            ),
            logs: []
        )
        #expect(
            block["receiptsRoot"] == .string(MerkleTrie(list: [payload.encoded]).root.hex)
        )
        let header = try #require(try await test.client.read(.header(.number(1))))
        #expect(try BlockHeader(json: block) == header)
    }

    @Test("an authorization that does not count changes nothing, and is paid for")
    func ignored() async throws {
        let test = try chain { genesis in
            // Of maker 1 there is code, so what it signs does not count.
            genesis.contracts.append(
                GenesisContract(
                    address: (try? TestChain.signer(11).address) ?? .zero,
                    code: Self.code,
                    ether: Wei(ether)
                )
            )
        }
        let good = try test.authorization(by: test.bob, Self.contract, nonce: 0)
        func changed(
            yParity: UInt8? = nil,
            s: UInt256? = nil,
            r: UInt256? = nil
        ) -> Transaction.Authorization {
            Transaction.Authorization(
                chainID: good.chainID,
                delegate: good.delegate,
                nonce: good.nonce,
                yParity: yParity ?? good.yParity,
                r: r ?? good.r,
                s: s ?? good.s
            )
        }
        let bad = [
            try test.authorization(by: test.bob, Self.contract, nonce: 0, chainID: 1),
            try test.authorization(by: test.bob, Self.contract, nonce: 0, chainID: .max),
            try test.authorization(by: test.bob, Self.contract, nonce: 1),
            try test.authorization(by: test.bob, Self.contract, nonce: .max),
            try test.authorization(by: test.makers[1], Self.contract, nonce: 1),
            changed(yParity: 1 - good.yParity, s: Self.order - good.s), changed(yParity: 2),
            changed(yParity: 255), changed(s: .zero), changed(r: .zero), changed(r: .max),
        ]
        let receipt = try await test.send(setting: bad, to: test.alice.address, gas: 600_000)
        #expect(receipt.succeeded)
        #expect(receipt.gasUsed == 21_000 + Self.gasOfEach * UInt64(bad.count))
        #expect(try await test.client.read(.code(test.bob.address, .latest)) == [])
        #expect(try await test.client.read(.transactionCount(test.bob.address, .latest)) == 0)
        let maker = test.makers[1].address
        #expect(try await test.client.read(.code(maker, .latest)) == Self.code)
        // One that counts is found among them; another of the same account does not count any more.
        let mixed = bad + [good, try test.authorization(by: test.bob, .zero, nonce: 0)]
        let second = try await test.send(setting: mixed, to: test.alice.address, gas: 600_000)
        let spent = 21_000 + Self.gasOfEach * UInt64(mixed.count)
        // Half of what it cost comes back, since the account was there before.
        #expect(second.gasUsed == spent - 12_500)
        let code = try await test.client.read(.code(test.bob.address, .latest))
        #expect(code == Self.delegation)
        #expect(try await test.client.read(.transactionCount(test.bob.address, .latest)) == 1)
    }

    @Test("an authorization for every chain counts, and stays where the call fails")
    func staysAfterFailure() async throws {
        let test = try chain()
        let receipt = try await test.send(
            setting: [try test.authorization(by: test.bob, Self.contract, nonce: 0, chainID: 0)],
            to: TestChain.dai,
            data: ERC20.transfer(to: test.bob.address, amount: .max)
        )
        #expect(!receipt.succeeded)
        let code = try await test.client.read(.code(test.bob.address, .latest))
        #expect(code == Self.delegation)
    }

    @Test("an account may authorize for itself, with the nonce after the transaction's")
    func itself() async throws {
        let test = try chain()
        let own = try test.authorization(by: test.alice, Self.contract, nonce: 1)
        let receipt = try await test.send(
            setting: [own],
            to: test.alice.address,
            data: UInt256(5).word.bytes
        )
        #expect(receipt.succeeded)
        #expect(try await test.client.read(.transactionCount(test.alice.address, .latest)) == 2)
        #expect(try await test.answer(test.alice.address, []) == UInt256(5).word.bytes)
    }

    @Test("what no block can have is refused with its reason")
    func refused() async throws {
        let test = try chain()
        let one = try test.authorization(by: test.bob, Self.contract, nonce: 0)
        func refusal(_ raw: [UInt8], _ chain: TestChain? = nil) async -> String? {
            let error = await chainError { _ = try await (chain ?? test).client.send(raw: raw) }
            switch error {
            case .notTaken(_, let message)?, .rpc(_, let message)?: return message
            default: return nil
            }
        }
        let short = try await test.signed(setting: [one, one], to: test.bob.address, gas: 70_999)
        #expect(
            await refusal(short.raw)
                == "intrinsic gas too low: gas 70999, minimum needed 71000"
        )
        let enough = try await test.signed(setting: [one, one], to: test.bob.address, gas: 71_000)
        // More than the gas of a block pays for, and than a transaction has room for.
        let many = Array(repeating: one, count: 1_000)
        let full = try await test.signed(setting: many, to: test.bob.address, gas: 25_020_999)
        #expect(await refusal(full.raw)?.hasPrefix("intrinsic gas too low") == true)
        let tooMany = Array(repeating: one, count: 1_500)
        let large = try await test.signed(setting: tooMany, to: test.bob.address, gas: 36_000_000)
        #expect(await refusal(large.raw)?.hasPrefix("oversized data") == true)
        guard case .list(var fields) = try RLP.decode(Array(enough.raw.dropFirst())) else {
            Issue.record("no list")
            return
        }
        fields[9] = .list([])
        #expect(
            await refusal([4] + RLP.list(fields).encoded)
                == "rlp: a transaction of type 4 has at least one authorization"
        )
        for length in 0..<enough.raw.count {
            #expect(await refusal(Array(enough.raw[..<length])) != nil)
        }
        #expect(try await test.client.read(.blockNumber) == 0)

        let before = try chain { $0.revision = .cancun }
        let words =
            "transaction type not supported: set-code transactions (type 4) came with Prague, and "
            + "this chain's rules are older"
        #expect(await refusal(enough.raw, before) == words)
        let call: JSONValue = [
            "to": .string(test.bob.address.lowercaseHex), "authorizationList": [one.json],
        ]
        #expect(try await before.rpc("eth_call", [call])["message"] == .string(words))
        _ = try await test.client.send(raw: enough.raw)
        #expect(try await test.client.read(.blockNumber) == 1)
    }

    @Test("eth_call and eth_estimateGas run with the list of authorizations")
    func calls() async throws {
        let test = try chain()
        let bob = test.bob.address
        let one = try test.authorization(by: test.bob, Self.contract, nonce: 0)
        var call = JSONObject()
        call["from"] = .string(test.alice.address.lowercaseHex)
        call["to"] = .string(bob.lowercaseHex)
        call["type"] = "0x4"
        call["authorizationList"] = [one.json]
        let answer = try await test.rpc("eth_call", [.object(call)])
        #expect(answer == .string(Bytes32.zero.hex))
        #expect(try await test.client.read(.code(bob, .latest)) == [])
        call["data"] = .string(UInt256(41).word.hex)
        let estimate = try #require(
            try await test.rpc("eth_estimateGas", [.object(call)]).stringValue
                .flatMap { UInt256(quantity: $0)?.uint64 }
        )
        let own = try test.authorization(by: test.alice, Self.contract, nonce: 1)
        var itself = call
        itself["to"] = call["from"]
        itself["authorizationList"] = [own.json]
        #expect(try await test.rpc("eth_estimateGas", [.object(itself)]).stringValue != nil)
        for (value, message) in [
            ([], "EIP-7702 transaction with empty auth list"),
            ("0x", "EIP-7702 transaction with empty auth list"),
            (
                [one.json, [:]],
                "invalid argument 0 field authorizationList: an authorization is malformed"
            ),
        ] as [(JSONValue, String)] {
            var bad = call
            bad["authorizationList"] = value
            let answer = try await test.rpc("eth_call", [.object(bad)])
            #expect(answer["message"] == .string(message))
        }
        var creation = call
        creation["to"] = nil
        #expect(
            try await test.rpc("eth_call", [.object(creation)])["message"]
                == "EIP-7702 transaction cannot be used to create contract"
        )
        let receipt = try await test.send(
            setting: [one],
            to: bob,
            data: UInt256(41).word.bytes,
            gas: estimate
        )
        #expect(receipt.succeeded)
    }

    @Test("a transaction whose nonce an authorization has used does not wait any more")
    func pool() async throws {
        let test = try chain(mining: .manual)
        let waiting = try await test.transaction(
            from: test.bob,
            to: test.alice.address,
            value: 1,
            tip: 1
        )
        _ = try await test.client.send(raw: waiting.raw)
        let signed = try await test.signed(
            setting: [try test.authorization(by: test.bob, Self.contract, nonce: 0)],
            to: test.alice.address
        )
        _ = try await test.client.send(raw: signed.raw)
        try await test.chain.mine()
        #expect(await test.chain.waiting == [])
        #expect(try await test.client.read(.transaction(waiting.hash)) == nil)
    }

    @Test("a kept chain has it after a restart, mined and waiting")
    func kept() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("dex-set-code-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("chain.sqlite").path
        var pictures: [[JSONValue]] = []
        for isAgain in [false, true] {
            let test = try chain(mining: .manual, storePath: path)
            if !isAgain {
                let first = try await test.signed(
                    setting: [try test.authorization(by: test.bob, Self.contract, nonce: 0)],
                    to: test.bob.address,
                    data: UInt256(41).word.bytes
                )
                _ = try await test.client.send(raw: first.raw)
                try await test.chain.mine()
                let second = try await test.signed(
                    setting: [try test.authorization(by: test.bob, .zero, nonce: 1)],
                    to: test.bob.address
                )
                _ = try await test.client.send(raw: second.raw)
            }
            pictures.append([
                try await test.rpc("eth_getBlockByNumber", ["0x1", true]),
                try await test.rpc("eth_getBlockReceipts", ["0x1"]),
                .string(Hex.encode(try await test.client.read(.code(test.bob.address, .latest)))),
                .array(await test.chain.waiting.map { .string($0.hex) }),
            ])
            #expect(try await test.answer(test.bob.address, []) == UInt256(41).word.bytes)
            if isAgain {
                try await test.chain.mine()
                #expect(try await test.client.read(.code(test.bob.address, .latest)) == [])
            }
        }
        #expect(pictures[0] == pictures[1])
        #expect(pictures[0][3].arrayValue?.count == 1)
    }

    @Test("a copy of the chain executes it again and comes to the same block")
    func followed() async throws {
        let leader = try chain()
        let copy = try chain(mining: .manual)
        try await leader.send(
            setting: [
                try leader.authorization(by: leader.bob, Self.contract, nonce: 0),
                try leader.authorization(by: leader.makers[0], Self.contract, nonce: 9),
            ],
            to: leader.bob.address,
            data: UInt256(41).word.bytes
        )
        for block in await leader.chain.batch(after: 0).blocks {
            try await copy.chain.append(block)
        }
        #expect(await copy.chain.latestBlock == leader.chain.latestBlock)
        #expect(try await copy.answer(copy.bob.address, []) == UInt256(41).word.bytes)
        // A liar who leaves an authorization out has another root.
        let liar = try chain(mining: .manual)
        var block = try #require(await leader.chain.batch(after: 0).blocks.first)
        block.transactions = [
            try await leader.signed(
                setting: [try leader.authorization(by: leader.bob, Self.contract, nonce: 0)],
                to: leader.bob.address,
                data: UInt256(41).word.bytes,
                nonce: 0
            ).raw
        ]
        await #expect(throws: BlockMismatch.self) { try await liar.chain.append(block) }
    }

    @Test("a fork takes it for accounts of its live chain")
    func forked() async throws {
        let forked = try await ForkedChain(of: try chain())
        let live = forked.live
        let authorization = try live.authorization(
            by: live.bob,
            Self.contract,
            nonce: 0,
            chainID: UInt256(ForkedChain.chainID)
        )
        let signed = try await live.signed(
            setting: [authorization],
            to: live.bob.address,
            data: UInt256(41).word.bytes,
            chainID: ForkedChain.chainID
        )
        let hash = try await forked.chain.send(raw: signed.raw)
        let receipt = try #require(try await forked.chain.read(.receipt(hash)))
        #expect(receipt.succeeded)
        let call = CallRequest(to: live.bob.address, data: [])
        #expect(try await forked.chain.call(call) == UInt256(41).word.bytes)
        #expect(try await live.client.read(.code(live.bob.address, .latest)) == [])
    }
}

extension TestChain {
    /// An authorization with an account's signature.
    func authorization(
        by signer: PrivateKeySigner,
        _ delegate: Address,
        nonce: UInt64,
        chainID: UInt256 = 1337
    ) throws -> Transaction.Authorization {
        let signature = try signer.signature(
            over: Transaction.Authorization.signingHash(
                chainID: chainID,
                delegate: delegate,
                nonce: nonce
            )
        )
        return Transaction.Authorization(
            chainID: chainID,
            delegate: delegate,
            nonce: nonce,
            yParity: signature.yParity,
            r: UInt256(signature.r),
            s: UInt256(signature.s)
        )
    }

    /// A transaction of type 4 by alice.
    func signed(
        setting authorizations: [Transaction.Authorization],
        to: Address,
        data: [UInt8] = [],
        gas: UInt64 = 300_000,
        nonce: UInt64? = nil,
        chainID: UInt64 = 1337
    ) async throws -> SignedTransaction {
        var transaction = try await transaction(
            from: alice,
            to: to,
            data: data,
            gas: gas,
            nonce: nonce,
            chainID: chainID
        ).transaction
        transaction.authorizations = authorizations
        let signature = try alice.signature(over: transaction.signingHash)
        return SignedTransaction(
            transaction: transaction,
            signature: signature,
            sender: alice.address
        )
    }

    /// Sends a transaction of type 4 by alice and gives its receipt.
    @discardableResult
    func send(
        setting authorizations: [Transaction.Authorization],
        to: Address,
        data: [UInt8] = [],
        gas: UInt64 = 300_000
    ) async throws -> TransactionReceipt {
        let signed = try await signed(setting: authorizations, to: to, data: data, gas: gas)
        let hash = try await client.send(raw: signed.raw)
        guard let receipt = try await client.read(.receipt(hash)) else { throw TestError.notMined }
        return receipt
    }
}
