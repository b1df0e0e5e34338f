import DexStore
import Ethereum
import Testing

@testable import DexCore

@Suite("The life of a transaction is a table")
struct TransactionLifeTests {
    /// Where every input leads from each stage.
    ///
    /// A letter is a stage, `.` stays, `!` is impossible.
    ///
    /// Columns: sign send refuse forget | in a block: succeeded, deep; failed, deep | claimed
    /// orphaned pooled | nonce used, again | missing unseen.
    private static let table: [(TransactionLife.Stage, String)] = [
        (.planned, "S!XF !!!! !!! !! !."),
        (.signed, "!BXF MCVV PPP .R .."),
        (.broadcast, "!.XF MCVV PPP .R D."),
        (.pooled, "!..F MCVV ... .R D."),
        (.mined, "!.!F .CVV .OO .R O."),
        (.confirmed, "!.!F M.VV .OO .R O."),
        (.reverted, "!.!F MC.. .OO .R O."),
        (.replaced, "!..F MCVV PPP .. D."),
        (.dropped, "!BXF MCVV PPP .R .."),
        (.reorganized, "!BXF MCVV P.P .R .."),
        (.refused, "!B.F MCVV PPP .R .."),
        (.forgotten, "!!!. .... ... .. .."),
    ]

    private static let letters: [Character: TransactionLife.Stage] = [
        "S": .signed, "B": .broadcast, "P": .pooled, "M": .mined, "C": .confirmed,
        "V": .reverted, "R": .replaced, "D": .dropped, "O": .reorganized, "X": .refused,
        "F": .forgotten,
    ]

    /// Where the table leads from a stage, in the order of its columns.
    private static func row(_ stage: TransactionLife.Stage) -> [TransactionLife.Stage?] {
        let acts = TransactionLife.Act.allCases.map { TransactionLife.stage(after: $0, in: stage) }
        let findings = TransactionObservation.Finding.all.flatMap { finding in
            let doubts = finding == .nonceUsed ? [false, true] : [false]
            return doubts.map {
                TransactionLife.stage(after: finding, in: stage, isInDoubt: $0)
            }
        }
        return acts + findings
    }

    @Test("every stage and every input has its place in it")
    func everyPair() {
        #expect(Self.table.map(\.0) == TransactionLife.Stage.allCases)
        for (stage, text) in Self.table {
            let expected = text.filter { $0 != " " }.map { letter -> TransactionLife.Stage? in
                switch letter {
                case ".": stage
                case "!": nil
                default: Self.letters[letter]
                }
            }
            #expect(expected.count == 15)
            #expect(Self.row(stage) == expected, "\(stage)")
        }
    }

    @Test("doubt changes nothing but what a used nonce means")
    func doubt() {
        for stage in TransactionLife.Stage.allCases {
            for finding in TransactionObservation.Finding.all where finding != .nonceUsed {
                #expect(
                    TransactionLife.stage(after: finding, in: stage, isInDoubt: true)
                        == TransactionLife.stage(after: finding, in: stage, isInDoubt: false)
                )
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
        #expect(observation.finding() == .claimed)
        observation.isCanonical = false
        #expect(observation.finding() == .orphaned)
        observation.isCanonical = true
        #expect(observation.finding() == .included(succeeded: true, isDeep: true))
        #expect(observation.depth == 5)
        #expect(
            observation.finding(confirmations: 5) == .included(succeeded: true, isDeep: true)
        )
        #expect(
            observation.finding(confirmations: 6) == .included(succeeded: true, isDeep: false)
        )
    }

    @Test("depth never overflows, and a head behind the receipt counts its own block")
    func depths() {
        #expect(Self.included(9, head: 3).depth == 1)
        #expect(Self.included(0, head: .max).depth == .max)
        #expect(TransactionObservation.nothing.depth == 0)
        #expect(
            Self.included(3, head: 3).finding(confirmations: 0)
                == .included(succeeded: true, isDeep: true)
        )
    }

    @Test("what is in a block used its nonce itself; what is only in a pool may be outrun")
    func pools() {
        #expect(
            TransactionObservation(info: Self.info(block: 3), isNonceUsed: true).finding()
                == .claimed
        )
        #expect(
            TransactionObservation(info: Self.info(), isNonceUsed: true).finding() == .nonceUsed
        )
        #expect(TransactionObservation(info: Self.info(), isNonceUsed: false).finding() == .pooled)
        #expect(TransactionObservation(info: Self.info()).finding() == .pooled)
        #expect(TransactionObservation(isNonceUsed: false).finding() == .missing)
        #expect(TransactionObservation(isNonceUsed: true).finding() == .nonceUsed)
        #expect(TransactionObservation.nothing.finding() == .unseen)
    }

    // MARK: Stories

    @Test("a reorganization puts a mined transaction back and remembers its block")
    func takenBack() {
        var life = TransactionLife(.planned)
        let acts = [life.note(.sign), life.note(.send)]
        #expect(acts == [true, true])
        life.see(TransactionObservation(info: Self.info(), isNonceUsed: false, head: 4))
        #expect(life.stage == .pooled)
        life.see(Self.included(5, head: 5), confirmations: 2)
        #expect(life.stage == .mined && life.block == 5)
        life.see(Self.included(5, head: 6), confirmations: 2)
        #expect(life.stage == .confirmed)
        life.see(TransactionObservation(isNonceUsed: false, head: 6))
        #expect(life.stage == .reorganized && life.block == nil && life.reorgedFromBlock == 5)
        let isSentAgain = life.note(.send)
        #expect(isSentAgain && life.stage == .broadcast && life.reorgedFromBlock == 5)
        life.see(Self.included(7, head: 7, succeeded: false))
        #expect(life.stage == .reverted && life.block == 7)
    }

    @Test("only two looks in a row that find its nonce used tell of a replacement")
    func replaced() {
        let used = TransactionObservation(isNonceUsed: true, head: 4)
        var life = TransactionLife(.broadcast)
        life.see(used)
        #expect(life.stage == .broadcast && life.isInDoubt)
        life.see(TransactionObservation(info: Self.info(), isNonceUsed: false, head: 4))
        #expect(!life.isInDoubt)
        life.see(used)
        life.see(.nothing)
        #expect(life.stage == .pooled && life.isInDoubt)
        life.see(used)
        #expect(life.stage == .replaced && !life.isInDoubt)
        // What had taken its place was taken back: it may be mined after all.
        life.see(Self.included(5, head: 5))
        #expect(life.stage == .confirmed)
    }

    @Test("a node that is behind tells nothing, and what is very deep is not forgotten")
    func behindAndDeep() {
        var life = TransactionLife(.mined, block: 10)
        life.see(TransactionObservation(isNonceUsed: false, head: 9))
        life.see(TransactionObservation(info: Self.info(), isNonceUsed: false, head: 9))
        life.see(TransactionObservation(isNonceUsed: true, head: 9))
        #expect(life.stage == .mined && life.block == 10 && !life.isInDoubt)
        for _ in 0..<3 {
            life.see(
                TransactionObservation(isNonceUsed: true, head: 11 + TransactionLife.finalDepth)
            )
        }
        #expect(life.stage == .mined)
        for _ in 0..<2 {
            life.see(
                TransactionObservation(isNonceUsed: true, head: 10 + TransactionLife.finalDepth)
            )
        }
        #expect(life.stage == .replaced && life.reorgedFromBlock == 10)
    }

    @Test("what is impossible changes nothing and says so")
    func impossible() {
        var life = TransactionLife(.planned)
        let planned = [life.note(.send), life.see(Self.included(1, head: 1))]
        #expect(planned == [false, false])
        #expect(life == TransactionLife(.planned))
        var mined = TransactionLife(.mined, block: 1)
        let acts = [mined.note(.sign), mined.note(.refuse)]
        #expect(acts == [false, false])
        #expect(mined == TransactionLife(.mined, block: 1))
    }

    @Test(
        "the journal's statuses are stages, there and back",
        arguments: JournalTransaction.Status.allCases
    )
    func statuses(status: JournalTransaction.Status) {
        let transaction = JournalTransaction(
            intent: 1,
            chainID: 1,
            sender: Self.sender,
            nonce: 0,
            purpose: "fill",
            hash: Self.hash,
            raw: [1],
            status: status,
            created: 0,
            block: 3,
            reorgedFromBlock: 2
        )
        let life = TransactionLife(transaction)
        #expect(life.status == status)
        #expect(life.reorgedFromBlock == 2)
        #expect(life.block == (life.stage.isInBlock ? 3 : nil))
    }
}
