import Ethereum
import EthereumWallet
import StrictJSON
import Synchronization

@testable import DexSandbox
@testable import SandboxHost

/// Another machine's sandbox in this process, which can lie, be silent, or answer nonsense.
final class FakeLeader: LeaderConnection {
    enum Fault: Sendable {
        case silent
        case status(Int)
        case body([UInt8])
        /// Changes every batch.
        case blocks(@Sendable (inout BlockBatch) -> Void)
        /// Describes its sandbox otherwise than it began.
        case genesis(BlockHash)
        /// What it answers to a transaction, which it throws away.
        case posted(JSONValue)
    }

    let chain: SandboxChain
    let settings: SandboxSettings
    /// The port of its relay, as it says.
    let relayPort: Int
    private let active = Mutex<Fault?>(nil)
    private let named = Mutex<String?>(nil)
    private let posted = Mutex<[[UInt8]]>([])

    init(
        _ settings: SandboxSettings,
        mining: ChainConfiguration.Mining = .instant,
        relayPort: Int = 1,
        now: @escaping @Sendable () -> UInt64
    ) throws {
        self.settings = settings
        self.relayPort = relayPort
        chain = try Self.chain(settings, mining: mining, now: now)
    }

    /// One that describes a chain by settings of another.
    init(_ settings: SandboxSettings, chain: SandboxChain) {
        self.settings = settings
        self.chain = chain
        relayPort = 1
    }

    static func chain(
        _ settings: SandboxSettings,
        mining: ChainConfiguration.Mining,
        now: @escaping @Sendable () -> UInt64
    ) throws -> SandboxChain {
        try SandboxChain(
            genesis: settings.genesis(settings.accounts()),
            configuration: ChainConfiguration(mining: mining, now: now, recoverer: Secp256k1())
        )
    }

    var fault: Fault? {
        get { active.withLock { $0 } }
        set { active.withLock { $0 = newValue } }
    }

    /// What names the content of its books.
    var books: String? {
        get { named.withLock { $0 } }
        set { named.withLock { $0 = newValue } }
    }

    var posts: [[UInt8]] { posted.withLock { $0 } }

    func get(_ path: String) async throws(LeaderSilence) -> LeaderAnswer {
        switch fault {
        case .silent: throw LeaderSilence(reason: "the connection was refused")
        case .status(let status): return LeaderAnswer(status: status, body: [])
        case .body(let body): return LeaderAnswer(status: 200, body: body)
        default: break
        }
        if path == LeaderRoutes.genesisPath {
            var hash = await chain.genesisHash
            if case .genesis(let other) = fault { hash = other }
            let json: JSONValue = [
                "settings": settings.json, "genesis": .string(hash.hex),
                "relayPort": .integer(relayPort),
            ]
            return LeaderAnswer(status: 200, body: json.utf8)
        }
        guard let after = path.split(separator: "after=").last?.prefix(while: \.isNumber),
            let number = UInt64(after)
        else { return LeaderAnswer(status: 404, body: []) }
        var batch = await chain.batch(after: number)
        if case .blocks(let change) = fault { change(&batch) }
        return LeaderAnswer(status: 200, books: books, body: batch.encoded)
    }

    func post(
        _ path: String,
        to server: LeaderServer,
        _ body: [UInt8]
    ) async throws(LeaderSilence) -> LeaderAnswer {
        if case .silent = fault { throw LeaderSilence(reason: "the connection was refused") }
        posted.withLock { $0.append(body) }
        if case .posted(let answer) = fault { return LeaderAnswer(status: 200, body: answer.utf8) }
        return LeaderAnswer(status: 200, body: await chain.answer(body: body))
    }
}
