import Ethereum

/// The allowances that owners give inside Permit2.
///
/// Source: https://docs.uniswap.org/contracts/permit2/reference/allowance-transfer
extension Permit2Contract {
    private static let approvalTopic = Keccak256.hash(
        "Approval(address,address,address,uint160,uint48)".utf8
    )
    private static let permitTopic = Keccak256.hash(
        "Permit(address,address,address,uint160,uint48,uint48)".utf8
    )
    private static let lockdownTopic = Keccak256.hash("Lockdown(address,address,address)".utf8)

    /// `allowance(owner, token, spender)`: amount, expiration and nonce.
    func allowance(_ input: inout ProxyCalldata) throws(CallFailure) -> [UInt8] {
        let slot = Self.slot(try input.address(), try input.address(), try input.address())
        let allowance = Permit2Allowance(packed: try frame.load(slot))
        return Words.bytes(
            allowance.amount.word,
            allowance.expiration.word,
            allowance.nonce.word
        )
    }

    /// `approve(token, spender, amount, expiration)`: the nonce stays.
    func approve(_ input: inout ProxyCalldata) throws(CallFailure) -> [UInt8] {
        let owner = frame.message.caller
        let (token, spender) = (try input.address(), try input.address())
        let amount = try input.number(bits: 160)
        let expiration = try input.number(bits: 48)
        let slot = Self.slot(owner, token, spender)
        var allowance = Permit2Allowance(packed: try frame.load(slot))
        allowance.amount = amount
        allowance.expiration = end(expiration)
        try frame.store(slot, allowance.packed)
        try frame.execution.emit(
            frame.address,
            topics: [Self.approvalTopic, owner.word, token.word, spender.word],
            data: Words.bytes(amount.word, expiration.word)
        )
        return []
    }

    /// `permit(owner, ((token, amount, expiration, nonce), spender, sigDeadline), signature)`.
    func permit(_ input: inout ProxyCalldata) throws(CallFailure) -> [UInt8] {
        let owner = try input.address()
        let permit = try Permit2AllowanceMessage(&input)
        let signature = try input.byteString()
        guard UInt256(frame.execution.block.timestamp) <= permit.deadline else {
            throw .failed("SignatureExpired(uint256)", permit.deadline.word)
        }
        try check(signature, over: permit.digest(in: domain), by: owner)
        let slot = Self.slot(owner, permit.token, permit.spender)
        var allowance = Permit2Allowance(packed: try frame.load(slot))
        let (nonce, terms) = (allowance.nonce, permit.terms)
        guard nonce == terms.nonce else { throw .failed("InvalidNonce()") }
        allowance.amount = terms.amount
        allowance.expiration = end(terms.expiration)
        allowance.nonce = (nonce &+ 1) & Permit2Allowance.mostTime
        try frame.store(slot, allowance.packed)
        try frame.execution.emit(
            frame.address,
            topics: [Self.permitTopic, owner.word, permit.token.word, permit.spender.word],
            data: Words.bytes(terms.amount.word, terms.expiration.word, terms.nonce.word)
        )
        return []
    }

    /// `transferFrom(from, to, amount, token)` by the spender; an unlimited allowance stays.
    func transferFrom(_ input: inout ProxyCalldata) throws(CallFailure) -> [UInt8] {
        let (owner, recipient) = (try input.address(), try input.address())
        let amount = try input.number(bits: 160)
        let token = try input.address()
        let slot = Self.slot(owner, token, frame.message.caller)
        var allowance = Permit2Allowance(packed: try frame.load(slot))
        guard UInt256(frame.execution.block.timestamp) <= allowance.expiration else {
            throw .failed("AllowanceExpired(uint256)", allowance.expiration.word)
        }
        if allowance.amount != Permit2Allowance.unlimited {
            guard amount <= allowance.amount else {
                throw .failed("InsufficientAllowance(uint256)", allowance.amount.word)
            }
            allowance.amount = allowance.amount - amount
            try frame.store(slot, allowance.packed)
        }
        try move(token, from: owner, to: recipient, amount)
        return []
    }

    /// `lockdown((token, spender)[])`: each amount becomes zero; expirations and nonces stay.
    func lockdown(_ input: inout ProxyCalldata) throws(CallFailure) -> [UInt8] {
        let owner = frame.message.caller
        let pairs = try input.array(words: 2) { input throws(CallFailure) in
            (token: try input.address(), spender: try input.address())
        }
        for pair in pairs {
            let slot = Self.slot(owner, pair.token, pair.spender)
            var allowance = Permit2Allowance(packed: try frame.load(slot))
            allowance.amount = .zero
            try frame.store(slot, allowance.packed)
            try frame.execution.emit(
                frame.address,
                topics: [Self.lockdownTopic, owner.word],
                data: Words.bytes(pair.token.word, pair.spender.word)
            )
        }
        return []
    }

    /// An expiration of zero is the end of this block.
    private func end(_ expiration: UInt256) -> UInt256 {
        expiration == .zero ? UInt256(frame.execution.block.timestamp) : expiration
    }

    /// `allowance[owner][token][spender]`, behind the nonces of signed transfers.
    private static func slot(_ owner: Address, _ token: Address, _ spender: Address) -> Slot {
        let tokens = Slot.mapping(owner.word, at: UInt256(1).word)
        return .fixed(Slot.mapping(spender.word, at: Slot.mapping(token.word, at: tokens)))
    }
}

/// An allowance as Permit2 packs it into one word.
struct Permit2Allowance {
    /// Base units, 160 bits.
    var amount: UInt256
    /// The last second since 1970 at which it holds, 48 bits.
    var expiration: UInt256
    /// Of the next permit, 48 bits.
    var nonce: UInt256

    /// No transfer reduces it.
    static let unlimited = (UInt256(1) << 160) &- 1
    /// The most in 48 bits.
    static let mostTime = (UInt256(1) << 48) &- 1

    init(amount: UInt256, expiration: UInt256, nonce: UInt256) {
        self.amount = amount
        self.expiration = expiration
        self.nonce = nonce
    }

    init(packed word: UInt256) {
        self.init(
            amount: word & Self.unlimited,
            expiration: (word >> 160) & Self.mostTime,
            nonce: word >> 208
        )
    }

    var packed: UInt256 { amount | expiration << 160 | nonce << 208 }
}
