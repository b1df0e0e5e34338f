import ZeroEx

/// One page of a list, as the pager needs it.
protocol RelayPage: Sendable {
    /// The identity of an element.
    associatedtype Key: Hashable & Sendable

    /// The number of elements in each list of the page: one list for orders, two for a book.
    var counts: [Int] { get }
    /// The keys of its elements, which reveal a repeated page.
    var keys: [Key] { get }
    /// The number of unreadable elements, which have no key.
    var keyless: Int { get }
    /// Equal for two answers with the same bytes, where entries have no key.
    var digest: Int { get }
    /// The number of elements of each list on all pages; nil if the relay does not report it.
    var totals: [Int?] { get }
    /// The page's links; nil if there is no Link header.
    var links: RelayLinks? { get }
    /// The number of requests that the relay still allows; nil if it does not report it.
    var remainingRequests: Int? { get }
}

/// The pages of a list, and why there may be more.
struct RelayPages<Page: RelayPage>: Sendable {
    let pages: [Page]
    /// nil if they are all.
    let shortfall: RelayShortfall?
}

/// Reads all pages of a list, several at once.
///
/// The first page may give their number; otherwise the next ones are requested speculatively. Some
/// relays have smaller pages than were requested, so without a total and without links only an
/// empty, repeated or missing page is the end.
struct RelayPager: Sendable {
    /// The requested page size; nil if it is the relay's own.
    let perPage: Int?
    /// The maximum number of pages; a longer list is assumed to be endless.
    static let maximumPages = 1000
    /// The maximum number of concurrent speculative requests.
    static let maximumAtOnce = 16
    /// The maximum number of concurrent requests for known pages: a long book is two round trips.
    static let maximumKnownAtOnce = 128
    /// The number of pages without a readable entry after which the list fails.
    static let maximumUnreadablePages = 10

    /// All pages in order, the last one included.
    ///
    /// - Parameter load: gets a page by its number, from 1; nil if there is no such page.
    /// - Throws: `RelayError`: that of the first failed page in order, unless the page before it was
    ///   short and may have been the last.
    func pages<Page: RelayPage>(
        _ load: @escaping @Sendable (Int) async throws(RelayError) -> Page?
    ) async throws(RelayError) -> RelayPages<Page> {
        let outcome = await withTaskGroup(
            of: (number: Int, result: Result<Page?, RelayError>).self,
            returning: Result<RelayPages<Page>, RelayError>.self
        ) { group in
            defer { group.cancelAll() }
            var state = State<Page>(perPage: perPage)
            while true {
                while let number = state.nextToAsk() {
                    group.addTask {
                        do throws(RelayError) {
                            return (number, .success(try await load(number)))
                        } catch {
                            return (number, .failure(error))
                        }
                    }
                }
                guard let (number, result) = await group.next() else {
                    return .failure(
                        .nonsense("the list does not end after \(Self.maximumPages) pages")
                    )
                }
                do throws(RelayError) {
                    if let pages = try state.take(number, result) { return .success(pages) }
                } catch {
                    return .failure(error)
                }
            }
        }
        return try outcome.get()
    }

    /// The progress so far: a pure state machine.
    private struct State<Page: RelayPage> {
        private let perPage: Int?
        private var pages: [Page] = []
        /// Pages that arrived before an earlier one.
        private var waiting: [Int: Result<Page?, RelayError>] = [:]
        private var asked = 0
        private var atOnce = 1
        /// The last page, if the relay reported it.
        private var last: Int?
        private var seen: Set<Page.Key> = []
        /// The most keys that a relay's word on its length gets memory for.
        private static var maximumReserved: Int { 16_384 }
        /// Elements of each list.
        private var received: [Int] = []
        /// Pages with entries but without a new readable one.
        private var unreadablePages = 0

        /// The last page that was taken has nothing that was not on the ones before.
        private var isRepeat = false
        /// The most elements that any page had in a list.
        private var largest = 0

        init(perPage: Int?) {
            self.perPage = perPage
        }

        /// The next page to request now.
        mutating func nextToAsk() -> Int? {
            let next = asked + 1
            guard next <= RelayPager.maximumPages, next <= pages.count + atOnce else { return nil }
            // A page after the last one may exist only if that one says so.
            if let last, next > last, pages.count < last { return nil }
            asked = next
            return next
        }

        /// Takes a page; returns all pages once the last one arrived.
        ///
        /// - Throws: `RelayError` if one is missing.
        mutating func take(
            _ number: Int,
            _ result: Result<Page?, RelayError>
        ) throws(RelayError) -> RelayPages<Page>? {
            waiting[number] = result
            while let next = waiting.removeValue(forKey: pages.count + 1) {
                let page: Page?
                do throws(RelayError) {
                    page = try next.get()
                } catch {
                    guard let end = end(at: error) else { throw error }
                    return end
                }
                // No such page: the one before it was the last.
                guard let page else { return whole() }
                let isLast = try isLast(page)
                if !isRepeat { pages.append(page) }
                if isLast { return whole() }
                adapt(to: page)
            }
            return nil
        }

        /// All pages, and what the last ones say about more.
        private func whole() -> RelayPages<Page> {
            RelayPages(pages: pages, shortfall: shortfall)
        }

        private var shortfall: RelayShortfall? {
            for (list, received) in received.enumerated() {
                let total = pages.last { $0.totals[list] != nil }?.totals[list]
                if let total, received < total {
                    return .fewer(received: received, total: total)
                }
            }
            // Some relays promise a next page for ever, also behind a short one.
            let last = pages.last { $0.counts.contains { $0 > 0 } }
            guard let last, last.links?.hasNext ?? false, last.counts.contains(largest) else {
                return nil
            }
            return received.max().map { .noNextPage(received: $0) }
        }

        /// The pages before a failed one, if the last of them was short and nothing promises more.
        private func end(at error: RelayError) -> RelayPages<Page>? {
            guard let page = pages.last, page.links == nil, page.totals.allSatisfy({ $0 == nil }),
                isShort(page)
            else { return nil }
            return switch error {
            // There is no such page.
            case .refused: whole()
            case .unreachable, .badStatus, .rateLimited, .noneAnswered:
                Task.isCancelled
                    ? nil
                    : RelayPages(
                        pages: pages,
                        shortfall: .unread(page: pages.count + 1, error)
                    )
            case .nonsense: nil
            }
        }

        /// It has less than was asked for.
        private func isShort(_ page: Page) -> Bool {
            page.counts.allSatisfy { count in perPage.map { count < $0 } ?? true }
        }

        /// - Throws: `RelayError.nonsense` if too many pages have no readable entry.
        private mutating func isLast(_ page: Page) throws(RelayError) -> Bool {
            let before = seen.count
            seen.formUnion(page.keys)
            let isEmpty = page.counts.allSatisfy { $0 == 0 }
            // Repeated: the relay has no paging.
            let isRepeated =
                !isEmpty && seen.count == before
                && (page.keyless == 0 || isShort(page) && page.digest == pages.last?.digest)
            for (list, count) in page.counts.enumerated() {
                if list == received.count { received.append(0) }
                if !isRepeated { received[list] += count }
            }
            isRepeat = isRepeated
            if isEmpty || isRepeated { return true }
            largest = max(largest, page.counts.max() ?? 0)
            // Unreadable entries make no progress either.
            if seen.count == before {
                unreadablePages += 1
                guard unreadablePages < RelayPager.maximumUnreadablePages else {
                    throw .nonsense(
                        "\(unreadablePages) of its pages have no entry that can be read"
                    )
                }
            }
            if let links = page.links { return !links.hasNext }
            return page.totals.enumerated().allSatisfy { list, total in
                // A total below what came is none.
                total.map { received[list] == $0 } ?? false
            }
        }

        private mutating func adapt(to page: Page) {
            if let last = page.links?.last, last > pages.count {
                self.last = last
            } else if pages.count == 1 {
                last = zip(page.counts, page.totals).compactMap { count, total in
                    total.flatMap { count > 0 && $0 > count ? ($0 - 1) / count + 1 : nil }
                }.max()
            }
            if let last, last > pages.count {
                let (keys, isHuge) = page.keys.count.multipliedReportingOverflow(by: last)
                seen.reserveCapacity(
                    isHuge ? Self.maximumReserved : min(Self.maximumReserved, keys)
                )
            }
            // A short page is the last one of most relays.
            let full = pages.count == 1 ? perPage ?? .max : largest
            if page.links == nil, page.counts.allSatisfy({ $0 < full }) { atOnce = 0 }
            let isEndKnown = last.map { $0 > pages.count } ?? false
            atOnce =
                isEndKnown
                ? RelayPager.maximumKnownAtOnce : min(RelayPager.maximumAtOnce, max(1, atOnce * 4))
            if let remaining = page.remainingRequests { atOnce = min(atOnce, max(1, remaining)) }
        }
    }
}
