import DexCore
import DexNetwork
import DexStore
import DexTerminal
import StrictJSON

/// A user's web service.
struct WebhookSink: WatchSink {
    let name = "webhook"
    let webhook: Webhook

    func deliver(_ notice: WatchNotice) async -> WatchDelivery {
        let body = WatchJSON.line(notice).utf8
        switch await webhook.post(body, id: notice.message.id, now: Console.now()) {
        case .accepted: return .delivered
        case .later(let reason, let seconds): return .later(reason, after: seconds)
        case .refused(let reason): return .refused(reason)
        }
    }
}
