import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("When the full screen is drawn")
struct FramePacerTests {
    @Test("the first frame, and the echo of a key, are drawn at once")
    func atOnce() {
        var pacer = FramePacer()
        #expect(pacer.delay(at: 0, isUrgent: false) == 0)
        pacer.drew(at: 0)
        #expect(pacer.delay(at: 1, isUrgent: true) == 0)
    }

    @Test("news wait for a tenth of a second")
    func news() {
        var pacer = FramePacer()
        pacer.drew(at: 1_000)
        #expect(pacer.delay(at: 1_030, isUrgent: false) == 70)
        #expect(pacer.delay(at: 1_100, isUrgent: false) == 0)
    }

    @Test("no second has more than 20 frames, whoever wants them")
    func maximumFrames() {
        var pacer = FramePacer()
        var frames: [UInt64] = []
        var now: UInt64 = 0
        while now < 5_000 {
            let delay = pacer.delay(at: now, isUrgent: true)
            if delay == 0 {
                frames.append(now)
                pacer.drew(at: now)
                now += 1
            } else {
                now += delay
            }
        }
        for (index, frame) in frames.enumerated().dropFirst(20) {
            #expect(frame - frames[index - 20] >= 1_000)
        }
        #expect(frames.count >= 80)
    }

    @Test("a clock that is set back does not stop the screen")
    func setBack() {
        var pacer = FramePacer()
        pacer.drew(at: 10_000)
        #expect(pacer.delay(at: 5, isUrgent: false) == 0)
    }
}
