import { firstFew, formatDuration, present } from '../../kit/words.js'
import { severalCame } from '../waits/early-arrivals.js'
import { longestJudgedSeconds, pausesIn } from '../waits/story.js'
import type { ClientGradeReason, ClientPlayRow, ClientReport } from './model.js'

/** What keeps a client from a better grade, gravest first, each advice once; without cases that `--case` left out. */
export const foldedReasons = ({ grade }: Pick<ClientReport, 'grade'>) => {
  const folded: { reasons: [ClientGradeReason, ...ClientGradeReason[]]; advice: string | null }[] = []
  for (const each of grade.reasons) {
    if (each.leftOut) continue
    const same = folded.find(({ advice }) => advice !== null && advice === each.advice)
    if (same) same.reasons.push(each)
    else folded.push({ reasons: [each], advice: each.advice })
  }
  return folded
}

/** The best grade that a reason leaves; `none` for a client without anything to grade. */
export const atBestOf = ({ letter }: ClientReport['grade'], { atBest }: ClientGradeReason): string =>
  letter === 'none' ? 'none' : atBest

/** What to do next: about points that the machine left open, and how to leave a D or an F quickly. */
export const nextInWords = ({ retry, grade }: ClientReport) => {
  const next: { readonly text: string; readonly command?: string }[] = []
  if (retry) {
    const took = formatDuration(retry.tookMs)
    const text = `To settle the open points, repeat it on a quiet machine, in about ${took}:`
    next.push({ text, command: retry.command })
  }
  if (grade.letter !== 'none' && (grade.best === 'D' || grade.best === 'F'))
    next.push({
      text: 'Or, in Node.js, send everything through retrying(fetch) of quotaspec/retrying: docs/clients.md, "Mending a client".',
    })
  return next
}

const pauses: Readonly<Record<ClientReport['schedule']['pauses'], string>> = {
  key: 'a refusal holds the whole key back',
  request: 'a refusal holds back the request, not the key',
  'one-at-a-time': 'it sends one request at a time, so nothing else was there to hold back',
  'not-shown': 'whether a refusal holds the whole key back was not seen',
}

/** The client's own schedule in a sentence, as far as it showed. */
export const scheduleInWords = (schedule: ClientReport['schedule']): string => {
  const { attempts, waitsMs, baseMs, factor, capMs, jitter, jittered, plays } = schedule
  const held = pauses[schedule.pauses]
  if (plays === 0 && schedule.pauses === 'not-shown') return 'No wait of its own was seen.'
  if (plays === 0 || baseMs === null) return `No wait of its own was seen; ${held}.`
  const spread = jittered && jitter !== null ? `jitter up to ${Math.round(jitter * 100)} %` : 'no jitter'
  const parts = present(
    `${attempts} attempts`,
    `waits ${firstFew(waitsMs.map((wait) => formatDuration(wait)))} (medians of ${plays} plays)`,
    factor === null ? 'too few waits for a factor' : `about ${factor.toFixed(1)} times longer each`,
    capMs !== null && `then they stay at about ${formatDuration(capMs)}`,
    jittered === null || jitter === null ? 'jitter was not shown' : spread,
    held,
  )
  return `${parts.join('; ')}.`
}

const mostWaits = 6

const waitsOf = ({ arrivals }: ClientPlayRow): number[] => pausesIn(arrivals).map((wait) => Math.max(0, wait))

const listed = (waits: readonly number[]): string =>
  `${waits
    .slice(0, mostWaits)
    .map((wait) => formatDuration(wait))
    .join(', ')}${waits.length > mostWaits ? ', …' : ''}`

/** For several workers, the gaps between requests say nothing, but the longest pause does. */
const pauseOf = (play: ClientPlayRow): string => {
  const waits = waitsOf(play)
  return play.refused === 0 || waits.length === 0 ? '' : `longest pause ${formatDuration(Math.max(...waits))}`
}

const cameBackOnHuge = ({ arrivals }: ClientPlayRow): boolean => {
  const isHuge = (wait: string | null) => /^\d+$/.test(wait ?? '') && Number(wait) > longestJudgedSeconds
  const first = arrivals.findIndex(({ retryAfter }) => isHuge(retryAfter))
  return first >= 0 && first < arrivals.length - 1
}

/** The result of a case's plays: not as asked, or how many requests came early and how long the client waited. */
export const waitsInWords = (plays: readonly [ClientPlayRow, ...ClientPlayRow[]]): string => {
  const [first] = plays
  if (first.notAsAsked !== null) return first.notAsAsked
  const early = plays.flatMap(({ arrivals }) => arrivals).filter((each) => each.early).length
  const only503 = plays.every(({ arrivals }) => arrivals.length > 0 && arrivals.every(({ status }) => status === 503))
  if (only503 && plays.every(({ sent }) => sent === 1)) return 'does not try again (costs nothing)'
  const told = severalCame(first) ? pauseOf(first) : listed(waitsOf(first))
  if (early > 0) return [`${early} too early`, told].filter(Boolean).join(': ')
  return plays.some(cameBackOnHuge) ? `over a day, not CLIENT-1: ${told}` : told
}
