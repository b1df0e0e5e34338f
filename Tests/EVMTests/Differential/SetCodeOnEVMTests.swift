import DexTestSupport
import Ethereum
import EthereumWallet
import StrictJSON
import Testing

/// Transactions of type 4 on both chains, block by block.
@Suite("Sandbox = EVM: accounts that run other code")
struct SetCodeOnEVMTests {
    /// Stores the first word of its call data, logs its ether, and returns what it stored.
    private static let runtime = "5f355f55475f5260205fa05f545f5260205ff3"
    private static let creation = Hex.bytes("0x60138060095f395ff3" + runtime) ?? []

    /// One transaction of a block.
    private struct Step {
        let name: String
        let sender: Int
        let to: Address?
        var data: [UInt8] = []
        var value: UInt256 = 0
        var gas: UInt64 = 500_000
        var authorizations: [Transaction.Authorization] = []
    }

    private let world: World
    private let contract: Address

    init() throws {
        world = try World()
        let first = RLP.list([.bytes(world.traders[0].address.bytes), .integer(0)])
        contract = Address(truncating: Keccak256.hash(first.encoded))
    }

    private func authorization(
        _ signer: PrivateKeySigner,
        _ delegate: Address,
        nonce: UInt64,
        chainID: UInt256 = UInt256(World.chainID),
        isSpoiled: Bool = false
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
            yParity: isSpoiled ? 2 : signature.yParity,
            r: UInt256(signature.r),
            s: UInt256(signature.s)
        )
    }

    /// What is sent, one block after another.
    private func blocks() throws -> [[Step]] {
        let (bob, carol, dave, erin) = (
            world.traders[1], world.traders[2], world.traders[3], world.traders[4]
        )
        let fresh = try PrivateKeySigner(key: UInt256(0xF5E5).word)
        let five = UInt256(5).word.bytes
        return [
            [Step(name: "the contract", sender: 0, to: nil, data: Self.creation)],
            [
                Step(
                    name: "an account that exists, among authorizations that do not count",
                    sender: 0,
                    to: carol.address,
                    data: five,
                    value: 7,
                    authorizations: [
                        try authorization(carol.signer, contract, nonce: 0, chainID: 5),
                        try authorization(carol.signer, contract, nonce: 1),
                        try authorization(carol.signer, contract, nonce: .max),
                        try authorization(carol.signer, contract, nonce: 0, isSpoiled: true),
                        try authorization(carol.signer, contract, nonce: 0),
                        try authorization(carol.signer, .zero, nonce: 0),
                    ]
                ),
                Step(
                    name: "an account that is new, for every chain",
                    sender: 1,
                    to: fresh.address,
                    data: five,
                    authorizations: [
                        try authorization(fresh, contract, nonce: 0, chainID: 0)
                    ]
                ),
            ],
            [
                Step(name: "its own transaction", sender: 2, to: carol.address, data: five),
                Step(
                    name: "for itself, and a call that fails",
                    sender: 3,
                    to: World.dai,
                    data: ERC20.transfer(to: bob.address, amount: .max),
                    authorizations: [try authorization(dave.signer, contract, nonce: 1)]
                ),
                Step(
                    name: "the code of one that delegates itself",
                    sender: 0,
                    to: erin.address,
                    data: five,
                    authorizations: [try authorization(erin.signer, carol.address, nonce: 0)]
                ),
            ],
            [
                Step(
                    name: "two of one account, the code of a precompile, one of another",
                    sender: 1,
                    to: erin.address,
                    data: five,
                    gas: 150_000,
                    authorizations: [
                        try authorization(erin.signer, contract, nonce: 1),
                        try authorization(erin.signer, Self.identity, nonce: 2),
                        try authorization(dave.signer, contract, nonce: 2),
                    ]
                ),
                Step(
                    name: "the least gas, too little for the call",
                    sender: 0,
                    to: erin.address,
                    gas: 46_000,
                    authorizations: [try authorization(erin.signer, contract, nonce: 3)]
                ),
                Step(
                    name: "less than that",
                    sender: 0,
                    to: erin.address,
                    gas: 45_999,
                    authorizations: [try authorization(erin.signer, contract, nonce: 3)]
                ),
            ],
            [
                Step(
                    name: "back to no code",
                    sender: 1,
                    to: carol.address,
                    data: five,
                    authorizations: [
                        try authorization(carol.signer, .zero, nonce: 2),
                        try authorization(fresh, .zero, nonce: 1),
                    ]
                )
            ],
        ]
    }

    private static let identity = Address(truncating: UInt256(4).word)

    @Test("authorizations of every kind leave the same gas, receipts and roots on both")
    func equal() async throws {
        let node = try await EVMNode.start(world.genesis.evmConfiguration)
        defer { node.stop() }
        let evm = EVMSide(node: node)
        try await evm.result(Question("evm_setAutomine", false))
        let sandbox = try SandboxSide(world, recoverer: Secp256k1())
        var nonces = world.traders.map { _ in UInt64(0) }
        var time = World.start
        for (number, block) in try blocks().enumerated() {
            time += 10
            var sent: [(name: String, hash: JSONValue)] = []
            for step in block {
                let raw = try signed(step, nonce: nonces[step.sender])
                let question = Question("eth_sendRawTransaction", .string(Hex.encode(raw)))
                let mine = try await sandbox.ask([question])[0]
                let theirs = try await evm.ask([question])[0]
                #expect(mine.json["result"] == theirs.json["result"], "\(step.name)")
                #expect((mine.error == nil) == (theirs.error == nil), "\(step.name)")
                guard let hash = mine.result else {
                    #expect(step.name == "less than that", "\(mine.json.text)")
                    continue
                }
                sent.append((step.name, hash))
                nonces[step.sender] += 1
            }
            // Carol's authorization, dave's and erin's use their nonces, too.
            if number == 1 { nonces[2] += 1 }
            if number == 2 { nonces[3] += 1 }
            try await mine(sandbox, evm, at: time)
            for (name, hash) in sent {
                let receipt = Question("eth_getTransactionReceipt", hash)
                let mine = try await sandbox.result(receipt)
                let theirs = try await evm.result(receipt)
                for member in theirs.objectValue?.members ?? []
                where !["blockHash", "logs"].contains(member.key) {
                    #expect(mine[member.key] == member.value, "\(name): \(member.key)")
                }
                #expect(
                    mine["logs"]?.arrayValue?.map { $0["data"] }
                        == theirs["logs"]?.arrayValue?.map { $0["data"] },
                    "\(name)"
                )
            }
        }
    }

    /// Makes a block on both and compares it.
    private func mine(_ sandbox: SandboxSide, _ evm: EVMSide, at time: UInt64) async throws {
        sandbox.setTime(time)
        let history = try await sandbox.result(Question("eth_feeHistory", "0x1", "latest", []))
        let fee = try #require(history["baseFeePerGas"]?.arrayValue?.last)
        try await sandbox.result(Question("evm_mine"))
        _ = try await evm.ask([
            Question("evm_setNextBlockTimestamp", .string(UInt256(time).quantity)),
            Question("hardhat_setNextBlockBaseFeePerGas", fee),
            Question("evm_mine"),
        ])
        let latest = Question("eth_getBlockByNumber", "latest", false)
        let mine = try await sandbox.result(latest)
        let theirs = try await evm.result(latest)
        let fields = [
            "number", "gasUsed", "stateRoot", "transactionsRoot", "receiptsRoot", "logsBloom",
            "transactions",
        ]
        for field in fields {
            #expect(mine[field] == theirs[field], "\(field) of the block at \(time)")
        }
    }

    private func signed(_ step: Step, nonce: UInt64) throws -> [UInt8] {
        let signer = world.traders[step.sender].signer
        let transaction = Transaction(
            chainID: World.chainID,
            nonce: nonce,
            fee: .dynamic(
                maxFeePerGas: Wei(100_000_000_000),
                // The order of a block is that of the tips.
                maxPriorityFeePerGas: Wei(UInt256(1_000_000_000 - nonce))
            ),
            gasLimit: step.gas,
            to: step.to,
            value: Wei(step.value),
            data: step.data,
            authorizations: step.authorizations
        )
        return SignedTransaction(
            transaction: transaction,
            signature: try signer.signature(over: transaction.signingHash),
            sender: signer.address
        ).raw
    }
}
