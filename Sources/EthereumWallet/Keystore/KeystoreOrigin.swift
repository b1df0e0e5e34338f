import Ethereum
import StrictJSON

/// The recovery phrase of a keystore's key: our own members `phrase`, `path` and `passphrase`.
struct KeystoreOrigin: Hashable, Sendable {
    /// The phrase's entropy.
    let entropy: SealedSecret
    let path: DerivationPath
    /// The phrase needs a passphrase, which is never stored.
    let hasPassphrase: Bool
}

extension KeystoreOrigin {
    /// Reads the members; nil if there is no phrase.
    init?(_ section: KeystoreSection) throws(KeystoreError) {
        guard try section.optional("phrase") != nil else { return nil }
        entropy = try SealedSecret(section.section("phrase"), sizes: 16...32)
        let text = try section.text("path")
        do {
            path = try DerivationPath(text)
        } catch {
            throw .damaged("its path is \(ForeignWords.quoted(text, limit: 80))")
        }
        hasPassphrase = try section.optional("passphrase")?.boolValue ?? false
    }

    var members: JSONObject {
        var members = JSONObject()
        members["phrase"] = entropy.json
        members["path"] = .string(path.description)
        members["passphrase"] = .bool(hasPassphrase)
        return members
    }
}
