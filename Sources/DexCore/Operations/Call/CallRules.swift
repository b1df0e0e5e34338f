import Ethereum

/// The functions that are read from call data, by selector.
///
/// Sources: EIP-20, 721, 777, 1155, 1363, 2612, 3009, 6909, 7821; OpenZeppelin's contracts; DAI,
/// WETH9, Permit2, 0x's AllowanceHolder, Multicall3, Safe, and Uniswap's routers.
enum CallRules {
    /// Adds a call's effects; false if its data cannot be read.
    typealias Read = @Sendable (inout CallDecoder, CallDecoder.Frame) -> Bool
    typealias Line = (text: String, read: Read)

    struct Rule: Sendable {
        let signature: ABISignature
        let read: Read
    }

    /// The rule of call data; nil for an unknown function and for less than 4 bytes.
    static func rule(of data: ArraySlice<UInt8>) -> Rule? {
        data.count < 4 ? nil : all[selector(data)]
    }

    static let all = table(tokens + items + permit2 + control + quiet + wrappers)

    /// Those that are looked for in data that nothing reads: they move, allow or give away.
    static let money = table(tokens + items + permit2 + control)

    /// Every line is valid: `CallRulesTests` reads each.
    static var lines: [String] {
        (tokens + items + permit2 + control + quiet + wrappers).map(\.text)
    }

    private static func table(_ lines: [Line]) -> [UInt32: Rule] {
        var rules: [UInt32: Rule] = [:]
        for line in lines {
            // nil: never, see `lines`
            guard let signature = try? ABISignature("function " + line.text) else { continue }
            rules[selector(signature.function.selector[...])] = Rule(
                signature: signature,
                read: line.read
            )
        }
        return rules
    }

    private static func selector(_ data: ArraySlice<UInt8>) -> UInt32 {
        data.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    // MARK: Tokens

    /// The sender's tokens go to the first argument.
    private static let transfer: Read = { decoder, call in
        decoder.note(
            call,
            token: call.contract,
            .move(call.number(1), owner: call.sender, to: call.address(0))
        )
    }
    /// The first argument's tokens go to the second one.
    private static let transferFrom: Read = { decoder, call in
        decoder.note(
            call,
            token: call.contract,
            .move(call.number(2), owner: call.address(0), to: call.address(1))
        )
    }
    private static let approve: Read = { decoder, call in
        decoder.note(
            call,
            token: call.contract,
            .allow(call.number(1), owner: call.sender, spender: call.address(0), until: nil)
        )
    }
    private static let raise: Read = { decoder, call in
        decoder.note(
            call,
            token: call.contract,
            .raise(call.number(1), owner: call.sender, spender: call.address(0))
        )
    }
    private static let lower: Read = { decoder, call in
        decoder.note(
            call,
            token: call.contract,
            .lower(call.number(1), owner: call.sender, spender: call.address(0))
        )
    }
    private static let permit: Read = { decoder, call in
        decoder.note(
            call,
            token: call.contract,
            .allow(call.number(2), owner: call.address(0), spender: call.address(1), until: nil)
        )
    }
    /// All or nothing.
    private static let daiPermit: Read = { decoder, call in
        let amount: UInt256 = call.number(4) == .zero ? .zero : .max
        return decoder.note(
            call,
            token: call.contract,
            .allow(amount, owner: call.address(0), spender: call.address(1), until: nil)
        )
    }
    private static let burn: Read = { decoder, call in
        decoder.note(
            call,
            token: call.contract,
            .move(call.number(0), owner: call.sender, to: .zero)
        )
    }
    private static let burnFrom: Read = { decoder, call in
        decoder.note(
            call,
            token: call.contract,
            .move(call.number(1), owner: call.address(0), to: .zero)
        )
    }
    private static let redeem: Read = { decoder, call in
        decoder.note(
            call,
            token: call.contract,
            .move(call.number(0), owner: call.address(2), to: call.address(1))
        )
    }
    /// The sender's operator, with or without a flag.
    private static func operate(_ isAllowed: Bool?) -> Read {
        { decoder, call in
            decoder.note(
                call,
                token: call.contract,
                .operate(
                    owner: call.sender,
                    operator: call.address(0),
                    isAllowed: isAllowed ?? (call.number(1) != .zero)
                )
            )
        }
    }

    private static let tokens: [Line] = [
        ("transfer(address to,uint256 amount)", transfer),
        ("transferFrom(address from,address to,uint256 amount)", transferFrom),
        ("approve(address spender,uint256 amount)", approve),
        ("increaseAllowance(address spender,uint256 addedValue)", raise),
        ("increaseApproval(address spender,uint256 addedValue)", raise),
        ("decreaseAllowance(address spender,uint256 subtractedValue)", lower),
        ("decreaseApproval(address spender,uint256 subtractedValue)", lower),
        (
            "permit(address owner,address spender,uint256 value,uint256 deadline,uint8 v,"
                + "bytes32 r,bytes32 s)", permit
        ),
        (
            "permit(address owner,address spender,uint256 value,uint256 deadline,"
                + "bytes signature)", permit
        ),
        (
            "permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed,"
                + "uint8 v,bytes32 r,bytes32 s)", daiPermit
        ),
        (
            "transferWithAuthorization(address from,address to,uint256 value,"
                + "uint256 validAfter,uint256 validBefore,bytes32 nonce,uint8 v,bytes32 r,"
                + "bytes32 s)", transferFrom
        ),
        (
            "transferWithAuthorization(address from,address to,uint256 value,"
                + "uint256 validAfter,uint256 validBefore,bytes32 nonce,bytes signature)",
            transferFrom
        ),
        (
            "receiveWithAuthorization(address from,address to,uint256 value,"
                + "uint256 validAfter,uint256 validBefore,bytes32 nonce,uint8 v,bytes32 r,"
                + "bytes32 s)", transferFrom
        ),
        (
            "receiveWithAuthorization(address from,address to,uint256 value,"
                + "uint256 validAfter,uint256 validBefore,bytes32 nonce,bytes signature)",
            transferFrom
        ),
        ("transferAndCall(address to,uint256 amount)", transfer),
        ("transferAndCall(address to,uint256 amount,bytes data)", transfer),
        ("transferFromAndCall(address from,address to,uint256 amount)", transferFrom),
        ("transferFromAndCall(address from,address to,uint256 amount,bytes data)", transferFrom),
        ("approveAndCall(address spender,uint256 amount)", approve),
        ("approveAndCall(address spender,uint256 amount,bytes data)", approve),
        ("push(address to,uint256 amount)", transfer),
        ("move(address from,address to,uint256 amount)", transferFrom),
        ("send(address to,uint256 amount,bytes data)", transfer),
        ("burn(uint256 amount)", burn),
        ("burnFrom(address owner,uint256 amount)", burnFrom),
        // EIP-4626: shares of the owner become tokens of the receiver.
        ("redeem(uint256 shares,address receiver,address owner)", redeem),
        ("withdraw(uint256 assets,address receiver,address owner)", redeem),
        ("authorizeOperator(address operator)", operate(true)),
        ("revokeOperator(address operator)", operate(false)),
        ("approveDelegation(address delegatee,uint256 amount)", approve),
        ("allow(address manager,bool isAllowed)", operate(nil)),
        ("setAuthorization(address authorized,bool isAuthorized)", operate(nil)),
        ("hope(address operator)", operate(true)),
        ("nope(address operator)", operate(false)),
        (
            "setRelayerApproval(address sender,address relayer,bool approved)",
            { decoder, call in
                decoder.note(
                    call,
                    token: nil,
                    .operate(
                        owner: call.address(0),
                        operator: call.address(1),
                        isAllowed: call.number(2) != .zero
                    )
                )
            }
        ),
        // 0x v4: who signs orders for the sender, and who may send them.
        ("registerAllowedOrderSigner(address signer,bool allowed)", operate(nil)),
        // 0x's AllowanceHolder, called by whom `exec` named.
        (
            "transferFrom(address token,address owner,address recipient,uint256 amount)",
            { decoder, call in
                decoder.note(
                    call,
                    token: call.address(0),
                    .move(call.number(3), owner: call.address(1), to: call.address(2))
                )
            }
        ),
    ]

    // MARK: Collections

    private static let moveItems: Read = { decoder, call in
        decoder.note(
            call,
            token: call.contract,
            .moveItems(owner: call.address(0), to: call.address(1))
        )
    }

    private static let items: [Line] = [
        ("setApprovalForAll(address operator,bool approved)", operate(nil)),
        ("setOperator(address operator,bool approved)", operate(nil)),
        ("safeTransferFrom(address from,address to,uint256 id)", moveItems),
        ("safeTransferFrom(address from,address to,uint256 id,bytes data)", moveItems),
        (
            "safeTransferFrom(address from,address to,uint256 id,uint256 amount,bytes data)",
            moveItems
        ),
        (
            "safeBatchTransferFrom(address from,address to,uint256[] ids,uint256[] amounts,"
                + "bytes data)", moveItems
        ),
        // EIP-6909: an id before the amount.
        (
            "transfer(address to,uint256 id,uint256 amount)",
            { decoder, call in
                decoder.note(
                    call,
                    token: call.contract,
                    .moveItems(owner: call.sender, to: call.address(0))
                )
            }
        ),
        (
            "approve(address spender,uint256 id,uint256 amount)",
            { decoder, call in
                decoder.note(
                    call,
                    token: call.contract,
                    .operate(
                        owner: call.sender,
                        operator: call.address(0),
                        isAllowed: call.number(2) != .zero
                    )
                )
            }
        ),
    ]

    // MARK: Contracts of one's own

    private static func control(_ kind: CallEffect.Control, _ index: Int?) -> Read {
        { decoder, call in
            decoder.note(
                call,
                token: nil,
                .control(kind, by: index.map { call.address($0) })
            )
        }
    }

    private static let control: [Line] = [
        ("upgradeTo(address implementation)", control(.code, 0)),
        (
            "upgradeToAndCall(address implementation,bytes data)",
            { decoder, call in
                decoder.note(call, token: nil, .control(.code, by: call.address(0)))
            }
        ),
        ("upgrade(address proxy,address implementation)", control(.code, 1)),
        ("upgradeAndCall(address proxy,address implementation,bytes data)", control(.code, 1)),
        ("setImplementation(address implementation)", control(.code, 0)),
        (
            "diamondCut((address facet,uint8 action,bytes4[] selectors)[] cuts,address init,"
                + "bytes data)", control(.code, 1)
        ),
        ("setFallbackHandler(address handler)", control(.code, 0)),
        ("setGuard(address guard)", control(.code, 0)),
        ("transferOwnership(address newOwner)", control(.ownership, 0)),
        (
            "transferOwnership(address newOwner,bool direct,bool renounce)",
            control(.ownership, 0)
        ),
        ("proposeOwner(address newOwner)", control(.ownership, 0)),
        ("nominateNewOwner(address newOwner)", control(.ownership, 0)),
        ("setOwner(address newOwner)", control(.ownership, 0)),
        ("renounceOwnership()", control(.ownership, nil)),
        ("changeAdmin(address newAdmin)", control(.ownership, 0)),
        ("changeProxyAdmin(address proxy,address newAdmin)", control(.ownership, 1)),
        ("setAdmin(address newAdmin)", control(.ownership, 0)),
        ("setPendingAdmin(address newAdmin)", control(.ownership, 0)),
        ("transferAdmin(address newAdmin)", control(.ownership, 0)),
        ("setAuthority(address authority)", control(.ownership, 0)),
        ("grantRole(bytes32 role,address account)", control(.role, 1)),
        ("addOwnerWithThreshold(address owner,uint256 threshold)", control(.role, 0)),
        ("swapOwner(address previous,address oldOwner,address newOwner)", control(.role, 2)),
        ("removeOwner(address previous,address owner,uint256 threshold)", control(.role, nil)),
        ("changeThreshold(uint256 threshold)", control(.role, nil)),
        ("enableModule(address module)", control(.role, 0)),
    ]

    // MARK: The rest

    private static let nothing: Read = { decoder, call in
        decoder.note(call, token: nil, .nothing)
    }

    /// Functions that take nothing; at an unknown contract they may do anything.
    private static let quiet: [Line] = [
        (
            "deposit()",
            { decoder, call in decoder.isWrapper(call.contract) && nothing(&decoder, call) }
        ),
        (
            "withdraw(uint256 amount)",
            { decoder, call in decoder.isWrapper(call.contract) && nothing(&decoder, call) }
        ),
        (
            "cancelAuthorization(address authorizer,bytes32 nonce,uint8 v,bytes32 r,bytes32 s)",
            nothing
        ),
    ]
}
