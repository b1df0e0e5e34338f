import StrictJSON

extension ZeroExSwapWire {
    /// The statuses of the API's edge: it has no answer from the API itself.
    private static let edgeStatuses = 520...526

    /// A request that got this HTTP status may be repeated.
    public static func isRetryable(status: Int) -> Bool {
        switch status {
        case 408, 425, 429: true
        case edgeStatuses: false
        default: (500...599).contains(status)
        }
    }

    /// Why the API gave no answer, from a status other than 200 and a body that need not be JSON.
    ///
    /// The cause may be the body's name, its data's name or code, or the code of a detail.
    ///
    /// - Parameter url: as it may be shown.
    public static func failure(status: Int, body: [UInt8], url: String) -> LiquidityError {
        switch status {
        case 401: return .badKey(url: url)
        case 429: return .rateLimited(url: url, retryAfter: nil)
        case 451: return .regionBlocked(url: url)
        case 408, 425, edgeStatuses: return .unreachable(url: url, reason: "HTTP \(status)")
        case 400...599: break
        default: return .nonsense("HTTP \(status) is no answer of the API")
        }
        let refusal = Refusal(body)
        if !refusal.names.isDisjoint(with: noLiquidityNames) { return .noLiquidity }
        guard status < 500 else { return .unreachable(url: url, reason: "HTTP \(status)") }
        let fields = refusal.fields
        if refusal.names.contains("INPUT_INVALID"), !fields.isEmpty,
            fields.allSatisfy({ $0.field == "buyAmount" })
        {
            return .exactOutUnsupported
        }
        return .refused(
            status: status,
            name: refusal.name ?? "no name",
            reason: refusal.reason ?? "no reason is given",
            fields: fields
        )
    }

    private static let noLiquidityNames: Set<String> = [
        "NO_LIQUIDITY", "INSUFFICIENT_ASSET_LIQUIDITY",
    ]
}

/// The body of an error, as far as it can be read.
private struct Refusal {
    /// The most telling name.
    var name: String?
    var reason: String?
    var fields: [LiquidityError.FieldReason] = []
    /// Every name and code.
    var names: Set<String> = []

    init(_ body: [UInt8]) {
        guard let json = try? ZeroExSwapWire.json(body) else { return }  // nil: a page of an edge
        let data = json["data"]
        let details = (data?["details"]?.arrayValue ?? []).prefix(SwapMembers.maximumElements)
        let outer = json["name"]?.stringValue.map(SwapMembers.cut)
        let inner = [data?["name"], data?["code"]].compactMap { $0?.stringValue }
        let causes = (inner.map(SwapMembers.cut) + [outer]).compactMap(\.self)
        let codes = details.compactMap { $0["code"]?.stringValue }.map(SwapMembers.cut)
        names = Set(causes + codes)
        name = causes.first ?? codes.first
        reason = (json["message"] ?? data?["message"])?.stringValue.map(SwapMembers.cut)
        fields = details.compactMap { detail in
            guard let field = detail["field"]?.stringValue else { return nil }
            return LiquidityError.FieldReason(
                field: SwapMembers.cut(field),
                reason: SwapMembers.cut(detail["reason"]?.stringValue ?? "")
            )
        }
    }
}
