import DexCore
import PrivateFiles

/// The folder of the signature cache, which may be removed at any time.
struct SignatureCacheFiles: SignatureCacheStorage {
    let folder: String

    func read(_ part: SignatureCachePart) -> [UInt8]? {
        PrivateFiles.ownContent(of: path(part), limit: part.maximumBytes)
    }

    func write(_ content: [UInt8], to part: SignatureCachePart) -> Bool {
        do throws(PrivateFiles.Failure) {
            try PrivateFiles.makeFolder(folder)
            try PrivateFiles.replaceUnsynced(path(part), with: content)
            return true
        } catch {
            // A home that cannot be written to: every command verifies anew.
            return false
        }
    }

    private func path(_ part: SignatureCachePart) -> String {
        switch part {
        case .key: "\(folder)/signatures.key"
        case .signatures: "\(folder)/signatures"
        }
    }
}
