import CProcess
import DexSigning
import Ethereum
import EthereumWallet
import Foundation
import StrictJSON
import Synchronization
import Testing
import ZeroEx

@Suite("The socket of an unlocked key")
struct AgentServerTests {
    typealias Bench = SigningBench

    /// A server in this process, stepped by hand, and a clock that a test sets.
    private final class Served {
        let folder: SigningFolder
        let socket: AgentSocket
        let listener: Int32
        let server: AgentServer
        let time: Time

        final class Time: Sendable {
            let value = Mutex<UInt64>(0)
        }

        init(admits: @escaping (Int32) -> Bool = AgentSocket.isOurUser) throws {
            let bench = try Bench()
            folder = try SigningFolder()
            socket = AgentSocket(folder: "\(folder.path)/agent", account: bench.key.address)
            listener = try socket.listen()
            let time = Time()
            self.time = time
            let place = AgentGrant.Place(
                scope: bench.scope,
                policy: Policy(source: "test", coin: .ether)
            )
            let agent = SigningAgent(
                grant: AgentGrant(account: bench.key.address, seconds: 900, places: [place]),
                key: bench.holder,
                rules: { _ in Policy(source: "policy.toml", coin: .ether) },
                log: MemoryAuditLog(),
                isLocked: true,
                recoverer: Secp256k1(),
                clock: { time.value.withLock { $0 } },
                now: { Bench.now }
            )
            server = AgentServer(
                agent,
                listener: listener,
                wake: -1,
                clock: { time.value.withLock { $0 } },
                admits: admits
            )
        }

        deinit {
            close(listener)
        }

        func connect() throws -> Int32 {
            try #require(try socket.connect())
        }

        /// What comes until the end.
        func rest(_ descriptor: Int32) -> [UInt8] {
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 4_096)
            while true {
                let count = read(descriptor, &chunk, chunk.count)
                guard count > 0 else { return bytes }
                bytes += chunk.prefix(count)
            }
        }

        func send(_ bytes: [UInt8], _ descriptor: Int32) {
            _ = bytes.withUnsafeBytes {
                dex_socket_send(descriptor, $0.baseAddress, UInt($0.count))
            }
        }
    }

    private static let status = AgentFrame.encode(["version": 5, "ask": "status"])

    @Test("a question in pieces gets its answer, and the connection ends")
    func answers() async throws {
        let served = try Served()
        let client = try served.connect()
        defer { close(client) }
        #expect(await served.server.step(waiting: 0))
        for byte in Self.status {
            #expect(served.server.connectionCount == 1)
            served.send([byte], client)
            #expect(await served.server.step(waiting: 0))
        }
        guard case .whole(let answer) = AgentFrame.decode(served.rest(client)) else {
            Issue.record("there is no answer")
            return
        }
        #expect(answer["memoryLocked"] == true)
        #expect(answer["milliseconds"] == 900_000)
        #expect(served.server.connectionCount == 0)
    }

    @Test("garbage, a length beyond the limit, two questions at once and half of one get nothing")
    func garbage() async throws {
        let served = try Served()
        let cases: [[UInt8]] = [
            Array("GET / HTTP/1.1\r\n\r\n".utf8), [0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF],
            [0, 0, 0, 2] + Array("[]".utf8), [0, 0, 0, 2, 0xFF, 0xFE],
            Self.status + Self.status, Self.status + [0],
        ]
        for bytes in cases {
            let client = try served.connect()
            defer { close(client) }
            _ = await served.server.step(waiting: 0)
            served.send(bytes, client)
            #expect(await served.server.step(waiting: 0))
            #expect(served.server.connectionCount == 0, "\(bytes)")
            #expect(served.rest(client).isEmpty, "\(bytes)")
        }
        let client = try served.connect()
        _ = await served.server.step(waiting: 0)
        served.send(Array(Self.status.dropLast()), client)
        close(client)
        #expect(await served.server.step(waiting: 0))
        _ = await served.server.step(waiting: 0)
        #expect(served.server.connectionCount == 0)
    }

    @Test("who says nothing is dropped in time, and makes room for those that wait")
    func many() async throws {
        let served = try Served()
        let maximum = AgentServer.maximumConnections
        let clients = try (0..<maximum + 3).map { _ in try served.connect() }
        defer { for client in clients { close(client) } }
        #expect(await served.server.step(waiting: 0))
        #expect(served.server.connectionCount == maximum)
        #expect(await served.server.step(waiting: 0))
        #expect(served.server.connectionCount == maximum)
        served.time.value.withLock { $0 = AgentServer.patience }
        #expect(await served.server.step(waiting: 0))
        #expect(served.server.connectionCount == 0)
        #expect(await served.server.step(waiting: 0))
        #expect(served.server.connectionCount == 3)
        served.send(Self.status, clients[maximum])
        #expect(await served.server.step(waiting: 0))
        #expect(!served.rest(clients[maximum]).isEmpty)
    }

    @Test("who is not admitted is closed without an answer")
    func refused() async throws {
        let served = try Served(admits: { _ in false })
        let client = try served.connect()
        defer { close(client) }
        served.send(Self.status, client)
        #expect(await served.server.step(waiting: 0))
        #expect(served.server.connectionCount == 0)
        #expect(served.rest(client).isEmpty)
    }

    @Test("it ends when the time is over")
    func ends() async throws {
        let served = try Served()
        served.time.value.withLock { $0 = 900_000 }
        #expect(await served.server.step(waiting: 0) == false)
    }

    @Test("a path may be longer than the address of a socket")
    func longPath() throws {
        let folder = try SigningFolder()
        let long = "\(folder.path)/\(String(repeating: "long", count: 40))"
        let socket = AgentSocket(folder: long, account: Bench.own)
        let listener = try socket.listen()
        defer { close(listener) }
        close(try #require(try socket.connect()))
        #expect(FileManager.default.fileExists(atPath: socket.path))
    }

    @Test("the socket and its folder are their owner's alone, and a second agent is refused")
    func modes() throws {
        let served = try Served()
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try mode(served.socket.path) == 0o600)
        #expect(try mode(served.socket.folder) == 0o700)
        #expect(AgentSocket.accounts(in: served.socket.folder) == [served.socket.account])
        let second = #expect(throws: SigningError.self) { try served.socket.listen() }
        #expect(second?.code == "already-unlocked")
        chmod(served.socket.folder, 0o750)
        let exposed = #expect(throws: SigningError.self) { try served.socket.connect() }
        #expect(exposed?.code == "exposed-agent")
    }

    @Test("a socket that nobody listens on is taken away, by whoever looks and by the next agent")
    func stale() throws {
        let folder = try SigningFolder()
        let socket = AgentSocket(folder: "\(folder.path)/agent", account: Bench.own)
        #expect(try socket.connect() == nil)
        close(try socket.listen())
        #expect(FileManager.default.fileExists(atPath: socket.path))
        #expect(try socket.connect() == nil)
        #expect(!FileManager.default.fileExists(atPath: socket.path))
        close(try socket.listen())
        let listener = try socket.listen()
        let client = try #require(try socket.connect())
        close(client)
        close(listener)
    }
}
