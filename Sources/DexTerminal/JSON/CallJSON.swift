import DexCore
import Ethereum
import StrictJSON

/// What a transaction asked for and did, as JSON.
enum CallJSON {
    /// nil if the call does not name one amount.
    static func amount(_ subject: TransactionSubject) -> JSONValue? {
        subject.amount.map { MoneyJSON.amount($0, subject.currency) }
    }

    /// The keys of `status` that are the same for mined and pending transactions.
    static func details(_ details: TransactionDetails, _ coin: CoinSymbol) -> [(String, JSONValue)]
    {
        [
            ("value", details.value.map { JSONFormat.ether($0, coin) } ?? .null),
            ("call", details.call.map { call($0) } ?? .null),
            (
                "transfers",
                .list(details.transfers) { transfer in
                    [
                        "amount": JSONFormat.amount(transfer.amount),
                        "from": JSONFormat.address(transfer.from),
                        "to": JSONFormat.address(transfer.to),
                    ]
                }
            ),
            ("time", JSONFormat.integer(details.time)),
            ("blockHash", details.blockHash.map { JSONFormat.hash($0) } ?? .null),
            ("logs", details.logs.map { .list($0) { log($0) } } ?? .null),
        ]
    }

    private static func log(_ log: Log) -> JSONValue {
        [
            "address": JSONFormat.address(log.address),
            "topics": .list(log.topics) { .string($0.hex) },
            "data": .string(Hex.encode(log.data)),
            "logIndex": JSONFormat.integer(log.logIndex),
        ]
    }

    private static func call(_ call: TransactionCall) -> JSONValue {
        var amount: TokenAmount?
        var owner: Address?
        var to: Address?
        var pays: [TokenAmount] = []
        var receives: [Token] = []
        switch call.action {
        case .transfer(let moved, let from, let recipient):
            (amount, owner, to) = (moved, from, recipient)
        case .approve(let allowed, let from, let spender):
            (amount, owner, to) = (allowed, from, spender)
        case .increaseAllowance(let change, let spender),
            .decreaseAllowance(let change, let spender):
            (amount, to) = (change, spender)
        case .wrap(let moved), .unwrap(let moved): amount = moved
        case .fill(let most, let tokens): (pays, receives) = (most, tokens)
        case .cancel, .other: break
        }
        return [
            "contract": JSONFormat.address(call.contract),
            "function": JSONFormat.text(call.function),
            "selector": .string(Hex.encode(call.selector)),
            "size": .integer(UInt64(call.size)),
            "amount": JSONFormat.amount(amount),
            "owner": owner.map { JSONFormat.address($0) } ?? .null,
            "to": to.map { JSONFormat.address($0) } ?? .null,
            "pays": .list(pays) { JSONFormat.amount($0) },
            "receives": .list(receives) { JSONFormat.token($0) },
            "extraBytes": .integer(UInt64(call.effects?.extraBytes ?? 0)),
            "effects": CallEffectJSON.list(call.effects?.list ?? [], call.tokens, call.coin),
        ]
    }
}
