import Ethereum
import Testing
import ZeroEx

@testable import DexSigning

/// Typed data as dapps ask for it.
enum TypedDataBench {
    typealias Bench = SigningBench

    static let spender = Bench.address(0xDA)
    static let deadline: UInt64 = Bench.now + 600

    /// A domain with these members, as its types and its values.
    struct Domain {
        var name: String? = "Token"
        var version: String? = "1"
        var chainID: UInt64? = 1
        var contract: Address? = Bench.zrx

        static let permit2 = Domain(
            name: "Permit2",
            version: nil,
            contract: ZeroExSwapContracts.permit2
        )

        fileprivate var value: TypedDataDomain {
            TypedDataDomain(
                name: name,
                version: version,
                chainID: chainID.map { UInt256($0) },
                verifyingContract: contract
            )
        }
    }

    /// - Parameter types: each struct as `Name(type member,…)`.
    static func data(
        _ types: [String],
        _ primaryType: String,
        _ domain: Domain,
        _ values: [ABIValue]
    ) throws -> TypedData {
        let structures = try types.map { text in
            let parts = text.dropLast().split(separator: "(", maxSplits: 1).map(String.init)
            let members = parts[1].split(separator: ",").map { member in
                let words = member.split(separator: " ").map(String.init)
                return (name: words[1], type: words[0])
            }
            return try TypedDataStruct(parts[0], members)
        }
        return try TypedData(
            types: TypedDataTypes(structures),
            primaryType: primaryType,
            domain: domain.value,
            message: .tuple(values)
        )
    }

    static let permitType =
        "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"

    static func permit(
        _ amount: UInt256 = Bench.units("5"),
        owner: Address = Bench.own,
        _ domain: Domain = Domain()
    ) throws -> TypedData {
        try data(
            [permitType],
            "Permit",
            domain,
            [.address(owner), .address(spender), .uint(amount), .uint(0), .uint(number(deadline))]
        )
    }

    static func daiPermit(isAllowed: Bool) throws -> TypedData {
        try data(
            ["Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)"],
            "Permit",
            Domain(),
            [.address(Bench.own), .address(spender), .uint(0), .uint(0), .bool(isAllowed)]
        )
    }

    static let details =
        "PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)"

    static func details(
        _ token: Address,
        _ amount: UInt256,
        expires: UInt64 = Bench.now + 1_000
    ) -> ABIValue {
        .tuple([.address(token), .uint(amount), .uint(number(expires)), .uint(0)])
    }

    static func single(
        _ amount: UInt256 = Bench.units("5"),
        expires: UInt64 = Bench.now + 1_000,
        _ domain: Domain = .permit2
    ) throws -> TypedData {
        try data(
            ["PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)", details],
            "PermitSingle",
            domain,
            [
                details(Bench.zrx, amount, expires: expires), .address(spender),
                .uint(number(deadline)),
            ]
        )
    }

    static func batch() throws -> TypedData {
        try data(
            ["PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)", details],
            "PermitBatch",
            .permit2,
            [
                .array([details(Bench.zrx, Bench.units("5")), details(Bench.weth, 7)]),
                .address(spender), .uint(number(deadline)),
            ]
        )
    }

    static let permissions = "TokenPermissions(address token,uint256 amount)"

    static func transfer(_ domain: Domain = .permit2) throws -> TypedData {
        try data(
            [
                "PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,"
                    + "uint256 deadline)", permissions,
            ],
            "PermitTransferFrom",
            domain,
            [
                .tuple([.address(Bench.zrx), .uint(Bench.units("5"))]), .address(spender),
                .uint(9), .uint(number(deadline)),
            ]
        )
    }

    static func batchWithWitness() throws -> TypedData {
        try data(
            [
                "PermitBatchWitnessTransferFrom(TokenPermissions[] permitted,address spender,"
                    + "uint256 nonce,uint256 deadline,Trade witness)", permissions,
                "Trade(address buy,uint256 least)",
            ],
            "PermitBatchWitnessTransferFrom",
            .permit2,
            [
                .array([
                    .tuple([.address(Bench.zrx), .uint(Bench.units("5"))]),
                    .tuple([.address(Bench.weth), .uint(7)]),
                ]),
                .address(spender), .uint(9), .uint(number(deadline)),
                .tuple([.address(Bench.usdc), .uint(1)]),
            ]
        )
    }

    /// A message of Permit2 for transfers, of one token or a batch, with further terms or without.
    static func transfers(
        _ parts: [(token: Address, amount: UInt256)],
        to spender: Address,
        isBatch: Bool = true,
        hasWitness: Bool = false,
        deadline: UInt64 = deadline,
        chainID: UInt64 = 1
    ) throws -> TypedData {
        let name =
            "Permit\(isBatch ? "Batch" : "")\(hasWitness ? "Witness" : "")TransferFrom"
        let entries: [ABIValue] = parts.map { .tuple([.address($0.token), .uint($0.amount)]) }
        let permitted = try #require(isBatch ? .array(entries) : entries.first)
        var types = [
            "\(name)(TokenPermissions\(isBatch ? "[]" : "") permitted,address spender,"
                + "uint256 nonce,uint256 deadline\(hasWitness ? ",Trade witness" : ""))",
            permissions,
        ]
        if hasWitness { types.append("Trade(address buy,uint256 least)") }
        var domain = Domain.permit2
        domain.chainID = chainID
        return try data(
            types,
            name,
            domain,
            [permitted, .address(spender), .uint(9), .uint(number(deadline))]
                + (hasWitness ? [.tuple([.address(Bench.usdc), .uint(1)])] : [])
        )
    }

    /// A message of Permit2 for allowances in it.
    static func allowances(
        _ parts: [(token: Address, amount: UInt256)],
        to spender: Address,
        isBatch: Bool = true,
        expires: UInt64 = Bench.now + 1_000,
        deadline: UInt64 = deadline,
        chainID: UInt64 = 1
    ) throws -> TypedData {
        let entries = parts.map { details($0.token, $0.amount, expires: expires) }
        let granted = try #require(isBatch ? .array(entries) : entries.first)
        let name = isBatch ? "PermitBatch" : "PermitSingle"
        var domain = Domain.permit2
        domain.chainID = chainID
        return try data(
            [
                "\(name)(PermitDetails\(isBatch ? "[]" : "") details,address spender,"
                    + "uint256 sigDeadline)", details,
            ],
            name,
            domain,
            [granted, .address(spender), .uint(number(deadline))]
        )
    }

    /// A permit inside a token: EIP-2612's, or DAI's for everything.
    static func permit(
        of token: Address,
        _ amount: UInt256?,
        to spender: Address,
        owner: Address = Bench.own,
        chainID: UInt64 = 1
    ) throws -> TypedData {
        let domain = Domain(chainID: chainID, contract: token)
        guard let amount else {
            return try data(
                [
                    "Permit(address holder,address spender,uint256 nonce,uint256 expiry,"
                        + "bool allowed)"
                ],
                "Permit",
                domain,
                [.address(owner), .address(spender), .uint(0), .uint(0), .bool(true)]
            )
        }
        return try data(
            [permitType],
            "Permit",
            domain,
            [.address(owner), .address(spender), .uint(amount), .uint(0), .uint(number(deadline))]
        )
    }

    /// A transfer inside a token, by EIP-3009.
    static func authorization(
        of token: Address,
        _ amount: UInt256,
        to receiver: Address,
        owner: Address = Bench.own,
        isReceivers: Bool = false,
        before end: UInt64 = deadline,
        chainID: UInt64 = 1
    ) throws -> TypedData {
        let name = isReceivers ? "ReceiveWithAuthorization" : "TransferWithAuthorization"
        return try data(
            [
                "\(name)(address from,address to,uint256 value,uint256 validAfter,"
                    + "uint256 validBefore,bytes32 nonce)"
            ],
            name,
            Domain(chainID: chainID, contract: token),
            [
                .address(owner), .address(receiver), .uint(amount), .uint(0), .uint(number(end)),
                .word(UInt256(7).word),
            ]
        )
    }

    static func limitOrder(
        maker: Address = Bench.own,
        exchange: Address = Bench.exchange
    ) throws -> TypedData {
        let order = LimitOrderV4(
            makerToken: Bench.zrx,
            takerToken: Bench.weth,
            makerAmount: 5_000_000_000_000_000_000,
            takerAmount: 7,
            maker: maker,
            expiry: deadline,
            salt: 3
        )
        return try #require(
            order.typedData(in: ExchangeDomainV4(chainID: 1, exchange: exchange))
        )
    }

    /// A message of a kind that is not known.
    static func login(_ domain: Domain = Domain()) throws -> TypedData {
        try data(["Login(string text)"], "Login", domain, [.string("hello")])
    }

    static func number(_ value: UInt64) -> UInt256 { UInt256(value) }
}
