import Ethereum

/// Permit2: signed transfers, of which each signature moves tokens once, and the allowances that it
/// keeps itself.
///
/// Source: https://docs.uniswap.org/contracts/permit2/reference/signature-transfer
struct Permit2Contract {
    let frame: ContractFrame

    private enum Function: UInt32 {
        case permitTransferFrom = 0x30f2_8b7a
        case nonceBitmap = 0x4fe0_2b44
        case domainSeparator = 0x3644_e515
        case allowance = 0x927d_a105
        case approve = 0x8751_7c45
        case permit = 0x2b67_b570
        case transferFrom = 0x36c7_8516
        case lockdown = 0xcc53_287f
    }

    func run() throws(CallFailure) -> [UInt8] {
        try frame.execution.charge(.view)
        try frame.refuseEther()
        guard let function = frame.selector.flatMap({ Function(rawValue: $0) }) else {
            throw .revert([])
        }
        var input = ProxyCalldata(frame.message.data)
        switch function {
        case .permitTransferFrom:
            let permit = try Permit2Message(&input, spender: frame.message.caller)
            try transfer(
                permit,
                to: try input.address(),
                amount: try input.number(),
                owner: try input.address(),
                signature: try input.byteString()
            )
            return []
        case .nonceBitmap:
            return Words.number(try frame.load(Self.nonces(try input.address(), try input.word())))
        case .domainSeparator: return domain.bytes
        case .allowance: return try allowance(&input)
        case .approve: return try approve(&input)
        case .permit: return try permit(&input)
        case .transferFrom: return try transferFrom(&input)
        case .lockdown: return try lockdown(&input)
        }
    }

    var domain: Bytes32 {
        Permit2Message.domain(chainID: frame.contracts.chainID, contract: frame.address)
    }

    private func transfer(
        _ permit: Permit2Message,
        to recipient: Address,
        amount: UInt256,
        owner: Address,
        signature: [UInt8]
    ) throws(CallFailure) {
        guard UInt256(frame.execution.block.timestamp) <= permit.deadline else {
            throw .failed("SignatureExpired(uint256)", permit.deadline.word)
        }
        guard amount <= permit.amount else {
            throw .failed("InvalidAmount(uint256)", permit.amount.word)
        }
        try use(permit.nonce, of: owner)
        try check(signature, over: permit.digest(in: domain), by: owner)
        try move(permit.token, from: owner, to: recipient, amount)
    }

    /// Moves tokens that their owner approved for Permit2.
    func move(
        _ token: Address,
        from owner: Address,
        to recipient: Address,
        _ amount: UInt256
    ) throws(CallFailure) {
        do throws(CallFailure) {
            try frame.transferFrom(token, from: owner, to: recipient, amount)
        } catch {
            // Its library has one text for every reason.
            guard case .revert = error else { throw error }
            throw .revert(ERC20.call("Error(string)") + Words.string("TRANSFER_FROM_FAILED"))
        }
    }

    /// Marks a nonce as used; each is one bit, and their order does not matter.
    private func use(_ nonce: UInt256, of owner: Address) throws(CallFailure) {
        let slot = Self.nonces(owner, (nonce >> 8).word)
        let bit = UInt256(1) << Int(nonce.w0 & 0xFF)
        let used = try frame.load(slot)
        guard used & bit == .zero else { throw .failed("InvalidNonce()") }
        try frame.store(slot, used | bit)
    }

    /// The slot of 256 nonces of an owner: `nonceBitmap[owner][word]`.
    private static func nonces(_ owner: Address, _ word: Bytes32) -> Slot {
        .fixed(Slot.mapping(word, at: Slot.mapping(owner.word, at: .zero)))
    }

    /// Reverts unless the owner signed: `r s v`, or the short form of EIP-2098.
    func check(
        _ signature: [UInt8],
        over digest: Bytes32,
        by owner: Address
    ) throws(CallFailure) {
        try frame.execution.charge(.swapPermit)
        // A contract would be asked; none here knows the question.
        guard !frame.contracts.isContract(owner) else { throw .revert([]) }
        let words = CalldataReader(bytes: signature)
        let second = words.word(at: 32)
        let parts: (s: Bytes32, v: UInt8)
        switch signature.count {
        case 65: parts = (second, signature[64])
        case 64:
            let number = UInt256(second)
            parts = (((number << 1) >> 1).word, 27 + UInt8(truncatingIfNeeded: number >> 255))
        default: throw .failed("InvalidSignatureLength()")
        }
        guard parts.v >= 27,
            let signature = Signature(r: words.word(at: 0), s: parts.s, yParity: parts.v - 27)
        else { throw .failed("InvalidSignature()") }
        let signer: Address
        do throws(SignatureError) {
            signer = try frame.contracts.recoverer.recover(digest: digest, signature: signature)
        } catch {
            throw .failed("InvalidSignature()")
        }
        guard signer == owner else { throw .failed("InvalidSigner()") }
    }
}
