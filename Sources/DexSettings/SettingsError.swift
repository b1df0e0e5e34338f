package import DexCore
package import ZeroEx

/// An unusable setting or settings file.
package enum SettingsError: ErrorArea {
    case malformedValue(what: String)
    case unknownNetwork(name: String, known: String)
    case incompleteNetwork(name: String, path: String, missing: String)
    case otherSigning(
        network: String,
        path: String,
        signing: OrderSigning,
        version: ProtocolVersion,
        known: String
    )
    case malformedFile(path: String, line: Int?, what: String, hint: String?)
    case badValue(name: String, kind: SettingKind, value: SettingValue)
    case layout(path: String, settings: String)
    case unknownKey(keys: [String], known: [String])
    case badSigner(name: String, path: String, what: String, setting: String?)

    package var report: ErrorReport {
        switch self {
        case .malformedValue(let what):
            ErrorReport(.usage, "bad-setting", what)
        case .unknownNetwork(let name, let known):
            ErrorReport(
                .configuration,
                "unknown-network",
                "There is no network \"\(name)\"; there are \(known).",
                hint: "Add it: dex network add \(SettingKind.isName(name) ? name : "NAME") "
                    + "--chain-id N --exchange ADDRESS --rpc URL --relay URL"
            )
        case .incompleteNetwork(let name, let path, let missing):
            ErrorReport(
                .configuration,
                "incomplete-network",
                "The network \(name) in \(path) has no \(missing).",
                hint: "Set it: dex config set networks.\(name).\(missing) VALUE"
            )
        case .otherSigning(let network, let path, let signing, let version, let known):
            ErrorReport(
                .configuration,
                "bad-order-signature",
                "The network \(network) in \(path) has the signature "
                    + "\(signing.rawValue), which 0x \(version.rawValue) does not take; it "
                    + "takes \(known).",
                hint: "Set it: dex config set networks.\(network).signature \(known)"
            )
        case .malformedFile(let path, let line, let what, let hint):
            ErrorReport(
                .configuration,
                "bad-config",
                "\(path)\(line.map { ":\($0)" } ?? ""): \(what).",
                hint: hint
            )
        case .badValue(let name, let kind, let value):
            ErrorReport(
                .usage,
                "bad-setting",
                "\(name) takes \(kind.expectation)\(kind.refusal(of: value))."
            )
        case .layout(let path, let settings):
            ErrorReport(
                .configuration,
                "config-layout",
                "\(path) is laid out in a way that dex cannot change without losing "
                    + "something.",
                hint: "Set \(settings)"
                    + " by hand in an editor."
            )
        case .unknownKey(let keys, let known):
            ErrorReport(
                .usage,
                "unknown-setting",
                "There is no setting \(PlainText.clean(keys.joined(separator: "."), limit: 100)).",
                hint: "The settings are \(known.joined(separator: ", "))."
            )
        case .badSigner(let name, let path, let what, let setting):
            ErrorReport(
                .configuration,
                "bad-signer",
                "The signer \(name) in \(path) \(what).",
                hint: setting.map { "Set it: dex config set \($0)" }
                    ?? "Correct [signers.\(name)] in an editor."
            )
        }
    }
}
