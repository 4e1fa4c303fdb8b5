import type { Evidence } from '../../evidence/evidence.js'
import { wallStartMs } from '../../evidence/testing/made-evidence.js'
import { viewOf } from '../../readings/quota-views.js'
import { verdictTable } from '../testing/verdict-table.js'
import { resetWithinWindow } from './reset-within-window.js'
import { fixed, log, playedOn, windowMs } from './testing/played-limiter.js'

const startSeconds = wallStartMs / 1000

const sliding = (at: number) => at + windowMs

/** The same run by a contract whose Resets are counted from the answer. */
const counted = (evidence: Evidence): Evidence => ({ ...evidence, view: { ...viewOf(evidence), namesWaits: true } })

verdictTable(resetWithinWindow, [
  ['Reset is the end of the window', playedOn(fixed()), { verdict: 'pass', code: 'told' }],
  [
    'Reset is always a window from now',
    playedOn(fixed(), { resetOf: sliding }),
    {
      verdict: 'fail',
      code: 'reset-after-window-ended',
      facts: { plan: 'free', reset: startSeconds + 152 },
      witnesses: ['x3', 'x4'],
    },
  ],
  [
    'Reset is a window from now where something is left, and the end of the window in refusals',
    playedOn(fixed(), { resetOf: (at, { admitted, freeAt }) => (admitted ? sliding(at) : freeAt) }),
    { verdict: 'fail', code: 'reset-after-window-ended' },
  ],
  [
    'it is that, and a log may mean that by then everything is back',
    playedOn(log(), { resetOf: sliding }),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  [
    'nothing tells the clock of the target, and no end that moves on with time needs it',
    playedOn(fixed(), { resetOf: sliding, told: false }),
    { verdict: 'fail', code: 'reset-slides' },
  ],
  [
    'nothing tells the clock, and the ends that refusals name move on',
    playedOn(fixed(), { resetOf: sliding, told: false, later: [1_000, 2_000, 3_000, 4_000, 126_000] }),
    { verdict: 'fail', code: 'reset-slides', facts: { plan: 'free' } },
  ],
  ...(['end of the window', 'end of the window, by nodes whose clocks are a second apart'] as const).map(
    (title, apart) =>
      [
        `nothing tells the clock, and refusals name the ${title}`,
        playedOn(fixed(), {
          resetOf: (at, { freeAt }) => freeAt + (at % 2_000 < 1_000 ? 0 : apart * 1_000),
          told: false,
          later: [1_000, 2_000, 3_000, 4_000, 126_000],
        }),
        { verdict: 'inconclusive', code: 'not-told' },
      ] as const,
  ),
  [
    'nothing tells the clock, and a log names a window from now',
    playedOn(log(), { resetOf: sliding, told: false, later: [1_000, 2_000, 3_000, 4_000, 126_000] }),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  [
    'nothing tells the clock, and a Reset that names half of what is left moves on at half the speed',
    playedOn(fixed(), {
      resetOf: (at, { freeAt }) => at + (freeAt - at) / 2,
      told: false,
      later: [12_000, 24_000, 36_000, 48_000, 126_000],
    }),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  [
    'no clock is needed where it is counted from the answer',
    counted(playedOn(fixed(), { resetOf: sliding, told: false })),
    { verdict: 'fail' },
  ],
  [
    'and told to be right by such a count',
    counted(playedOn(fixed(), { told: false })),
    { verdict: 'pass', code: 'told' },
  ],
  [
    'the limits of minute and day are the same',
    playedOn(fixed(), { resetOf: sliding, key: { quota: { limit: 60, longer: 60 } } }),
    { verdict: 'inconclusive', code: 'not-told' },
  ],
  [
    'rounding and clocks explain it',
    playedOn(fixed(), { resetOf: (_, { freeAt }) => freeAt + 1_800 }),
    { verdict: 'pass' },
  ],
  ['they do no longer', playedOn(fixed(), { resetOf: (_, { freeAt }) => freeAt + 4_500 }), { verdict: 'fail' }],
])
