import Foundation

/// What happens in a folder from now on, as inotify(7) tells it.
final class FolderEvents: Sendable {
    private let folder: String
    private let queue: Int32

    /// Why a folder cannot be watched.
    struct Failure: Error {
        let code: Int32
    }

    init(_ folder: String) throws(Failure) {
        self.folder = folder
        queue = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard queue >= 0, inotify_add_watch(queue, folder, UInt32(IN_DELETE)) >= 0 else {
            throw Failure(code: errno)
        }
    }

    deinit {
        close(queue)
    }

    /// Waits until a file of the folder is gone; false where it is still there after so many looks
    /// that it will never be.
    func waitForRemoval(of path: String, looks: Int = 1_000) async -> Bool {
        await withCheckedContinuation { done in
            Thread.detachNewThread { [self] in
                for _ in 0..<looks where access(path, F_OK) == 0 {
                    var waiting = pollfd(fd: queue, events: Int16(POLLIN), revents: 0)
                    poll(&waiting, 1, 1_000)
                    var events = [UInt8](repeating: 0, count: 4_096)
                    while read(queue, &events, events.count) > 0 {}
                }
                done.resume(returning: access(path, F_OK) != 0)
            }
        }
    }
}
