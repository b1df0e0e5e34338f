import DexSandbox
import Ethereum
import Logging

extension SandboxCopy {
    /// Follows the chain and copies orders until something does not verify.
    ///
    /// - Parameters:
    ///   - wakes: when to ask again.
    ///   - onReturn: the other machine answers, for the first time or again.
    func follow(
        _ follower: ChainFollower,
        _ orders: OrderCopy,
        _ relayPort: LeaderRoutes.RelayPort,
        _ wakes: AsyncStream<Void>,
        onReturn: @Sendable () -> Void
    ) async throws {
        var isAway = true
        var wakes = wakes.makeAsyncIterator()
        while !Task.isCancelled {
            do {
                if relayPort.value == nil {
                    let origin = try await CopyOrigin.fetch(from: leader)
                    if let port = origin.relayPort { relayPort.set(port) }
                }
                guard try await !follower.step(copyOrders: { try await orders.update($0) }) else {
                    continue
                }
                // All its blocks are here, so that what they hold does not wait any more.
                if isAway { onReturn() }
                isAway = false
            } catch let silence as LeaderSilence {
                follower.state.change { $0.condition = .cutOff(reason: silence.reason) }
                isAway = true
                // The relay may have another port when it is back.
                relayPort.forget()
            } catch let refusal as CopyRefusal {
                logger.error("The copy stops: \(refusal)")
                // It goes on running, to say why it serves nothing.
                return try await Self.untilCancelled()
            }
            // The interval has passed, or there may be something to fetch.
            _ = await wakes.next()
        }
        throw CancellationError()
    }

    /// Passes on what waits here; if the other machine goes away again, the next time does it.
    static func forwardWaiting(_ forwarder: TransactionForwarder) async throws {
        do {
            try await forwarder.forwardWaiting()
        } catch is LeaderSilence {
            // The task that follows the chain sees that, too, and shows it.
        }
    }

    private static func untilCancelled() async throws {
        while true { try await ContinuousClock().sleep(for: .seconds(3_600)) }
    }

    /// A name of this copy for the other machine, which follows from its folder.
    static func name(of folder: SandboxFolder) -> String {
        let digest = Keccak256.hash("dex sandbox copy \(folder.path)".utf8)
        return String(Hex.encode(digest.bytes.prefix(8)).dropFirst(2))
    }
}
