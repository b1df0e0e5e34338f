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
