import DexSandbox
import Ethereum
import EthereumWallet
import Foundation
import GRDB
import StrictJSON
import Testing

@Suite("Keeping a chain in a file")
final class StoreTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("dex-chain-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    private var path: String {
        folder.appendingPathComponent("chain.sqlite").path
    }

    /// Everything that RPC shows of a chain.
    private func picture(_ test: TestChain) async throws -> [JSONValue] {
        var picture: [JSONValue] = []
        let newest = try await test.client.read(.blockNumber)
        for number in 0...newest {
            let tag = JSONValue.string(UInt256(number).quantity)
            picture.append(try await test.rpc("eth_getBlockByNumber", [tag, true]))
            picture.append(try await test.rpc("eth_getBlockReceipts", [tag]))
            for owner in [test.alice, test.bob] + test.makers {
                let address = JSONValue.string(owner.address.lowercaseHex)
                picture.append(try await test.rpc("eth_getBalance", [address, tag]))
                picture.append(try await test.rpc("eth_getTransactionCount", [address, tag]))
                for token in TestChain.tokens {
                    let call: JSONValue = [
                        "to": .string(token.address.lowercaseHex),
                        "data": .string(Hex.encode(ERC20.balanceOf(owner.address))),
                    ]
                    picture.append(try await test.rpc("eth_call", [call, tag]))
                }
            }
        }
        picture.append(try await test.rpc("eth_getLogs", [["fromBlock": "0x0"]]))
        let alice = JSONValue.string(test.alice.address.lowercaseHex)
        picture.append(try await test.rpc("eth_getTransactionCount", [alice, "pending"]))
        picture.append(try await test.rpc("eth_feeHistory", ["0x9", "latest", [50]]))
        return picture
    }

    @Test("a chain survives a restart exactly: state, history, receipts, logs, what waits, clock")
    func restart() async throws {
        let before: [JSONValue]
        let waiting: TransactionHash
        do {
            let test = try TestChain(storePath: path)
            for index in 0..<3 {
                let order = try test.order(
                    by: test.makers[index],
                    sells: index == 1 ? TestChain.zrx : TestChain.dai
                )
                try await test.send(
                    from: test.alice,
                    to: TestChain.exchange,
                    data: TestChain.fill(order, 3 * ether)
                )
            }
            try await test.send(from: test.bob, to: TestChain.weth, value: ether)
            try await test.chain.increaseTime(by: 500)
            try await test.chain.setAutomine(false)
            let signed = try await test.transaction(from: test.alice, to: test.bob.address)
            waiting = try await test.client.send(raw: signed.raw)
            before = try await picture(test)
        }
        let again = try TestChain(mining: .manual, storePath: path)
        #expect(try await picture(again) == before)
        #expect(try await again.chain.mine().timestamp == TestChain.start + 600)
        #expect(try await again.client.read(.receipt(waiting))?.succeeded == true)
        let third = try TestChain(storePath: path)
        #expect(try await third.client.read(.receipt(waiting))?.blockNumber == 5)
        let pending = try await third.client.read(.transactionCount(third.alice.address, .pending))
        #expect(pending == 4)
    }

    @Test("what waited runs after a restart, and a replacement stays replaced")
    func pool() async throws {
        do {
            let test = try TestChain(mining: .manual, storePath: path)
            for price in [30, 40] as [UInt256] {
                let signed = try await test.transaction(
                    from: test.alice,
                    to: test.bob.address,
                    value: price,
                    nonce: 0,
                    maxFee: price * gwei,
                    tip: price * gwei
                )
                _ = try await test.client.send(raw: signed.raw)
            }
        }
        let again = try TestChain(mining: .manual, storePath: path)
        try await again.chain.mine()
        #expect(try await again.etherBalance(again.bob.address) == 100 * ether + 40)
    }

    @Test("history that was dropped stays dropped, the rest is still answered")
    func history() async throws {
        do {
            let test = try TestChain(storePath: path)
            try await test.send(from: test.alice, to: test.bob.address, value: ether)
            for _ in 0..<257 { try await test.chain.mine() }
        }
        let again = try TestChain(storePath: path)
        let old = await chainError {
            _ = try await again.client.read(.balance(again.bob.address, .number(1)))
        }
        #expect(old != nil)
        let kept = try await again.client.read(.balance(again.bob.address, .number(2)))
        #expect(kept == Wei(101 * ether))
    }

    private func error(_ change: (inout Genesis) -> Void = { _ in }) -> SandboxError? {
        do {
            _ = try TestChain(storePath: path, change: change)
            return nil
        } catch {
            return error as? SandboxError
        }
    }

    @Test("another genesis is refused, another clock is not")
    func otherGenesis() throws {
        _ = try TestChain(storePath: path)
        #expect(error { $0.accounts.removeLast() } == .otherGenesis(ChainFile(path)))
        #expect(error { $0.chainID = 5 } == .otherGenesis(ChainFile(path)))
        #expect(error { $0.protocolFeeMultiplier = 1 } == .otherGenesis(ChainFile(path)))
        let other = error { $0.exchangeProxy = TestChain.address(0xE4) }
        #expect(other == .otherGenesis(ChainFile(path)))
        #expect(error { $0.timestamp += 50 } == nil)
        #expect(
            SandboxError.otherGenesis(ChainFile("/x")).description
                == "The chain in /x was begun from another genesis, as by another version of dex; "
                + "run `dex sandbox reset` to begin a new one."
        )
    }

    /// `dex sandbox reset` alone would drop the user's own chain.
    @Test("what is wrong with a copy is mended by the command for copies")
    func ofCopy() throws {
        try Data("this is no chain, and it is long enough to be a header".utf8)
            .write(to: URL(fileURLWithPath: path))
        let copy = ChainFile(path, isCopy: true)
        #expect(throws: SandboxError.notAChain(copy, reason: "it is no SQLite database")) {
            _ = try TestChain(storePath: path, isCopy: true)
        }
        let all: [SandboxError] = [
            .notAChain(copy, reason: "it is no SQLite database"), .otherGenesis(copy),
            .newerFormat(copy, version: 3), .olderFormat(copy),
        ]
        for error in all {
            #expect(error.description.contains("un `dex sandbox reset --copy` to begin"))
        }
    }

    @Test("a file that is no database is refused and left as it is")
    func noDatabase() throws {
        let content = Data("this is my shopping list, and it is long enough to be a header".utf8)
        try content.write(to: URL(fileURLWithPath: path))
        #expect(error() == .notAChain(ChainFile(path), reason: "it is no SQLite database"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == content)
        #expect(
            SandboxError.notAChain(ChainFile("/x"), reason: "it is no SQLite database").description
                == "The file /x is not a sandbox chain (it is no SQLite database); move it away, "
                + "or run `dex sandbox reset` to begin a new one."
        )
    }

    @Test("another program's database is refused and left as it is")
    func foreignDatabase() throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: "CREATE TABLE notes (text TEXT)") }
        try queue.close()
        #expect(
            error() == .notAChain(ChainFile(path), reason: "it is a database of something else")
        )
        let again = try DatabaseQueue(path: path)
        #expect(try again.read { try $0.tableExists("notes") })
        #expect(try again.read { try !$0.tableExists("blocks") })
    }

    /// A way to damage a chain's file.
    struct Damage: CustomTestStringConvertible, Sendable {
        let sql: String

        var testDescription: String { sql }
    }

    @Test(
        "a damaged chain is refused with a sentence, never a trap",
        arguments: [
            Damage(sql: "DELETE FROM blocks WHERE number = 1"),
            Damage(sql: "DELETE FROM blocks"),
            Damage(sql: "DELETE FROM meta WHERE key = 'head'"),
            Damage(sql: "UPDATE blocks SET header = x'c0' WHERE number = 1"),
            Damage(sql: "UPDATE blocks SET undo = x'01' WHERE number = 1"),
            Damage(sql: "UPDATE slots SET key = x'01' WHERE key = (SELECT MIN(key) FROM slots)"),
            Damage(sql: "UPDATE slots SET value = zeroblob(40)"),
            Damage(sql: "UPDATE transactions SET raw = x'02'"),
            Damage(sql: "UPDATE transactions SET outcome = x'c0'"),
            Damage(sql: "UPDATE transactions SET sender = x'00'"),
            Damage(sql: "DELETE FROM transactions"),
            Damage(sql: "INSERT INTO pool (hash, sender, raw) VALUES (x'00', x'00', x'00')"),
        ]
    )
    func damaged(_ damage: Damage) async throws {
        do {
            let test = try TestChain(storePath: path)
            try await test.send(from: test.alice, to: test.bob.address, value: ether)
        }
        let queue = try DatabaseQueue(path: path)
        try await queue.write { try $0.execute(sql: damage.sql) }
        try queue.close()
        guard case .notAChain = error() else {
            Issue.record("\(damage.sql) was not noticed")
            return
        }
    }

    @Test("a chain of a newer format is not touched")
    func newer() throws {
        _ = try TestChain(storePath: path)
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: "PRAGMA user_version = 3") }
        try queue.close()
        #expect(error() == .newerFormat(ChainFile(path), version: 3))
        #expect(
            SandboxError.newerFormat(ChainFile("/x"), version: 3).description
                == "The chain in /x was written by a newer dex (format 3); use that one, or run "
                + "`dex sandbox reset` to begin a new chain."
        )
    }

    @Test("a chain of the format that simulated its contracts is refused, with what mends it")
    func older() throws {
        _ = try TestChain(storePath: path)
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: "PRAGMA user_version = 1") }
        try queue.close()
        #expect(error() == .olderFormat(ChainFile(path)))
        #expect(
            SandboxError.olderFormat(ChainFile("/x")).description
                == "The chain in /x was written by an older dex, which simulated its contracts, and "
                + "cannot go on; run `dex sandbox reset` to begin a new one."
        )
    }

    @Test("a folder that is not there is an error, not a trap")
    func missingFolder() {
        let path = folder.appendingPathComponent("none/chain.sqlite").path
        do {
            _ = try TestChain(storePath: path)
            Issue.record("it opened")
        } catch {
            guard case .storage? = error as? SandboxError else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test("a genesis that cannot hold is refused in a sentence")
    func badGenesis() {
        let bad: [(inout Genesis) -> Void] = [
            { $0.exchange = $0.transferProxy },
            { $0.exchange = .zero },
            { $0.exchangeProxy = $0.transferProxy },
            { $0.exchangeProxy = .zero },
            { $0.tokens.append($0.tokens[0]) },
            { $0.blockGasLimit = 0 },
            { $0.baseFeePerGas = .max },
            { $0.accounts.append(GenesisAccount(address: .zero, ether: Wei(.max))) },
            { $0.balances.append(GenesisBalance(token: .zero, owner: .zero, amount: 1)) },
            {
                $0.balances.append(
                    GenesisBalance(token: TestChain.dai, owner: .zero, amount: .max)
                )
            },
            { $0.timestamp = .max },
        ]
        for (index, change) in bad.enumerated() {
            guard case .badGenesis(let reason)? = error(change) else {
                Issue.record("\(index) was let through")
                continue
            }
            #expect(!reason.isEmpty)
        }
    }
}
