import DexSigning
import EVM
import Ethereum
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

/// What a transaction changes is read from the contracts' own code, whatever they log.
@Suite("A transaction is run on this machine before it is signed")
struct SimulationTests {
    private typealias Stage = SimulationStage

    private func changes(
        _ stage: SimulationStage,
        _ call: CallRequest? = nil
    ) async throws -> SimulatedChanges {
        try #require(try await stage.explore(call).changes)
    }

    @Test("who only gets ether is no contract that was created, nor is the producer of the block")
    func created() async throws {
        let stage = SimulationStage(Assembler.token(""))
        let fresh = Address(truncating: UInt256(0xBEEF).word)
        let payment = CallRequest(from: Stage.account, to: fresh, data: [], value: Wei(5))
        let paid = try await changes(stage, payment)
        #expect(paid.created == [] && paid.coin.before != paid.coin.after)
        // The empty init code leaves an account without code, and 0x00 returned leaves one with it.
        let empty = try await changes(SimulationStage(Assembler.token("0x00 0x00 0x00 CREATE POP")))
        #expect(empty.created == [])
        let act = "0x01 0x00 0x00 CREATE POP"
        #expect(try await changes(SimulationStage(Assembler.token(act))).created == [])
        // Code that returns a byte of its memory, which is STOP.
        let made = "0x60016000f3 0x00 MSTORE 0x05 0x1b 0x00 CREATE POP"
        #expect(try await changes(SimulationStage(Assembler.token(made))).created.count == 1)
    }

    // MARK: Tokens

    @Test("what leaves is what the balance says, and the events agree")
    func honest() async throws {
        let act = Assembler.take(5) + " " + Assembler.log(5, to: Stage.other)
        let changes = try await changes(SimulationStage(Assembler.token(act)))
        #expect(changes.failure == nil && changes.block == 100)
        #expect(changes.tokens.map(\.token.address) == [Stage.token])
        #expect(changes.tokens.first?.balance == .init(before: 100, after: 95))
        #expect(changes.tokens.first?.isMislogged == false)
        #expect(changes.coin.before == changes.coin.after, "gas is not in it")
        #expect(Stage.bounds(leaves: 5).differences(changes).isEmpty)
        #expect(
            Stage.bounds(leaves: 4).differences(changes)
                == [
                    "5 base units of 0x0000…70c0 leaves the account, and at most 4 base units of "
                        + "0x0000…70c0 is planned."
                ]
        )
    }

    @Test("a token that lies in its events is shown by its balances, and as a liar")
    func liar() async throws {
        let act = Assembler.take(50) + " " + Assembler.log(5, to: Stage.other)
        let changes = try await changes(SimulationStage(Assembler.token(act)))
        #expect(changes.tokens.first?.balance.falls == 50)
        #expect(changes.tokens.first?.logged == .init(came: 0, went: 5))
        #expect(changes.tokens.first?.isMislogged == true)
        #expect(!Stage.bounds(leaves: 5).differences(changes).isEmpty)
        let claim = SimulationStage(Assembler.token(Assembler.log(5, to: Stage.other)))
        let claimed = try await self.changes(claim)
        #expect(claimed.tokens.first?.balance.falls == 0, "nothing moved")
        #expect(claimed.tokens.first?.isMislogged == true)
    }

    @Test("a token that logs nothing is found by the words that it changes")
    func silent() async throws {
        let changes = try await changes(SimulationStage(Assembler.token(Assembler.take(7))))
        #expect(changes.tokens.first?.balance.falls == 7)
        #expect(changes.tokens.first?.logged == nil)
        #expect(!ChangeBounds(coin: .ether).differences(changes).isEmpty)
    }

    @Test("less that arrives than planned is a difference, nothing at all too")
    func arrives() async throws {
        let changes = try await changes(SimulationStage(Assembler.token(Assembler.give(9))))
        #expect(changes.tokens.first?.balance.rises == 9)
        #expect(Stage.bounds(arrives: 9).differences(changes).isEmpty)
        #expect(Stage.bounds(arrives: 10).differences(changes).count == 1)
        #expect(
            Stage.bounds(arrives: 1, of: Stage.other).differences(changes)
                == ["Nothing of the token \(Stage.other.checksummed) arrives."]
        )
    }

    @Test("a balance that is a share of a total falls with a word that is not the account's")
    func rebasing() async throws {
        // balanceOf is the owner's word times the rate at slot 3; the call sets the rate to 1.
        let code = Assembler.code(
            """
            0x00 CALLDATALOAD 0xe0 SHR 0x70a08231 EQ :balance JUMPI
            0x01 0x03 SSTORE STOP
            @balance 0x04 CALLDATALOAD SLOAD 0x03 SLOAD MUL 0x00 MSTORE 0x20 0x00 RETURN
            """
        )
        let stage = SimulationStage(code)
        stage.chain.set { $0.accounts[Stage.token]?.words[3] = 4 }
        let changes = try await changes(stage)
        #expect(changes.tokens.first?.balance == .init(before: 400, after: 100))
        #expect(stage.chain.trips <= TransactionSimulator.maximumTrips)
    }

    @Test("tokens of shares may round by two base units of a large amount, others not at all")
    func rounding() {
        func differences(_ fell: UInt256, _ maximum: UInt256) -> Int {
            let token = Token.unknown(Stage.token)
            let change = SimulatedChanges.TokenChange(
                token: token,
                balance: .init(before: fell, after: 0),
                logged: nil
            )
            return Stage.bounds(leaves: maximum)
                .differences(SimulationTests.changes(tokens: [change])).count
        }
        #expect(differences(1_000_000_002, 1_000_000_000) == 0)
        #expect(differences(1_000_000_003, 1_000_000_000) == 1)
        #expect(differences(11, 10) == 1)
    }

    // MARK: What else is given away

    @Test("an allowance is found without an event, for whom the call names")
    func allowance() async throws {
        let spender = Hex.encode(Stage.other.bytes)
        let act = "0x64 CALLER NOT \(spender) XOR SSTORE"
        let stage = SimulationStage(Assembler.token(act))
        var call = stage.call
        call.data += Stage.other.word.bytes
        let changes = try await changes(stage, call)
        #expect(changes.allowances.map(\.spender) == [Stage.other])
        #expect(changes.allowances.first?.amount == .init(before: 0, after: 100))
        let key = TokenSpender(token: Stage.token, spender: Stage.other)
        var bounds = ChangeBounds(coin: .ether)
        #expect(bounds.differences(changes).count == 1)
        bounds.allowances[key] = 100
        #expect(bounds.differences(changes).isEmpty)
        bounds.allowances[key] = 99
        #expect(bounds.differences(changes).count == 1)
        bounds.allowances = [:]
        bounds.raises[key] = 100
        #expect(bounds.differences(changes).isEmpty)
    }

    @Test("an operator, an owner, an item and a contract are told, and differ from any plan")
    func others() async throws {
        let other = Hex.encode(Stage.other.bytes)
        let approvalForAll = Keccak256.hash("ApprovalForAll(address,address,bool)".utf8).hex
        let act = """
            0x01 \(other) 0x02 XOR SSTORE
            0x01 0x00 MSTORE \(other) CALLER \(approvalForAll) 0x20 0x00 LOG3
            \(other) 0x01 SSTORE
            0x00 0x00 0x00 CREATE POP
            """
        let stage = SimulationStage(Assembler.token(act))
        stage.chain.set { state in
            state.accounts[Stage.token]?.words[1] = UInt256(Stage.account.word)
            state.accounts[Stage.token]?.nonce = 1
        }
        let changes = try await changes(stage)
        #expect(
            changes.operators
                == [.init(collection: Stage.token, operator: Stage.other, isAllowed: true)]
        )
        #expect(changes.owners == [.init(contract: Stage.token, owner: Stage.other)])
        #expect(ChangeBounds(coin: .ether).differences(changes).count == 2)
        // What was shown and confirmed may be so.
        #expect(ChangeBounds(shown: changes, coin: .ether).differences(changes).isEmpty)
    }

    @Test("an item of a collection that leaves is told by its owner")
    func items() async throws {
        let code = Assembler.code(
            """
            0x00 CALLDATALOAD 0xe0 SHR 0x6352211e EQ :owner JUMPI
            \(Hex.encode(Stage.other.bytes)) 0x05 SSTORE
            0x05 \(Hex.encode(Stage.other.bytes)) CALLER \(ERC20.transferTopic.hex) 0x00 0x00 LOG4
            STOP
            @owner 0x04 CALLDATALOAD SLOAD 0x00 MSTORE 0x20 0x00 RETURN
            """
        )
        let stage = SimulationStage(code)
        stage.chain.set { $0.accounts[Stage.token]?.words = [5: UInt256(Stage.account.word)] }
        let changes = try await changes(stage)
        #expect(changes.items == [.init(collection: Stage.token, id: 5, leaves: true)])
        #expect(
            ChangeBounds(coin: .ether).differences(changes)
                == ["The item 5 of \(Stage.token.checksummed) leaves."]
        )
    }

    @Test("who may move one item is told by the collection, and taking that back too")
    func itemApproval() async throws {
        // getApproved reads the word of the item; anything else writes it and logs the approval.
        func code(_ id: Int) -> [UInt8] {
            Assembler.code(
                """
                0x00 CALLDATALOAD 0xe0 SHR 0x081812fc EQ :approved JUMPI
                \(Hex.encode(Stage.other.bytes)) \(Self.byte(id)) SSTORE
                \(Self.byte(id)) \(Hex.encode(Stage.other.bytes)) CALLER \(ERC20.approvalTopic.hex)
                0x00 0x00 LOG4 STOP
                @approved 0x04 CALLDATALOAD SLOAD 0x00 MSTORE 0x20 0x00 RETURN
                """
            )
        }
        for id: UInt64 in [0, 5] {
            let stage = SimulationStage(code(Int(id)))
            let changes = try await changes(stage)
            let change = SimulatedChanges.OperatorChange(
                collection: Stage.token,
                operator: Stage.other,
                isAllowed: true,
                item: UInt256(id)
            )
            #expect(changes.operators == [change])
            #expect(
                ChangeBounds(coin: .ether).differences(changes)
                    == [
                        "\(Stage.other.checksummed) may move the item \(id) of "
                            + "\(Stage.token.checksummed) afterwards."
                    ]
            )
            #expect(ChangeBounds(shown: changes, coin: .ether).differences(changes).isEmpty)
            // An approval of no tokens is no approval of item 0.
            let effect = CallEffect(
                place: .call,
                contract: Stage.token,
                token: Stage.token,
                function: "approve(address,uint256)",
                action: .allow(
                    UInt256(id),
                    owner: Stage.account,
                    spender: Stage.other,
                    until: nil
                )
            )
            let bounds = ChangeBounds([effect], of: Stage.account, value: .zero, coin: .ether)
            #expect(bounds.differences(changes).isEmpty == (id != 0))
            // Another one had it before.
            stage.chain.set { $0.accounts[Stage.token]?.words = [UInt256(id): 7] }
            #expect(try await self.changes(stage).operators.map(\.isAllowed) == [false, true])
        }
    }

    private static func byte(_ number: Int) -> String { Hex.encode([UInt8(number)]) }

    @Test("more items than are compared are a difference, and are said")
    func manyItems() async throws {
        let code = Assembler.code(
            """
            0x00 CALLDATALOAD 0xe0 SHR 0x6352211e EQ :owner JUMPI
            0x00
            @next 0x01 ADD
            DUP1 \(Hex.encode(Stage.other.bytes)) CALLER \(ERC20.transferTopic.hex) 0x00 0x00 LOG4
            DUP1 0x00 CALLDATALOAD 0xf0 SHR EQ ISZERO :next JUMPI STOP
            @owner 0x00 0x00 RETURN
            """
        )
        for (count, isCut) in [(256, false), (257, true)] as [(UInt16, Bool)] {
            var stage = SimulationStage(code)
            stage.gasLimit = 2_000_000
            var call = stage.call
            call.data = [UInt8(count >> 8), UInt8(count & 0xFF)] + [UInt8](repeating: 0, count: 30)
            let changes = try await changes(stage, call)
            #expect(changes.isCut == isCut)
            let differences = ChangeBounds(coin: .ether).differences(changes)
            #expect(differences.map { $0.contains("more than 256 items") } == (isCut ? [true] : []))
            #expect(ChangeBounds(shown: changes, coin: .ether).differences(changes).isEmpty)
        }
    }

    @Test("what was shown to arrive has to arrive, but for a twentieth")
    func arrival() throws {
        func changes(_ came: UInt256, items: Int = 0) -> SimulatedChanges {
            let token = Token(address: Stage.token, symbol: "T", name: "", decimals: nil)
            return Self.changes(
                tokens: came == 0
                    ? []
                    : [
                        .init(
                            token: token,
                            balance: .init(before: 7, after: 7 + came),
                            logged: nil
                        )
                    ],
                items: (0..<items).map {
                    .init(collection: Stage.other, id: UInt256(UInt64($0)), leaves: false)
                }
            )
        }
        let bounds = ChangeBounds(shown: changes(1_000, items: 2), coin: .ether)
        for (came, items, count) in [
            (1_000, 2, 0), (951, 3, 0), (950, 2, 0), (949, 2, 1), (0, 2, 1), (1_000, 1, 1),
            (0, 0, 2),
        ] as [(UInt256, Int, Int)] {
            #expect(bounds.differences(changes(came, items: items)).count == count, "\(came)")
        }
        // Also where the data of the call are understood, which say only what leaves.
        var understood = ChangeBounds(coin: .ether)
        understood.expect(changes(1_000))
        #expect(understood.differences(changes(0)).count == 1)
    }

    @Test("the coin that a call takes and gives is told without its gas")
    func coin() async throws {
        let pay = "0x00 0x00 0x00 0x00 0x07 CALLER 0x5208 CALL POP"
        let stage = SimulationStage(Assembler.token(pay))
        stage.chain.set { $0.accounts[Stage.token]?.balance = Wei(10) }
        var call = stage.call
        call.value = Wei(30)
        let changes = try await changes(stage, call)
        #expect(changes.coin.falls == 23)
        var bounds = ChangeBounds(coin: .ether)
        bounds.leaves[.ether] = 23
        #expect(bounds.differences(changes).isEmpty)
        bounds.leaves[.ether] = 22
        #expect(bounds.differences(changes).count == 1)
    }

    // MARK: Behaving in a simulation

    @Test("what tells a simulation from a block is as in a block, and is said")
    func surroundings() async throws {
        // It takes all only where the block's maker, the price and the origin are real ones.
        let maker = Hex.encode(CodeChain.coinbase.bytes)
        let act = """
            COINBASE \(maker) EQ GASPRICE ISZERO ISZERO MUL ORIGIN CALLER EQ MUL
            :take JUMPI STOP
            @take \(Assembler.take(100))
            """
        let changes = try await changes(SimulationStage(Assembler.token(act)))
        #expect(changes.tokens.first?.balance.falls == 100)
        #expect(changes.reads.map(\.rawValue) == ["coinbase", "gasPrice", "origin"])
    }

    @Test("a call that fails changes nothing, and that is a difference")
    func failure() async throws {
        let changes = try await changes(
            SimulationStage(Assembler.token("\(Assembler.take(5)) 0x00 0x00 REVERT"))
        )
        #expect(changes.failure != nil && changes.tokens.isEmpty)
        #expect(ChangeBounds(coin: .ether).differences(changes).count == 1)
    }

    static func changes(
        tokens: [SimulatedChanges.TokenChange],
        items: [SimulatedChanges.ItemChange] = []
    ) -> SimulatedChanges {
        SimulatedChanges(
            block: 1,
            failure: nil,
            gasUsed: 21_000,
            coin: .init(before: 0, after: 0),
            tokens: tokens,
            allowances: [],
            operators: [],
            items: items,
            isCut: false,
            created: [],
            owners: [],
            changesCode: false,
            reads: []
        )
    }
}
