import Ethereum
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

/// Nodes of one chain that must agree, of which tests change single ones.
struct NodePair {
    static let account = TestMarket.address("0x00000000000000000000000000000000000000a1")
    static let token = TestMarket.zrx
    static let hash = TransactionHash(Bytes32(limbs: (7, 7, 7, 7)))

    /// `https://a.example`, `https://b.example` and so on.
    let nodes: [FakeChain]
    let memory = QuorumMemory()
    let client: QuorumChainClient

    /// - Parameter quorum: nil is all of them.
    init(_ count: Int = 2, quorum: Int? = nil, heads: [UInt64] = []) {
        let nodes = (0..<count).map { index in
            let node = FakeChain()
            let head = heads.indices.contains(index) ? heads[index] : 100
            node.set { state in
                // Twelve seconds apart, as on mainnet.
                for number in (head - 20)...head {
                    state.blocks[number] = TestMarket.block(number, timestamp: 12 * number)
                }
                state.ether[Self.account] = Wei(5)
                state.minedNonces[Self.account] = 7
                state.pendingNonces[Self.account] = 7
                state.code[Self.token] = .success([0x60])
                state.receipts[Self.hash] = .some(nil)
                state.transactions[Self.hash] = .some(nil)
                state.logs = { _ in .success([Self.log]) }
                state.onEstimate = { _ in .success(21_000) }
                state.gasPrice = .success(Wei(3))
            }
            node.answer(Self.token, ERC20.balanceOf(Self.account), with: 1_000)
            return node
        }
        self.nodes = nodes
        client = QuorumChainClient(
            nodes.enumerated().map { index, node in
                QuorumChainClient.Member(name: Self.name(index), client: node)
            },
            quorum: quorum ?? count,
            memory: memory
        )
    }

    static func name(_ index: Int) -> String {
        "https://\("abcdef".dropFirst(index).prefix(1)).example"
    }

    static let balance = Read.call(
        CallRequest(to: token, data: ERC20.balanceOf(account)),
        .latest
    )

    static let log = Log(
        address: token,
        topics: [ERC20.transferTopic],
        data: [1],
        blockNumber: 99,
        blockHash: TestMarket.blockHash(99),
        logIndex: 0
    )

    static func receipt(
        block: UInt64 = 100,
        fork: UInt64 = 0,
        succeeded: Bool = true,
        logs: [Log] = [log]
    ) -> TransactionReceipt {
        TransactionReceipt(
            transactionHash: hash,
            blockNumber: block,
            blockHash: TestMarket.blockHash(block, fork: fork),
            from: account,
            to: token,
            succeeded: succeeded,
            gasUsed: 21_000,
            effectiveGasPrice: Wei(1),
            logs: logs
        )
    }

    static func info(block: UInt64?) -> TransactionInfo {
        TransactionInfo(
            hash: hash,
            from: account,
            to: token,
            nonce: 7,
            value: Wei(0),
            gasLimit: 50_000,
            data: [],
            blockNumber: block,
            blockHash: block.map { TestMarket.blockHash($0) }
        )
    }

    /// How many reads each node got.
    var rounds: [Int] { nodes.map(\.rounds.count) }

    /// The error of a read.
    func error<Value: Sendable>(_ read: Read<Value>) async -> ChainError? {
        do throws(ChainError) {
            _ = try await client.read(read)
            return nil
        } catch {
            return error
        }
    }

    /// The disagreement of a read.
    func disagreement<Value: Sendable>(_ read: Read<Value>) async -> NodeDisagreement? {
        if case .disagreement(let reported)? = await error(read) { reported } else { nil }
    }
}
