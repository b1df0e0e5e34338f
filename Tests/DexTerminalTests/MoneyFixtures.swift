import DexStore
import Ethereum
import ZeroEx

@testable import DexCore

/// States of the commands that move money besides trades.
extension Fixtures {
    static let odd = token(5, "O\u{1B}[31mDD", "", nil)

    static func step(_ purpose: TransactionPurpose, _ summary: String) -> PlannedTransaction {
        PlannedTransaction(purpose: purpose, summary: summary, gasLimit: 61_234)
    }

    static var sendPlan: TransferPlan {
        TransferPlan(
            kind: .send,
            account: address(77),
            recipient: address(78),
            amount: milli(1_500),
            paid: .token(zrx),
            arriving: .token(zrx),
            balance: milli(2_500_125),
            block: 21_345_678,
            steps: [step(.send, "send 1.5 ZRX to \(address(78).checksummed)")],
            gas: gas,
            total: gas.maxCost,
            warnings: ["The recipient is a contract: make sure that it can move what it gets."]
        )
    }

    static var wrapPlan: TransferPlan {
        TransferPlan(
            kind: .wrap,
            account: address(77),
            recipient: address(77),
            amount: milli(2_000),
            paid: .coin(.ether),
            arriving: .token(weth),
            balance: milli(10_000),
            block: 21_345_678,
            steps: [step(.wrap, "wrap 2 ETH in \(weth.address.checksummed)")],
            gas: gas,
            total: Wei(milli(2_000) + gas.maxCost.rawValue),
            warnings: []
        )
    }

    static func transferOutcome(
        _ plan: TransferPlan,
        _ purpose: TransactionPurpose,
        _ stage: TransactionStage,
        received: UInt256?,
        _ ending: Ending,
        _ warnings: [String] = []
    ) -> TransferOutcome {
        TransferOutcome(
            plan: plan,
            transactions: [sent(purpose, stage)],
            received: received,
            warnings: warnings,
            ending: ending
        )
    }

    static func valuedBalance(_ unit: Currency) -> BalanceState {
        let isEther = unit == .coin(.ether)
        return BalanceState(
            owner: address(77),
            block: 21_345_678,
            coin: .ether,
            ether: Wei(1_234_500_000_000_000_000),
            rows: [
                .init(token: zrx, balance: milli(2_500_125), allowance: .max),
                .init(token: odd, balance: 77, allowance: nil),
            ],
            marketValue: BalanceState.MarketValue(
                unit: unit,
                ether: isEther ? 1_234_500_000_000_000_000 : 4_321_000_000,
                tokens: [zrx.address: isEther ? 3_030_000_000_000_000_000 : 10_605_999_999],
                known: isEther ? 4_264_500_000_000_000_000 : 14_926_999_999,
                failure: isEther ? nil : "The relay at http://127.0.0.1:1 cannot be reached.",
                isPartial: !isEther
            )
        )
    }

    static var allowances: AllowancesState {
        AllowancesState(
            owner: address(77),
            spender: address(2),
            block: 21_345_678,
            rows: [
                .init(token: zrx, balance: milli(2_500), allowance: .max),
                .init(token: usdc, balance: 0, allowance: 5_250_000),
                .init(token: odd, balance: 77, allowance: 12),
                .init(token: weth, balance: 77, allowance: nil),
            ]
        )
    }

    static func allowancePlan(_ amount: UInt256, hasSteps: Bool = true) -> AllowancePlan {
        AllowancePlan(
            account: address(77),
            token: usdc,
            spender: address(2),
            current: hasSteps ? 5_000_000 : amount,
            amount: amount,
            block: 21_345_678,
            steps: hasSteps
                ? [
                    step(.resetAllowance, "set the allowance of USDC to 0 first"),
                    step(.approve, "approve USDC to the transfer contract"),
                ] : [],
            gas: hasSteps ? gas : nil,
            warnings: amount == .max ? ["UNLIMITED: the transfer contract may then move all."] : []
        )
    }

    static func value(_ name: String?, _ type: String, _ value: ABIValue) -> ContractValue {
        ContractValue(name: name, type: type, value: value)
    }

    static var contractCall: ContractCall {
        ContractCall(
            address: zrx.address,
            token: zrx,
            function: "mix(address,uint256[],string)",
            arguments: [
                value("to", "address", .address(address(78))),
                value(nil, "uint256[]", .array([.uint(1), .uint(.max)])),
                value("no\u{202E}te", "string", .string("hi \u{1B}[31mthere")),
            ],
            data: Array(repeating: 0xA9, count: 196)
        )
    }

    static func contractRead(_ values: [ContractValue]?) -> ContractReadState {
        ContractReadState(
            call: contractCall,
            caller: nil,
            block: 21_345_678,
            returned: Array(repeating: 0, count: 31) + [7],
            values: values
        )
    }

    static func review(_ effects: CallEffects, isBlind: Bool = false) -> CallReview {
        CallReview(
            coin: .ether,
            effects: effects,
            tokens: [zrx.address: zrx],
            stakes: nil,
            warnings: [],
            isBlind: isBlind
        )
    }

    /// A multicall with an approval, bytes that nothing reads, and a call that was found in them.
    static var unreadCallPlan: TransactPlan {
        var effects = CallEffects()
        let allow = CallEffect.Action.allow(
            .max,
            owner: address(77),
            spender: address(78),
            until: nil
        )
        effects.list = [
            CallEffect(
                place: .inside([1]),
                contract: zrx.address,
                token: zrx.address,
                function: "approve(address,uint256)",
                action: allow
            ),
            CallEffect(
                place: .inside([2]),
                contract: address(9),
                token: nil,
                function: "0xdeadbeef",
                action: .unread(bytes: 40)
            ),
            CallEffect(
                place: .found(72),
                contract: nil,
                token: nil,
                function: "approve(address,uint256)",
                action: allow
            ),
        ]
        effects.isUnread = true
        effects.extraBytes = 3
        return transactPlan(
            review(effects, isBlind: true),
            warnings: [
                "CALL 1 INSIDE: IT APPROVES: somebody may then move ALL ZRX of this account.",
                "HIDDEN IN THE DATA AT BYTE 72: IT APPROVES: somebody may then move ALL tokens.",
            ]
        )
    }

    static var transactPlan: TransactPlan {
        transactPlan(
            review(CallEffects()),
            warnings: ["IT APPROVES: somebody may then move ALL ZRX of this account."]
        )
    }

    static func transactPlan(
        _ review: CallReview,
        warnings: [String],
        call: ContractCall = contractCall,
        values: [ContractValue] = [value(nil, "bool", .bool(true))]
    ) -> TransactPlan {
        TransactPlan(
            account: address(77),
            call: call,
            review: review,
            value: Wei(milli(500)),
            block: 21_345_678,
            returned: Array(repeating: 0, count: 31) + [1],
            values: values,
            steps: [step(.transact, "call mix(address,uint256[],string) of ZRX")],
            gas: gas,
            total: Wei(milli(500) + gas.maxCost.rawValue),
            warnings: warnings,
            simulation: review.isBlind
                ? .notRun("the node does not give the state (it is pruned)")
                : SimulationReport(result: .ran(changes), proof: proof)
        )
    }

    /// What two nodes prove of a state, but for one word.
    static var proof: StateProof {
        StateProof(
            block: 21_345_678,
            hash: BlockHash(ERC20.transferTopic),
            nodes: ["https://node.example", "https://other-node.example"],
            accounts: 6,
            words: 19,
            gaps: [
                StateProof.Gap(
                    address: address(9),
                    values: 1,
                    reason: "the node does not give the proof: the state is pruned"
                )
            ]
        )
    }

    /// What a call of others changes.
    static var changes: SimulatedChanges {
        SimulatedChanges(
            block: 21_345_678,
            failure: nil,
            gasUsed: 90_000,
            coin: .init(before: milli(2_000), after: milli(1_500)),
            tokens: [
                .init(
                    token: zrx,
                    balance: .init(before: milli(4_000), after: milli(1_000)),
                    logged: .init(came: .zero, went: milli(2_000))
                )
            ],
            allowances: [
                .init(
                    token: zrx,
                    spender: address(78),
                    amount: .init(before: .zero, after: .max),
                    isInPermit2: false
                )
            ],
            operators: [],
            items: [.init(collection: address(9), id: 7, leaves: true)],
            isCut: false,
            created: [],
            owners: [],
            changesCode: false,
            reads: [.timestamp, .coinbase]
        )
    }

    static var transactOutcome: TransactOutcome {
        let parties = [ERC20.transferTopic, address(77).word, address(78).word]
        return TransactOutcome(
            plan: transactPlan,
            transactions: [sent(.transact, .confirmed)],
            events: [
                ContractEvent(
                    contract: zrx.address,
                    token: zrx,
                    topics: parties,
                    data: milli(1_500).bigEndianBytes
                ),
                ContractEvent(
                    contract: address(9),
                    token: nil,
                    topics: [address(9).word],
                    data: []
                ),
            ],
            warnings: [],
            ending: .done
        )
    }
}
