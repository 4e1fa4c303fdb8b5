import { expect, it } from 'vitest'
import { watchedWaits } from '../waits/seconds-and-dates.js'
import { storiesOf } from '../waits/story.js'
import { type Policy, type SimulatedCase, simulatedAudit } from '../waits/testing/simulated-audit.js'
import { watchedBriefly, watchedInFull } from './in-words.js'

const minute: SimulatedCase = { id: 'minute', retryAfter: '61', watchMs: 66_000 }
const day: SimulatedCase = { id: 'day', retryAfter: '86400', watchMs: 45_000 }

const cutOffAt =
  (mostMs: number, givesUpFromMs = Number.POSITIVE_INFINITY): Policy =>
  ({ attempt, retryAfter }) => {
    const ms = Number(retryAfter) * 1000
    return attempt > 0 || ms >= givesUpFromMs ? undefined : Math.min(ms, mostMs) + 5
  }

it.each<[string, readonly SimulatedCase[], Policy, string | null]>([
  [
    'a cap beyond the watch is not seen, and that is said',
    [minute, day],
    cutOffAt(70_000),
    'Waits of up to 1 min 1 s were watched to their end; of longer ones 45.0 s were watched, and it was still waiting then: a client that cuts them off later would look the same. --watch 310 looks for a cap of 5 minutes.',
  ],
  [
    'a longer watch is told with its own length, and asks for no other',
    [minute, { ...day, watchMs: 310_000 }],
    cutOffAt(Number.POSITIVE_INFINITY),
    'Waits of up to 1 min 1 s were watched to their end; of longer ones 5 min 10 s were watched, and it was still waiting then: a client that cuts them off later would look the same.',
  ],
  [
    'of a wait that it gave up nothing was watched',
    [minute, day],
    cutOffAt(70_000, 3_600_000),
    'The longest wait that was watched to its end took 1 min 1 s: a client that cuts longer waits off would look the same.',
  ],
  [
    'the same wait once more, cut off and longer by the last bit of a float, is no longer one',
    [minute],
    ({ attempt }) => (attempt < 2 ? 61_000.1 + attempt : undefined),
    'The longest wait that was watched to its end took 1 min 1 s: a client that cuts longer waits off would look the same.',
  ],
  ['where none was watched to its end, nothing is claimed', [day], cutOffAt(70_000), null],
])('%s', (_name, cases, policy, expected) => {
  const audit = simulatedAudit(cases, policy)
  expect(watchedInFull(watchedWaits(audit, storiesOf(audit)))).toBe(expected)
})

it('of a client that was started elsewhere nobody knows whether it still waits', () => {
  const audit = simulatedAudit([minute, day], cutOffAt(70_000))
  const listened = { ...audit, head: { ...audit.head, client: '--listen' } }
  expect(watchedInFull(watchedWaits(listened, storiesOf(listened)))).not.toContain('still waiting')
  expect(watchedBriefly(watchedWaits(audit, storiesOf(audit)))).toBe(
    'waits of up to 1 min 1 s were watched to their end; of longer ones 45.0 s were watched',
  )
})

it('is still waiting only where every play of a longer wait ended at the watch, with its command there', () => {
  const audit = simulatedAudit([minute, day, { ...day, id: 'another-day' }], cutOffAt(Number.POSITIVE_INFINITY))
  const stories = storiesOf(audit)
  expect(watchedInFull(watchedWaits(audit, stories))).toContain('it was still waiting then')
  for (const ended of [{ exitCode: 0 }, { signal: 'SIGKILL' as const }]) {
    const oneLess = stories.map((each) =>
      each.play.case === 'day' ? { ...each, play: { ...each.play, ...ended } } : each,
    )
    expect(watchedInFull(watchedWaits(audit, oneLess))).not.toContain('still waiting')
  }
})
