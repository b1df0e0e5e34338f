import DexSandbox
package import Ethereum
import StrictJSON

/// How another machine's sandbox began, as it says.
package struct CopyOrigin: Hashable, Sendable {
    package let settings: SandboxSettings
    package let genesis: BlockHash
    /// The port of its relay; nil while it starts.
    package let relayPort: Int?

    /// The most bytes of its description.
    private static let maximumBytes = 64 << 10

    /// Asks for it.
    ///
    /// - Throws: `LeaderSilence`, also if the answer cannot be read.
    package static func fetch(
        from leader: any LeaderConnection
    ) async throws(LeaderSilence) -> CopyOrigin {
        let answer = try await leader.get(LeaderRoutes.genesisPath)
        guard answer.status == 200 else {
            throw LeaderSilence(
                reason: "it does not describe a sandbox (HTTP \(answer.status))"
            )
        }
        guard answer.body.count <= maximumBytes,
            let json = try? JSONParser.parse(answer.body)  // nil: not JSON
        else { throw LeaderSilence(reason: "it does not describe a sandbox that this dex knows") }
        if let chain = json["fork"]?.numberText {
            throw LeaderSilence(
                reason: "it is a fork of chain \(chain.prefix(20)), and no other machine can "
                    + "follow one"
            )
        }
        guard let settings = json["settings"].flatMap({ SandboxSettings($0) }),
            let genesis = json["genesis"]?.stringValue.flatMap(BlockHash.init(ifHex:))
        else { throw LeaderSilence(reason: "it does not describe a sandbox that this dex knows") }
        let port = json["relayPort"]?.numberText.flatMap { Int($0) }
        return CopyOrigin(
            settings: settings,
            genesis: genesis,
            relayPort: port.flatMap { (1...65_535).contains($0) ? $0 : nil }
        )
    }
}
