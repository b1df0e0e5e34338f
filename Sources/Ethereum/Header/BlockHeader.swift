/// The header of a block, with the fields of its fork: what the hash of the block is a hash of.
///
/// Fields that a fork added stand behind all earlier ones, so each fork's are within those of the
/// fork before it: a header without a base fee cannot have a root of withdrawals.
///
/// Source: Ethereum Yellow Paper, section 4.3, and the EIPs at the fields.
public struct BlockHeader: Hashable, Sendable {
    public var parentHash: BlockHash
    /// `keccak(rlp([]))` if the block has no ommers, as ever since the merge.
    public var ommersHash: Bytes32
    /// Who gets the tips: the miner, the proposer, or a rollup's sequencer.
    public var beneficiary: Address
    /// The root of all accounts, after the block.
    public var stateRoot: Bytes32
    public var transactionsRoot: Bytes32
    public var receiptsRoot: Bytes32
    public var logsBloom: Bloom
    /// 0 since the merge.
    public var difficulty: UInt256
    public var number: UInt64
    public var gasLimit: UInt64
    public var gasUsed: UInt64
    /// Seconds since 1970.
    public var timestamp: UInt64
    /// At most 32 bytes on Ethereum; other chains keep signatures and lists of validators here.
    public var extraData: [UInt8]
    /// The proof of work's, or since the merge the random number that PREVRANDAO gives.
    public var mixHash: Bytes32
    /// The proof of work's eight bytes; 0 since the merge.
    public var nonce: UInt64
    /// nil before London, and on chains without a base fee.
    public var london: London?

    /// `keccak(rlp([]))`: a block without ommers.
    public static let noOmmers = Keccak256.hash(RLP.list([]).encoded)
    /// The SHA-256 hash of nothing: a block without requests (EIP-7685).
    public static let noRequests = Bytes32(
        limbs: (
            0xe3b0_c442_98fc_1c14, 0x9afb_f4c8_996f_b924, 0x27ae_41e4_649b_934c,
            0xa495_991b_7852_b855
        )
    )
    /// The most bytes of `extraData` that are read; of the chains known, none has a tenth.
    public static let maximumExtraData = 262_144

    public init(
        parentHash: BlockHash,
        ommersHash: Bytes32 = BlockHeader.noOmmers,
        beneficiary: Address,
        stateRoot: Bytes32,
        transactionsRoot: Bytes32,
        receiptsRoot: Bytes32,
        logsBloom: Bloom,
        difficulty: UInt256 = .zero,
        number: UInt64,
        gasLimit: UInt64,
        gasUsed: UInt64,
        timestamp: UInt64,
        extraData: [UInt8],
        mixHash: Bytes32 = .zero,
        nonce: UInt64 = 0,
        london: London?
    ) {
        self.parentHash = parentHash
        self.ommersHash = ommersHash
        self.beneficiary = beneficiary
        self.stateRoot = stateRoot
        self.transactionsRoot = transactionsRoot
        self.receiptsRoot = receiptsRoot
        self.logsBloom = logsBloom
        self.difficulty = difficulty
        self.number = number
        self.gasLimit = gasLimit
        self.gasUsed = gasUsed
        self.timestamp = timestamp
        self.extraData = extraData
        self.mixHash = mixHash
        self.nonce = nonce
        self.london = london
    }

    /// The hash of the block.
    public var hash: BlockHash {
        BlockHash(Keccak256.hash(encoded))
    }

    /// Wei per gas that is burned; nil before London.
    public var baseFeePerGas: Wei? {
        london?.baseFeePerGas
    }

    /// The fields since Shanghai; nil before it.
    public var shanghai: Shanghai? { london?.shanghai }
    /// The fields since Cancun; nil before it.
    public var cancun: Cancun? { shanghai?.cancun }
    /// The fields since Prague; nil before it.
    public var prague: Prague? { cancun?.prague }
    /// The fields since Amsterdam; nil before it.
    public var amsterdam: Amsterdam? { prague?.amsterdam }

    /// What London added, and what came after it.
    public struct London: Hashable, Sendable {
        /// EIP-1559.
        public var baseFeePerGas: Wei
        public var shanghai: Shanghai?

        public init(baseFeePerGas: Wei, shanghai: Shanghai? = nil) {
            self.baseFeePerGas = baseFeePerGas
            self.shanghai = shanghai
        }
    }

    /// What Shanghai added, and what came after it.
    public struct Shanghai: Hashable, Sendable {
        /// EIP-4895; on OP Stack chains since Isthmus the root of a contract's storage.
        public var withdrawalsRoot: Bytes32
        public var cancun: Cancun?

        public init(withdrawalsRoot: Bytes32, cancun: Cancun? = nil) {
            self.withdrawalsRoot = withdrawalsRoot
            self.cancun = cancun
        }
    }

    /// What Cancun added, and what came after it.
    public struct Cancun: Hashable, Sendable {
        /// EIP-4844.
        public var blobGasUsed: UInt64
        /// EIP-4844: what the price of blobs follows from.
        public var excessBlobGas: UInt64
        /// EIP-4788.
        public var parentBeaconBlockRoot: Bytes32
        public var prague: Prague?

        public init(
            blobGasUsed: UInt64,
            excessBlobGas: UInt64,
            parentBeaconBlockRoot: Bytes32,
            prague: Prague? = nil
        ) {
            self.blobGasUsed = blobGasUsed
            self.excessBlobGas = excessBlobGas
            self.parentBeaconBlockRoot = parentBeaconBlockRoot
            self.prague = prague
        }
    }

    /// What Prague added, and what came after it; Osaka adds nothing.
    public struct Prague: Hashable, Sendable {
        /// EIP-7685.
        public var requestsHash: Bytes32
        public var amsterdam: Amsterdam?

        public init(requestsHash: Bytes32, amsterdam: Amsterdam? = nil) {
            self.requestsHash = requestsHash
            self.amsterdam = amsterdam
        }
    }

    /// What Amsterdam added.
    public struct Amsterdam: Hashable, Sendable {
        /// EIP-7928.
        public var blockAccessListHash: Bytes32
        /// EIP-7843.
        public var slotNumber: UInt64

        public init(blockAccessListHash: Bytes32, slotNumber: UInt64) {
            self.blockAccessListHash = blockAccessListHash
            self.slotNumber = slotNumber
        }
    }
}
