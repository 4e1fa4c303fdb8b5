import { describe, expect, it } from 'vitest'
import { seenBlocks } from './blocks.js'
import { type Decision, outcomes } from './history.js'

/** When it was sent and answered, in seconds, and what became of it. */
type Asked = readonly [sent: number, received: number, outcome: Decision]

/** Blocks of 10 s, of a quota in which a request weighs for 4 s at most. */
const seen = (...asked: readonly Asked[]) => seenWhere(4_000, asked)

const seenWhere = (weighsMs: number, asked: readonly Asked[], leastMs = 10_000) =>
  seenBlocks(
    {
      size: asked.length,
      sentMs: Float64Array.from(asked, ([sent]) => sent * 1_000),
      receivedMs: Float64Array.from(asked, ([, received]) => received * 1_000),
      outcome: Uint8Array.from(asked, ([, , outcome]) => outcomes[outcome]),
      priorUntilMs: asked[0][0] * 1_000,
    },
    { lastsMs: 10_000, leastMs, weighsMs },
  )

const served = (at: number, took = 0.1): Asked => [at, at + took, 'admitted']
const refused = (at: number, took = 0.1): Asked => [at, at + took, 'refused']

const tooEarly = (next: number, refusal = 1) => ({ kind: 'ended-early', refusal, next })
const tooLong = (next: number, refusal = 1) => ({ kind: 'lasted-longer', refusal, next })

describe('a block', () => {
  it.each<[string, Asked[], ReturnType<typeof tooEarly> | undefined]>([
    [
      'holds where nobody is served within it, and everybody after it',
      [served(0), refused(1), served(11.2)],
      undefined,
    ],
    ['has ended early where somebody was', [served(0), refused(1), served(10.8)], tooEarly(2)],
    ['may have begun with the first of several refusals', [served(0), refused(1), refused(3), served(11.2)], undefined],
    ['may have begun when the refusal was sent', [served(0), refused(1, 2), served(10.95)], undefined],
    [
      'may not have begun yet where a request was under way with its refusal',
      [served(0), refused(1, 2), served(2)],
      undefined,
    ],
    ['may have begun before the run', [refused(1), served(5)], undefined],
    [
      'is another one once somebody was served',
      [served(0), refused(1), served(12), refused(13), served(20)],
      tooEarly(4, 3),
    ],
    [
      'may have begun with a refusal that was under way as somebody was served',
      [served(0), refused(1), served(12, 2), refused(13), refused(15), served(23.2)],
      undefined,
    ],
    [
      'may have begun with a request whose answer is lost',
      [served(0), [1, Number.POSITIVE_INFINITY, 'unknown'], refused(6), served(12)],
      undefined,
    ],
    [
      'has not begun before an answer that was served, whatever is lost',
      [served(0), [1, Number.POSITIVE_INFINITY, 'unknown'], served(5), refused(6), served(12)],
      tooEarly(4, 3),
    ],
    [
      'is not the one that refuses what was overtaken by all that the quota has',
      [served(0), refused(1), refused(12, 1), served(12.1)],
      undefined,
    ],
    ['has lasted longer where somebody is refused after it', [served(0), refused(1), refused(11.2)], tooLong(2)],
    ['has not, where its end may be later', [served(0), refused(1, 0.5), refused(11.4)], undefined],
    [
      'may have lasted no longer, where the quota may have been spent since',
      [served(0), refused(1), served(11.2), refused(12), refused(23)],
      tooLong(4, 3),
    ],
    ['says nothing of a quota that others had spent', [refused(0), refused(3.9)], undefined],
    ['may be followed by a refusal of the quota', [served(0), refused(1), [9, 9.1, 'excused'], refused(12)], undefined],
  ])('%s', (_, asked, breach) => {
    expect(seen(...asked).breach).toEqual(breach)
  })

  it('was kept where its second half refused, and the quota did not; it ended where somebody was served soon after', () => {
    const { kept, ended } = seen(served(0), refused(1), refused(3), refused(7), served(12), refused(13), served(29))
    expect([kept, ended]).toEqual([[3], [4]])
  })

  it('that need not always last as long ends when it may, and not before', () => {
    const seenOfNine = (...asked: readonly Asked[]) => seenWhere(4_000, asked, 9_000)
    expect(seenOfNine(served(0), refused(1), served(10.2)).breach).toBeUndefined()
    expect(seenOfNine(served(0), refused(1), served(9.8)).breach).toEqual(tooEarly(2))
    expect(seenOfNine(served(0), refused(1), refused(10.9)).breach).toBeUndefined()
    expect(seenOfNine(served(0), refused(1), refused(11.2)).breach).toEqual(tooLong(2))
  })

  it.each([
    ['no longer than the quota itself refuses', 10_000, [3]],
    ['longer than that, and the quota had room', 9_000, [4]],
  ])('that is %s was kept where its second half refused', (_, weighsMs, shown) => {
    const { kept } = seenWhere(weighsMs, [served(0), refused(1), refused(3), refused(7), refused(11.05), served(20)])
    expect(kept).toEqual(shown)
  })
})
