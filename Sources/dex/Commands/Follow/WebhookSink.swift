import DexCore
import DexNetwork
import DexStore
import DexTerminal
import StrictJSON

/// A user's web service.
struct WebhookSink: WatchSink {
    let name = "webhook"
    let webhook: Webhook
    /// What it is told of an event.
    var form = WatchForm()

    func deliver(_ notice: WatchNotice) async -> WatchDelivery {
        let outcome = await webhook.post(
            WatchJSON.body(notice, form),
            type: form.template == nil ? "application/json" : "text/plain; charset=utf-8",
            id: notice.message.id,
            now: Console.now()
        )
        switch outcome {
        case .accepted: return .delivered
        case .later(let reason, let seconds): return .later(reason, after: seconds)
        case .refused(let reason): return .refused(reason)
        }
    }
}
