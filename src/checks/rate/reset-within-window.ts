import { planName } from '../../contract/plans.js'
import { formatDuration } from '../../kit/words.js'
import { endedWindows, slidingEnd } from '../../oracle/ended-windows.js'
import { mayGiveBackAtOnce } from '../../oracle/gives-back-at-once.js'
import { judgedKeys } from '../../oracle/judged-keys.js'
import { viewOf } from '../../readings/quota-views.js'
import { defineCheck } from '../framework/check.js'
import { fail } from '../framework/finding.js'
import { bringing } from '../framework/needs.js'

/** An admission this soon after a Reset, as a share of the window, shows that the Reset was not too late by more. */
const soonAfter = 0.5

export const resetWithinWindow = defineCheck({
  id: 'rate.reset-within-window',
  promise: 'If a window returns its whole quota at once, it does not end long before the Reset in its answers.',
  clauses: ['RATE-5'],
  readsReset: true,
  advice: 'Check how Reset is computed: it must name the end of the window that refuses.',
  alone: [...bringing(429), ['isolation']],
  needs: { cases: 'windows that ended soon after the Reset of their refusals' },
  yields: true,
  judges: (_, quota) => mayGiveBackAtOnce(quota),
  judge(evidence, telling) {
    const { namesWaits, blockedForMs } = viewOf(evidence)
    for (const key of judgedKeys(evidence)) {
      const { record, plan, clock, window } = key
      for (const { refusal, answer, next, byMs } of endedWindows(key, namesWaits)) {
        if (byMs > 0) {
          const facts = { plan, reset: record.reset[answer], byMs: Math.round(byMs) }
          return fail('reset-after-window-ended', facts, record.witness(answer), record.witness(next))
        }
        const sinceMs = record.receivedMs[next] - (record.reset[refusal] * 1000 - clock.from)
        if (sinceMs <= soonAfter * window.windowMs) telling.add(record.witness(next))
      }
      const sliding = blockedForMs > 0 ? undefined : slidingEnd(key, namesWaits)
      if (sliding) {
        const [from, to] = [record.reset[sliding.first], record.reset[sliding.last]]
        return fail('reset-slides', { plan, from, to }, record.witness(sliding.first), record.witness(sliding.last))
      }
    }
    return telling.conclude()
  },
  sentences: {
    'reset-slides': (f) =>
      `on the ${planName(f.plan)} key Reset advanced as fast as time passed, from ${f.from} to ${f.to}, but a window has one end`,
    'reset-after-window-ended': (f) =>
      `on the ${planName(f.plan)} key the window ended ${formatDuration(f.byMs)} before the Reset (${f.reset}) that one of its answers had named, even allowing for rounding and clocks`,
  },
})
