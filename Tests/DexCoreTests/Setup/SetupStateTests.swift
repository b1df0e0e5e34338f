import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("What dex init leaves to do")
struct SetupStateTests {
    private func state(
        _ network: Network,
        hasAccount: Bool = true,
        isSandboxRunning: Bool = false,
        checkup: [DoctorState.Row]? = []
    ) throws -> SetupState {
        SetupState(
            network: network,
            file: "/x/config.toml",
            changes: [],
            wallet: nil,
            hasAccount: hasAccount,
            isSandboxRunning: isSandboxRunning,
            tokens: try TokenMap(chainID: network.chainID),
            checkup: checkup.map { DoctorState(network: network.name, account: nil, rows: $0) }
        )
    }

    private func network(_ name: String) throws -> Network {
        try #require(try NetworkCatalog.bundled().first { $0.name == name })
    }

    @Test("what is missing comes with the command that adds it")
    func missing() throws {
        let fantom = try state(try network("fantom"), hasAccount: false)
        #expect(
            fantom.missing.map(\.command) == [
                "dex config set networks.fantom.rpc URL",
                "dex config set networks.fantom.relay URL", "dex init",
            ]
        )
        #expect(fantom.next == "dex doctor")
        // Pools trade without a relay, and so does the swap API.
        let celo = try state(try network("celo"))
        #expect(celo.missing.map(\.what) == ["a node"])
        let scroll = try state(try network("scroll"))
        #expect(scroll.missing.map(\.what) == ["a node"])
        let base = try state(try network("base"))
        #expect(base.missing.map(\.what) == ["a node"])
        let sandbox = try state(try network("sandbox"), hasAccount: false)
        #expect(sandbox.missing.map(\.command) == ["dex sandbox up --detach"])
        #expect(sandbox.next == "dex sandbox up --detach")
    }

    @Test("the next command is one that works on that network")
    func next() throws {
        var mainnet = try network("mainnet")
        mainnet.rpc = ["https://node.example"]
        #expect(
            try state(mainnet).next == "dex price ETH/USDC --side sell --amount 0.01"
        )
        mainnet.relay = "https://relay.example"
        #expect(try state(mainnet).next == "dex orderbook ZRX/WETH")
        var celo = try network("celo")
        celo.rpc = mainnet.rpc
        celo.relay = mainnet.relay
        #expect(try state(celo).missing.isEmpty)
        #expect(try state(celo).next == "dex pairs")
        let failed = DoctorState.Row.fail(.ether, "It has none.", "Send some.", .unreachable)
        #expect(try state(mainnet, checkup: [failed]).next == "dex doctor")
        let sandbox = try state(
            try network("sandbox"),
            hasAccount: false,
            isSandboxRunning: true
        )
        #expect(sandbox.missing.isEmpty && sandbox.next == "dex orderbook ZRX/WETH")
    }
}
