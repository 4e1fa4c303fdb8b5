import type { CertificateRow, EnvelopeRow } from '../model.js'

type Replayed = CertificateRow['open'][number]

/** A replayed defect: shown in `caught` of the draws. */
const replayedRow = (defect: string, words: string, caught: number, draws: number): Replayed => ({
  defect,
  words,
  share: caught / draws,
  draws,
  demanded: /^(limit[+-]1|no-limit|window[+-]5%|nodes-2|lost-1-in-10)$/.test(defect),
})

const shown = (defect: string, words: string): Replayed => replayedRow(defect, words, 6, 6)

const windows = ([1, 2, 3, 5, 10] as const).flatMap((share) => [
  replayedRow(`window-${share}%`, `a window that is ${share}% too short`, share < 2 ? 0 : 20, 20),
  replayedRow(`window+${share}%`, `a window that is ${share}% too long`, 6, 6),
])

/** Defects of the limiter that all keys share: replayed on one key until it excludes them. */
const shared = [
  shown('nodes-2', '2 nodes that count alone'),
  shown('nodes-4', '4 nodes that count alone'),
  shown('routes-apart', 'a count for each route'),
  shown('refusals-count', 'refused requests that count'),
]

/** A key's certificate: a window 1 % too short, and one loss in 200 (in 40 on a small key), would not have shown. */
const certificate = (
  plan: string,
  limit: number,
  losses: readonly number[],
  ofAll: readonly Replayed[],
): CertificateRow => ({
  key: plan,
  plan,
  quota: 'minute',
  measured: { limit: [limit, limit], windowMs: [5_960, 6_030] },
  excluded: [
    shown('limit+1', `a limit of ${limit + 1}`),
    shown('limit-1', `a limit of ${limit - 1}`),
    shown('no-limit', 'no limit at all'),
    ...windows.filter(({ share }) => share === 1),
    ...losses.map((each) => shown(`lost-1-in-${each}`, `1 count in ${each} lost`)),
    ...ofAll,
  ],
  open: [
    ...windows.filter(({ share }) => share < 1),
    ...[10, 40, 200]
      .filter((each) => !losses.includes(each))
      .map((each) => replayedRow(`lost-1-in-${each}`, `1 count in ${each} lost`, 13, 20)),
  ],
})

/** Certificates of a Free and a Pro key. */
export const certificateRows: readonly CertificateRow[] = [
  certificate('free', 60, [10, 40], shared),
  certificate('pro', 300, [10, 40, 200], []),
]

/** The envelope of a Free key: 60 within 40 ms, two windows' worth where they meet, 240 in 20 s. */
export const envelopeRows: readonly EnvelopeRow[] = [
  {
    key: 'free',
    plan: 'free',
    quota: 'minute',
    points: Array.from({ length: 44 }, (_, i) => {
      const spanMs = 10 ** (i / 10)
      const admitted = spanMs < 40 ? 0 : spanMs < 1_500 ? 60 : spanMs < 10_000 ? 120 : 240
      return { spanMs, admitted, allowed: 60 * (Math.floor(spanMs / 6_000) + 2) }
    }),
  },
]
