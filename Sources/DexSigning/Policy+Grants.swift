import Ethereum
import ZeroEx

extension Policy.Refusal {
    /// The rule of grants, which no file sets: none to a contract that acts for anyone.
    static let grantRule = "grants"
}

extension Policy {
    /// Contracts that do what any caller says.
    ///
    /// Whoever has a signature that lets one of them take tokens can make it take them. An
    /// allowance inside a token is another matter: of that these contracts move only their
    /// caller's, or what a message of the owner's allows.
    static let actsForAnyone: Set<Address> = [
        ZeroExSwapContracts.allowanceHolder, ZeroExSwapContracts.shanghaiAllowanceHolder,
        ZeroExSwapContracts.permit2, multicall3,
    ]

    /// Makes any calls for anyone, at one address on nearly all chains.
    /// Source: https://github.com/mds1/multicall3
    private static let multicall3 = Address(
        truncating: UInt256(0xca11_bde0_5977_b363_1167_0288_62be_2a17_3976_ca11).word
    )

    /// Checks that a signature gives tokens to no contract that anyone can use, whatever the rules
    /// are.
    ///
    /// EIP-2612 is an allowance inside the token, and is judged like `approve`.
    static func check(_ grant: TypedGrant) throws(Refusal) {
        guard !grant.isOrder, !grant.isAllowance, actsForAnyone.contains(grant.spender),
            grant.parts.contains(where: { $0.amount > .zero })
        else { return }
        throw Refusal(rule: Refusal.grantRule, reason: anyone(grant.spender))
    }

    /// The reason against a spender, as the rest of a sentence.
    static func anyone(_ spender: Address) -> String {
        "anyone can use it, since \(spender.checksummed), which may take the tokens, is "
            + name(ofOpen: spender)
    }

    private static func name(ofOpen contract: Address) -> String {
        switch contract {
        case ZeroExSwapContracts.permit2: "Permit2"
        case multicall3: "Multicall3"
        default: "0x's AllowanceHolder"
        }
    }
}
