import DexSettings
import Ethereum

/// A value of relay.toml.
package enum RelaySettingValue: Hashable, Sendable {
    case text(String)
    case integer(UInt64)
    case flag(Bool)
    case list([String])

    /// The value as TOML.
    package var literal: String {
        switch self {
        case .text(let text): SettingValue.text(text).literal
        case .integer(let value): String(value)
        case .flag(let value): String(value)
        case .list(let texts): SettingValue.list(texts).literal
        }
    }
}
