import Dispatch
import Glibc

/// SIGHUP: the operator wants the settings to be read again.
///
/// The signal no longer ends the process, also after this object is gone.
package final class HangupSignals {
    /// An element for each signal; several at once may be one.
    package let stream: AsyncStream<Void>
    private let source: any DispatchSourceSignal

    package init() {
        signal(SIGHUP, SIG_IGN)
        let (stream, sender) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        self.stream = stream
        source = DispatchSource.makeSignalSource(
            signal: SIGHUP,
            queue: DispatchQueue(label: "dex.relay.hangup")
        )
        source.setEventHandler { sender.yield() }
        source.resume()
    }

    /// No more elements come.
    package func end() {
        source.cancel()
    }
}
