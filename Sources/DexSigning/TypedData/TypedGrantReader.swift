import Ethereum
import ZeroEx

/// Reads each known kind by the exact text of its types.
struct TypedGrantReader {
    let data: TypedData
    let contract: Address
    let values: [ABIValue]

    func grant(_ type: String) -> TypedGrant? {
        switch type {
        case Self.permit: permit()
        case Self.daiPermit: daiPermit()
        case Self.transferWithAuthorization, Self.receiveWithAuthorization: authorization()
        case Self.single, Self.batch: isPermit2 ? allowance() : nil
        case LimitOrderV4.encodedType: isExchange ? limitOrder() : nil
        case RfqOrderV4.encodedType: isExchange ? rfqOrder() : nil
        default: isPermit2 && isTransfer ? transfer() : nil
        }
    }

    // MARK: The token's own

    // Source: https://eips.ethereum.org/EIPS/eip-2612
    private static let permit =
        "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"
    // Source: DAI's contract on mainnet, `PERMIT_TYPEHASH`.
    private static let daiPermit =
        "Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)"

    private func permit() -> TypedGrant? {
        guard let owner = values.address(0), let spender = values.address(1),
            let amount = values.number(2), let deadline = values.number(4)
        else { return nil }
        return grant(
            .permit,
            owner: owner,
            spender: spender,
            [part(contract, amount, expires: nil)],
            until: deadline,
            isAllowance: true
        )
    }

    /// All of the tokens or none; an expiry of zero is never.
    private func daiPermit() -> TypedGrant? {
        guard let owner = values.address(0), let spender = values.address(1),
            let expiry = values.number(3), case .bool(let isAllowed)? = values[safely: 4]
        else { return nil }
        return grant(
            .permit,
            owner: owner,
            spender: spender,
            [part(contract, isAllowed ? .max : .zero, expires: nil)],
            until: expiry == .zero ? .max : expiry
        )
    }

    // Source: https://eips.ethereum.org/EIPS/eip-3009
    private static let authorized =
        "(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,"
        + "bytes32 nonce)"
    private static let transferWithAuthorization = "TransferWithAuthorization" + authorized
    private static let receiveWithAuthorization = "ReceiveWithAuthorization" + authorized

    /// One transfer, which anyone may submit, or the receiver alone.
    private func authorization() -> TypedGrant? {
        guard let owner = values.address(0), let receiver = values.address(1),
            let amount = values.number(2), let end = values.number(4)
        else { return nil }
        return grant(
            .transferAuthorization,
            owner: owner,
            spender: receiver,
            [part(contract, amount, expires: end)],
            until: end
        )
    }

    // MARK: Permit2

    // Source: Permit2's PermitHash.sol
    private static let details =
        "PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)"
    private static let single =
        "PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)" + details
    private static let batch =
        "PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)" + details
    private static let permissions = "TokenPermissions(address token,uint256 amount)"
    private static let transfers = [
        "PermitTransferFrom": (isBatch: false, hasWitness: false),
        "PermitBatchTransferFrom": (isBatch: true, hasWitness: false),
        "PermitWitnessTransferFrom": (isBatch: false, hasWitness: true),
        "PermitBatchWitnessTransferFrom": (isBatch: true, hasWitness: true),
    ]

    /// Permit2 itself, with its own domain, which has no version.
    private var isPermit2: Bool {
        contract == ZeroExSwapContracts.permit2 && data.domain.name == "Permit2"
            && data.domain.encodedType
                == "EIP712Domain(string name,uint256 chainId,address verifyingContract)"
    }

    private func allowance() -> TypedGrant? {
        guard let details = values[safely: 0]?.elements, let spender = values.address(1),
            let deadline = values.number(2)
        else { return nil }
        // A single one is a tuple of values, a batch an array of tuples.
        let entries = data.primaryType == "PermitSingle" ? [details] : details.map(\.elements)
        var parts: [TypedGrant.Part] = []
        for entry in entries {
            guard let entry, let token = entry.address(0), let amount = entry.number(1),
                let expiration = entry.number(2)
            else { return nil }
            // Permit2 takes zero for the block in which the signature is submitted.
            let expires = expiration == .zero ? deadline : expiration
            parts.append(part(token, amount, expires: expires))
        }
        return grant(
            .permit2Allowance,
            owner: nil,
            spender: spender,
            parts,
            until: deadline
        )
    }

    /// The first members are fixed; a witness is one more, of any type.
    private var isTransfer: Bool {
        guard let form = Self.transfers[data.primaryType],
            let structure = data.types[data.primaryType],
            data.types.encodedType(of: "TokenPermissions") == Self.permissions
        else { return false }
        let expected = [
            "permitted TokenPermissions" + (form.isBatch ? "[]" : ""), "spender address",
            "nonce uint256", "deadline uint256",
        ]
        let members = structure.members.map { "\($0.name) \($0.type.name)" }
        return members.starts(with: expected)
            && members.count == expected.count + (form.hasWitness ? 1 : 0)
    }

    private func transfer() -> TypedGrant? {
        guard let form = Self.transfers[data.primaryType],
            let permitted = values[safely: 0]?.elements, let spender = values.address(1),
            let deadline = values.number(3)
        else { return nil }
        let entries = form.isBatch ? permitted.map(\.elements) : [permitted]
        var parts: [TypedGrant.Part] = []
        for entry in entries {
            guard let entry, let token = entry.address(0), let amount = entry.number(1) else {
                return nil
            }
            parts.append(part(token, amount, expires: deadline))
        }
        return grant(
            .permit2Transfer,
            owner: nil,
            spender: spender,
            parts,
            until: deadline,
            hasWitness: form.hasWitness
        )
    }

    // MARK: 0x v4

    /// An exchange's domain; which contract it is, the caller judges.
    private var isExchange: Bool {
        guard let chainID = data.domain.chainID?.uint64 else { return false }
        return data.domain.separator
            == ExchangeDomainV4(chainID: chainID, exchange: contract).separator
    }

    private func limitOrder() -> TypedGrant? {
        guard let order = LimitOrderV4(words: words) else { return nil }
        return grant(.limitOrder, order, sender: order.sender)
    }

    private func rfqOrder() -> TypedGrant? {
        guard let order = RfqOrderV4(words: words) else { return nil }
        return grant(.rfqOrder, order, sender: order.txOrigin)
    }

    private func grant(
        _ kind: TypedGrant.Kind,
        _ order: some NativeOrderV4,
        sender: Address
    ) -> TypedGrant {
        grant(
            kind,
            owner: order.maker,
            spender: contract,
            [
                TypedGrant.Part(
                    token: order.makerToken,
                    amount: UInt256(order.makerAmount),
                    isUnlimited: false,
                    expires: UInt256(order.expiry)
                )
            ],
            receives: TypedGrant.Receipt(
                token: order.takerToken,
                amount: UInt256(order.takerAmount),
                taker: order.taker == .zero ? nil : order.taker,
                sender: sender == .zero ? nil : sender
            ),
            until: UInt256(order.expiry)
        )
    }

    /// The values as words; all of an order are atomic.
    private var words: [Bytes32] {
        values.compactMap { value in
            switch value {
            case .address(let address): address.word
            case .uint(let number): number.word
            case .fixedBytes(let bytes): Bytes32(bytes: bytes)
            default: nil
            }
        }
    }

    // MARK: Parts

    private func part(
        _ token: Address,
        _ amount: UInt256,
        expires: UInt256?
    ) -> TypedGrant.Part {
        TypedGrant.Part(
            token: token,
            amount: amount,
            isUnlimited: TypedGrant.isUnlimited(amount),
            expires: expires
        )
    }

    private func grant(
        _ kind: TypedGrant.Kind,
        owner: Address?,
        spender: Address,
        _ parts: [TypedGrant.Part],
        receives: TypedGrant.Receipt? = nil,
        until deadline: UInt256,
        hasWitness: Bool = false,
        isAllowance: Bool = false
    ) -> TypedGrant {
        TypedGrant(
            kind: kind,
            owner: owner,
            spender: spender,
            parts: parts,
            receives: receives,
            deadline: deadline,
            contract: contract,
            chainID: data.domain.chainID,
            hasWitness: hasWitness,
            isAllowance: isAllowance
        )
    }
}

extension Array<ABIValue> {
    fileprivate subscript(safely index: Int) -> ABIValue? {
        indices.contains(index) ? self[index] : nil
    }

    fileprivate func address(_ index: Int) -> Address? {
        guard case .address(let address)? = self[safely: index] else { return nil }
        return address
    }

    fileprivate func number(_ index: Int) -> UInt256? {
        guard case .uint(let number)? = self[safely: index] else { return nil }
        return number
    }
}

extension ABIValue {
    /// The values of a tuple or an array; nil for anything else.
    fileprivate var elements: [ABIValue]? {
        switch self {
        case .tuple(let values), .array(let values): values
        default: nil
        }
    }
}
