import DexStore
import Ethereum
import ZeroEx

/// What a record is about, without its place.
struct Movement {
    var kind: ActivityRecord.Kind
    /// nil is ether.
    var token: Address?
    var amount: UInt256?
    var other: (token: Address, amount: UInt256?)?
    var party: Address?
    var function: String?
}

extension Movement {
    init(_ info: TransactionInfo, session: Session) {
        self.init(from: info.from, to: info.to, value: info.value, data: info.data, session)
    }

    /// What a transaction asks for; of one that fails, what it would have done.
    init(from: Address, to: Address?, value: Wei, data: [UInt8], _ session: Session) {
        let ether = value == .zero ? nil : value.rawValue
        guard
            let call = TransactionCall(to: to, value: value, data: data, by: from, session: session)
        else {
            self.init(kind: to == nil ? .call : .sent, amount: value.rawValue, party: to)
            if to == nil { function = "(creation)" }
            return
        }
        switch call.action {
        case .transfer(let moved, nil, let recipient):
            self.init(
                kind: .sent,
                token: moved.token.address,
                amount: moved.raw,
                party: recipient
            )
        case .approve(let allowed, nil, let spender), .increaseAllowance(let allowed, let spender),
            .decreaseAllowance(let allowed, let spender):
            self.init(
                kind: .approved,
                token: allowed.token.address,
                amount: allowed.raw,
                party: spender
            )
        case .wrap(let moved), .unwrap(let moved):
            let isWrap = if case .wrap = call.action { true } else { false }
            self.init(
                kind: isWrap ? .wrapped : .unwrapped,
                token: moved.token.address,
                amount: moved.raw,
                party: to
            )
        case .fill(let pays, let receives):
            let paid = pays.count == 1 ? pays.first : nil
            self.init(
                kind: .trade,
                token: paid?.token.address,
                amount: paid?.raw ?? ether,
                other: receives.first.map { ($0.address, nil) },
                party: to
            )
        case .cancel: self.init(kind: .cancel, party: to)
        case .transfer, .approve, .other: self.init(kind: .call, amount: ether, party: to)
        }
        function = call.function ?? Hex.encode(call.selector)
    }
}
