import Ethereum
import Testing

@testable import DexCore
@testable import DexCoreTestSupport
@testable import DexStore

@Suite("The life of a transaction is a table")
struct TransactionLifeTests {
    /// Where every input leads from each stage.
    ///
    /// A letter is a stage, `.` stays, `!` is impossible.
    ///
    /// Columns: sign hold release | send refuse forget | in a block: succeeded, deep; failed, deep | claimed
    /// orphaned pooled | nonce used, replaced | missing unseen.
    private static let table: [(TransactionStage, String)] = [
        (.planned, "SH! !XF !!!! !!! !! !."),
        (.signed, "!H! BXF MCVV PPP .R .."),
        (.held, "!!S B!F MCVV PPP .R .."),
        (.broadcast, "!!! .XF MCVV PPP .R D."),
        (.pooled, "!!! ..F MCVV ... .R D."),
        (.mined, "!!! .!F .CVV .OO .R O."),
        (.confirmed, "!!! .!F M.VV .OO .R O."),
        (.reverted, "!!! .!F MC.. .OO .R O."),
        (.replaced, "!!! ..F MCVV PPP .. D."),
        (.dropped, "!!! BXF MCVV PPP .R .."),
        (.reorganized, "!!! BXF MCVV P.P .R .."),
        (.refused, "!!! B.F MCVV PPP .R .."),
        (.forgotten, "!!! !!. .... ... .. .."),
    ]

    private static let letters: [Character: TransactionStage] = [
        "S": .signed, "H": .held, "B": .broadcast, "P": .pooled, "M": .mined, "C": .confirmed,
        "V": .reverted, "R": .replaced, "D": .dropped, "O": .reorganized, "X": .refused,
        "F": .forgotten,
    ]

    /// Where the table leads from a stage, in the order of its columns.
    private static func row(_ stage: TransactionStage) -> [TransactionStage?] {
        let acts = TransactionLife.Act.allCases.map { TransactionLife.stage(after: $0, in: stage) }
        let meanings = TransactionObservation.Meaning.all.map { meaning in
            TransactionLife.stage(after: meaning, in: stage)
        }
        return acts + meanings
    }

    @Test("every stage and every input has its place in it")
    func everyPair() {
        #expect(Self.table.map(\.0) == TransactionStage.allCases)
        for (stage, text) in Self.table {
            let expected = text.filter { $0 != " " }.map { letter -> TransactionStage? in
                switch letter {
                case ".": stage
                case "!": nil
                default: Self.letters[letter]
                }
            }
            #expect(expected.count == 17)
            #expect(Self.row(stage) == expected, "\(stage)")
        }
    }

    @Test("a used nonce proves nothing, however often it is seen")
    func doubt() {
        for stage in TransactionStage.allCases where stage != .planned {
            var life = TransactionLife(stage, block: 3)
            for _ in 0..<100 {
                life.observe(TransactionObservation(isNonceUsed: true, head: 4))
                #expect(life.stage == stage && life.isInDoubt)
            }
        }
    }

    // MARK: Sightings

    private static let hash = TransactionHash(UInt256(7).word)
    private static let sender = Address(truncating: UInt256(1).word)

    private static func receipt(_ block: UInt64, succeeded: Bool = true) -> TransactionReceipt {
        TransactionReceipt(
            transactionHash: hash,
            blockNumber: block,
            blockHash: BlockHash(UInt256(block).word),
            from: sender,
            to: nil,
            succeeded: succeeded,
            gasUsed: 1,
            effectiveGasPrice: nil,
            logs: []
        )
    }

    private static func included(
        _ block: UInt64,
        head: UInt64,
        succeeded: Bool = true
    ) -> TransactionObservation {
        TransactionObservation(
            receipt: receipt(block, succeeded: succeeded),
            isCanonical: true,
            head: head
        )
    }

    private static func info(block: UInt64? = nil) -> TransactionInfo {
        TransactionInfo(
            hash: hash,
            from: sender,
            to: nil,
            nonce: 0,
            value: .zero,
            gasLimit: 1,
            data: [],
            blockNumber: block,
            blockHash: nil
        )
    }

    @Test("a receipt means nothing before its block is known to be canonical")
    func claims() {
        var observation = TransactionObservation(receipt: Self.receipt(5), head: 9)
        #expect(observation.meaning() == .claimed)
        observation.isCanonical = false
        #expect(observation.meaning() == .orphaned)
        observation.isCanonical = true
        #expect(observation.meaning() == .included(succeeded: true, isDeep: true))
        #expect(observation.depth == 5)
        #expect(
            observation.meaning(confirmations: 5) == .included(succeeded: true, isDeep: true)
        )
        #expect(
            observation.meaning(confirmations: 6) == .included(succeeded: true, isDeep: false)
        )
    }

    @Test("depth never overflows, and a head behind the receipt counts its own block")
    func depths() {
        #expect(Self.included(9, head: 3).depth == 1)
        #expect(Self.included(0, head: .max).depth == .max)
        #expect(TransactionObservation.nothing.depth == 0)
        #expect(
            Self.included(3, head: 3).meaning(confirmations: 0)
                == .included(succeeded: true, isDeep: true)
        )
    }

    @Test("what is in a block used its nonce itself; what is only in a pool may be outrun")
    func pools() {
        #expect(
            TransactionObservation(info: Self.info(block: 3), isNonceUsed: true).meaning()
                == .claimed
        )
        #expect(
            TransactionObservation(info: Self.info(), isNonceUsed: true).meaning() == .nonceUsed
        )
        #expect(TransactionObservation(info: Self.info(), isNonceUsed: false).meaning() == .pooled)
        #expect(TransactionObservation(info: Self.info()).meaning() == .pooled)
        #expect(TransactionObservation(isNonceUsed: false).meaning() == .missing)
        #expect(TransactionObservation(isNonceUsed: true).meaning() == .nonceUsed)
        var proved = TransactionObservation(info: Self.info(), isNonceUsed: true)
        proved.isReplaced = true
        #expect(proved.meaning() == .replaced)
        proved.info = Self.info(block: 3)
        #expect(proved.meaning() == .claimed)
        #expect(TransactionObservation.nothing.meaning() == .unseen)
    }

    // MARK: Stories

    @Test("a reorganization puts a mined transaction back and remembers its block")
    func takenBack() {
        var life = TransactionLife(.planned)
        let acts = [life.note(.sign), life.note(.send)]
        #expect(acts == [true, true])
        life.observe(TransactionObservation(info: Self.info(), isNonceUsed: false, head: 4))
        #expect(life.stage == .pooled)
        life.observe(Self.included(5, head: 5), confirmations: 2)
        #expect(life.stage == .mined && life.block == 5)
        life.observe(Self.included(5, head: 6), confirmations: 2)
        #expect(life.stage == .confirmed)
        life.observe(TransactionObservation(isNonceUsed: false, head: 6))
        #expect(life.stage == .reorganized && life.block == nil && life.reorgedFromBlock == 5)
        let isSentAgain = life.note(.send)
        #expect(isSentAgain && life.stage == .broadcast && life.reorgedFromBlock == 5)
        life.observe(Self.included(7, head: 7, succeeded: false))
        #expect(life.stage == .reverted && life.block == 7)
    }

    @Test("only a proof tells of a replacement")
    func replaced() {
        let used = TransactionObservation(isNonceUsed: true, head: 4)
        var life = TransactionLife(.broadcast)
        life.observe(used)
        #expect(life.stage == .broadcast && life.isInDoubt)
        life.observe(TransactionObservation(info: Self.info(), isNonceUsed: false, head: 4))
        #expect(!life.isInDoubt)
        life.observe(used)
        life.observe(.nothing)
        #expect(life.stage == .pooled && life.isInDoubt)
        life.observe(used)
        #expect(life.stage == .pooled && life.isInDoubt)
        var proved = used
        proved.isReplaced = true
        life.observe(proved)
        #expect(life.stage == .replaced && !life.isInDoubt)
        // What had taken its place was taken back: it may be mined after all.
        life.observe(Self.included(5, head: 5))
        #expect(life.stage == .confirmed)
    }

    @Test("a node that is behind tells nothing, and what is very deep is not forgotten")
    func behindAndDeep() {
        var life = TransactionLife(.mined, block: 10)
        life.observe(TransactionObservation(isNonceUsed: false, head: 9))
        life.observe(TransactionObservation(info: Self.info(), isNonceUsed: false, head: 9))
        life.observe(TransactionObservation(isNonceUsed: true, head: 9))
        #expect(life.stage == .mined && life.block == 10 && !life.isInDoubt)
        var proved = TransactionObservation(
            isNonceUsed: true,
            head: 11 + TransactionLife.finalDepth
        )
        proved.isReplaced = true
        life.observe(proved)
        #expect(life.stage == .mined)
        proved.head = 10 + TransactionLife.finalDepth
        life.observe(proved)
        #expect(life.stage == .replaced && life.reorgedFromBlock == 10)
    }

    @Test("what is impossible changes nothing and says so")
    func impossible() {
        var life = TransactionLife(.planned)
        let planned = [life.note(.send), life.observe(Self.included(1, head: 1))]
        #expect(planned == [false, false])
        #expect(life == TransactionLife(.planned))
        var mined = TransactionLife(.mined, block: 1)
        let acts = [mined.note(.sign), mined.note(.refuse)]
        #expect(acts == [false, false])
        #expect(mined == TransactionLife(.mined, block: 1))
    }

    // MARK: The journal

    @Test(
        "a stage that the journal has is where a life goes on",
        arguments: TransactionStage.allCases
    )
    func journaled(stage: TransactionStage) {
        let life = TransactionLife(Self.journaled(stage, block: 3))
        #expect(life.stage == stage)
        #expect(life.reorgedFromBlock == 2)
        #expect(life.block == (stage.isInBlock ? 3 : nil))
    }

    private static func journaled(_ stage: TransactionStage, block: UInt64?) -> JournalTransaction {
        JournalTransaction(
            intent: 1,
            chainID: 1,
            sender: sender,
            nonce: 0,
            purpose: "fill",
            hash: hash,
            raw: [1],
            stage: stage,
            created: 0,
            block: block,
            reorgedFromBlock: 2,
            successor: nil,
            predecessor: nil
        )
    }

    /// What the journal is to hold at once of each stage, by what it has.
    ///
    /// A letter is a stage, `.` leaves what it has. Columns: the stages in their order; of those
    /// in a block then once more where it is another block than by the journal.
    private static let unreported: [(TransactionStage, String)] = [
        (.planned, "............. ..."),
        (.signed, "....P........ ..."),
        (.held, "....P........ ..."),
        (.broadcast, "............. ..."),
        (.pooled, "............. ..."),
        (.mined, "OOOOO...OOOOO OOO"),
        (.confirmed, "OOOOO...OOOOO OOO"),
        (.reverted, "OOOOO...OOOOO OOO"),
        (.replaced, "............. ..."),
        (.dropped, "....P........ ..."),
        (.reorganized, "....P........ ..."),
        (.refused, "....PBBB..... BBB"),
        (.forgotten, "............. ..."),
    ]

    @Test("before an end is reported the journal holds only what the next command must count with")
    func beforeReport() {
        let stages = TransactionStage.allCases
        let inputs = stages.map { ($0, true) } + stages.filter(\.isInBlock).map { ($0, false) }
        #expect(Self.unreported.map(\.0) == stages)
        for (journaled, text) in Self.unreported {
            let expected = text.filter { $0 != " " }.map { Self.letters[$0] }
            let found = inputs.map { stage, isSameBlock in
                TransactionLife.unreported(stage, over: journaled, isSameBlock: isSameBlock)
            }
            #expect(found == expected, "\(journaled)")
        }
    }

    @Test("what is mined in another block than by the journal is unsettled until it is reported")
    func movedToAnotherBlock() {
        let transaction = Self.journaled(.mined, block: 5)
        var life = TransactionLife(transaction)
        life.observe(Self.included(5, head: 9))
        #expect(life.unreported(over: transaction) == nil)
        life.observe(Self.included(7, head: 9))
        #expect(life.unreported(over: transaction) == .reorganized)
    }
}
