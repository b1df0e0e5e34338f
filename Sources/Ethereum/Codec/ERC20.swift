/// The calls and events of an ERC-20 token and of WETH9.
///
/// Source: https://eips.ethereum.org/EIPS/eip-20
public enum ERC20 {
    /// The first topic of `Transfer(address indexed from, address indexed to, uint256 value)`.
    public static let transferTopic = Keccak256.hash("Transfer(address,address,uint256)".utf8)
    /// The first topic of `Approval(address indexed owner, address indexed spender, uint256)`.
    public static let approvalTopic = Keccak256.hash("Approval(address,address,uint256)".utf8)
    /// The first topic of WETH9's `Deposit(address indexed dst, uint256 wad)`: ether was wrapped.
    public static let depositTopic = Keccak256.hash("Deposit(address,uint256)".utf8)
    /// The first topic of WETH9's `Withdrawal(address indexed src, uint256 wad)`.
    public static let withdrawalTopic = Keccak256.hash("Withdrawal(address,uint256)".utf8)

    /// Call data of `balanceOf(address)`.
    ///
    /// Example: `Hex.encode(ERC20.balanceOf(.zero).prefix(4))` is `0x70a08231`.
    public static func balanceOf(_ owner: Address) -> [UInt8] {
        data(balanceOfSelector, owner.word)
    }

    /// Call data of `allowance(address owner, address spender)`.
    ///
    /// Example: `Hex.encode(ERC20.allowance(owner: .zero, spender: .zero).prefix(4))` is
    /// `0xdd62ed3e`.
    public static func allowance(owner: Address, spender: Address) -> [UInt8] {
        data(allowanceSelector, owner.word, spender.word)
    }

    /// Call data of `approve(address spender, uint256 amount)`, in base units.
    ///
    /// Example: `Hex.encode(ERC20.approve(spender: .zero, amount: 1).prefix(4))` is `0x095ea7b3`.
    public static func approve(spender: Address, amount: UInt256) -> [UInt8] {
        data(approveSelector, spender.word, amount.word)
    }

    /// Call data of `transfer(address to, uint256 amount)`, in base units.
    ///
    /// Example: `Hex.encode(ERC20.transfer(to: .zero, amount: 1).prefix(4))` is `0xa9059cbb`.
    public static func transfer(to: Address, amount: UInt256) -> [UInt8] {
        data(transferSelector, to.word, amount.word)
    }

    /// Call data of `decimals()`.
    public static let decimals = call("decimals()")
    /// Call data of `symbol()`.
    public static let symbol = call("symbol()")
    /// Call data of `name()`.
    public static let name = call("name()")
    /// Call data of `totalSupply()`.
    public static let totalSupply = call("totalSupply()")

    private static let balanceOfSelector = call("balanceOf(address)")
    private static let allowanceSelector = call("allowance(address,address)")
    private static let approveSelector = call("approve(address,uint256)")
    private static let transferSelector = call("transfer(address,uint256)")

    /// The selector of a signature, hashed on each call, followed by words.
    public static func call(_ signature: StaticString, _ words: Bytes32...) -> [UInt8] {
        let hash = signature.withUTF8Buffer { Keccak256.hash($0) }
        var data: [UInt8] = []
        data.reserveCapacity(4 + 32 * words.count)
        data.append(contentsOf: hash.bytes.prefix(4))
        for word in words { word.append(to: &data) }
        return data
    }

    private static func data(
        _ selector: [UInt8],
        _ first: Bytes32,
        _ second: Bytes32? = nil
    ) -> [UInt8] {
        var data: [UInt8] = []
        data.reserveCapacity(second == nil ? 36 : 68)
        data.append(contentsOf: selector)
        first.append(to: &data)
        second?.append(to: &data)
        return data
    }
}
