public import Ethereum

/// What instructions read of the block that they run in.
public struct BlockContext: Sendable {
    public var chainID: UInt64
    /// The chain whose contracts run here; another one than `chainID` on a fork of it.
    public var home: UInt64
    public var number: UInt64
    /// Seconds since 1970.
    public var timestamp: UInt64
    public var gasLimit: UInt64
    public var baseFee: Wei
    public var coinbase: Address
    public var random: UInt256
    /// What a unit of the gas of blobs costs.
    public var blobBaseFee: Wei
    /// Hashes of the 256 blocks before, as far as they are known.
    public var hashes: [UInt64: BlockHash]

    public init(
        chainID: UInt64,
        home: UInt64? = nil,
        number: UInt64,
        timestamp: UInt64,
        gasLimit: UInt64,
        baseFee: Wei = .zero,
        coinbase: Address = .zero,
        random: UInt256 = .zero,
        blobBaseFee: Wei = Wei(1),
        hashes: [UInt64: BlockHash] = [:]
    ) {
        self.chainID = chainID
        self.home = home ?? chainID
        self.number = number
        self.timestamp = timestamp
        self.gasLimit = gasLimit
        self.baseFee = baseFee
        self.coinbase = coinbase
        self.random = random
        self.blobBaseFee = blobBaseFee
        self.hashes = hashes
    }
}

extension BlockContext {
    /// Whether the chain has a precompile at an address that is none of Ethereum's: its code would
    /// run as an invalid instruction, or as none.
    ///
    /// Source: Arbitrum's `precompiles.go`: 0x64 to 0x74, and 0xFF, of One, Nova and their test chain;
    /// Celo's transfer of the coin at 0xFD; what HyperEVM reads of its order books, from 0x800 on.
    func hasOwnPrecompile(at address: Address) -> Bool {
        let word = UInt256(address.word)
        guard word.isSmall else { return false }
        return switch home {
        case 42_161, 42_170, 421_614: 0x64...0x74 ~= word.w0 || word.w0 == 0xFF
        case 42_220: word.w0 == 0xFD
        case 999, 998: 0x800...0x8FF ~= word.w0
        default: false
        }
    }

    /// Whether contracts read another chain's number as that of the block: Arbitrum's read the
    /// Ethereum's.
    var hasOtherNumber: Bool { [42_161, 42_170, 421_614].contains(home) }

    /// Whether the chain's contracts are code of another machine, which only looks like bytes.
    ///
    /// ZKsync Era, Abstract and Lens with their test chains.
    public var hasOtherMachine: Bool {
        [324, 300, 2_741, 11_124, 232, 37_111].contains(home)
    }
}

/// What of its surroundings a run read: by these a contract can tell a simulation from a block.
public struct ContextReads: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let timestamp = ContextReads(rawValue: 1)
    public static let number = ContextReads(rawValue: 2)
    public static let coinbase = ContextReads(rawValue: 4)
    public static let random = ContextReads(rawValue: 8)
    public static let blockHash = ContextReads(rawValue: 16)
    public static let baseFee = ContextReads(rawValue: 32)
    public static let gasPrice = ContextReads(rawValue: 64)
    public static let origin = ContextReads(rawValue: 128)
    public static let gasLimit = ContextReads(rawValue: 256)
}
