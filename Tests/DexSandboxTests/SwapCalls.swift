import DexSandbox
import Ethereum
import EthereumWallet

/// Call data for the swap venue, written by the ABI encoder and not by the code under test.
enum SwapCalls {
    static let native = Address(
        truncating: UInt256(0xeeee_eeee_eeee_eeee_eeee_eeee_eeee_eeee_eeee_eeee).word
    )

    static func exec(
        _ spender: Address,
        _ token: Address,
        _ amount: UInt256,
        _ target: Address,
        _ data: [UInt8]
    ) throws -> [UInt8] {
        try ABIFunction("exec(address,address,uint256,address,bytes)").encode([
            .address(spender), .address(token), .uint(amount), .address(target), .bytes(data),
        ])
    }

    static func execute(
        to recipient: Address,
        _ buyToken: Address,
        minimum: UInt256,
        _ actions: [[UInt8]]
    ) throws -> [UInt8] {
        try ABIFunction("execute((address,address,uint256),bytes[],bytes32)").encode([
            .tuple([.address(recipient), .address(buyToken), .uint(minimum)]),
            .array(actions.map { .bytes($0) }),
            .fixedBytes(Array(repeating: 7, count: 32)),
        ])
    }

    static func permitTransferFrom(
        _ permit: Permit,
        to recipient: Address,
        _ amount: UInt256,
        owner: Address,
        _ signature: [UInt8]
    ) throws -> [UInt8] {
        try ABIFunction(
            "permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)"
        ).encode([
            permit.value, .tuple([.address(recipient), .uint(amount)]), .address(owner),
            .bytes(signature),
        ])
    }

    // MARK: Actions

    static func transferFrom(
        to recipient: Address,
        _ permit: Permit,
        signature: [UInt8] = []
    ) throws -> [UInt8] {
        try ABIFunction(
            "TRANSFER_FROM(address,((address,uint256),uint256,uint256),bytes)"
        ).encode([.address(recipient), permit.value, .bytes(signature)])
    }

    static func nativeCheck(_ deadline: UInt256, _ value: UInt256) -> [UInt8] {
        ERC20.call("NATIVE_CHECK(uint256,uint256)", deadline.word, value.word)
    }

    static func checkSlippage(exactly isExact: Bool) -> [UInt8] {
        ERC20.call("CHECK_SLIPPAGE(bool)", UInt256(isExact ? 1 : 0).word)
    }

    static let wrap = ERC20.call("STAND_IN_WRAP()")
    static let unwrap = ERC20.call("STAND_IN_UNWRAP()")

    static func sell(_ pool: Address, _ token: Address, to recipient: Address) -> [UInt8] {
        ERC20.call(
            "STAND_IN_SELL(address,address,address)",
            pool.word,
            token.word,
            recipient.word
        )
    }

    /// A permitted transfer.
    struct Permit {
        var token: Address
        var amount: UInt256
        var nonce: UInt256 = 0
        var deadline = UInt256(TestChain.start + 100_000)

        var value: ABIValue {
            .tuple([.tuple([.address(token), .uint(amount)]), .uint(nonce), .uint(deadline)])
        }

        /// What the owner signs for a spender.
        func digest(
            spender: Address,
            chainID: UInt64 = 1337,
            contract: Address = TestChain.swap.permit2
        ) throws -> Bytes32 {
            let types = try TypedDataTypes([
                TypedDataStruct(
                    "PermitTransferFrom",
                    [
                        ("permitted", "TokenPermissions"), ("spender", "address"),
                        ("nonce", "uint256"), ("deadline", "uint256"),
                    ]
                ),
                TypedDataStruct("TokenPermissions", [("token", "address"), ("amount", "uint256")]),
            ])
            return try TypedData(
                types: types,
                primaryType: "PermitTransferFrom",
                domain: TypedDataDomain(
                    name: "Permit2",
                    chainID: UInt256(chainID),
                    verifyingContract: contract
                ),
                message: .tuple([
                    .tuple([.address(token), .uint(amount)]), .address(spender), .uint(nonce),
                    .uint(deadline),
                ])
            ).digest
        }

        /// `r s v`.
        func signature(by signer: PrivateKeySigner, spender: Address) throws -> [UInt8] {
            let signature = try signer.signature(over: digest(spender: spender))
            return signature.r.bytes + signature.s.bytes + [signature.v]
        }
    }
}
