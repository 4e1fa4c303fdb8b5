import type { Fact } from '../verdict/verdict.js'
import type { CheckRow, Report, WitnessRow } from './model.js'
import { brokenPlansOf } from './quotas.js'
import { plansOf } from './summary.js'

const isShort = (each: Fact): each is { readonly plan: string } =>
  typeof each === 'object' && each !== null && 'plan' in each && 'tooShort' in each && each.tooShort !== 0

/** The plans on which a finding counted waits that were too short. */
const plansOfWaits = ({ facts: { waits } }: CheckRow): string[] =>
  Array.isArray(waits) ? waits.filter(isShort).map(({ plan }) => plan) : []

/** The plan whose key has this name: one of that name, or `free` of `free-2`. Of `pro` and `pro-plus`, `pro-plus-2` is of the longer. */
export const planOfKey = (plans: readonly string[], key: string): string | undefined =>
  plans
    .filter((plan) => key === plan || key.startsWith(`${plan}-`))
    .reduce<string | undefined>((best, plan) => (plan.length > (best?.length ?? 0) ? plan : best), undefined)

/** The plans that a finding was seen on: those that it names, else those of the keys of its exchanges. */
export const plansOfFinding = (
  report: Pick<Report, 'quotas' | 'timelines' | 'load'>,
  check: CheckRow,
  byId: ReadonlyMap<string, WitnessRow>,
): string[] => {
  const waits = plansOfWaits(check)
  const named = waits.length > 0 ? waits : brokenPlansOf(check).map(({ plan }) => plan)
  if (named.length > 0) return [...new Set(named)]
  const plans = plansOf(report)
  const seen = new Set(check.witnesses.map((id) => planOfKey(plans, byId.get(id)?.key ?? '')))
  return plans.filter((plan) => seen.has(plan))
}

/** A proof that takes more than one exchange: what it is called, and what is said of its last one. */
export interface Story {
  readonly title: string
  readonly end?: string
  /** It begins with a refusal, and so many exchanges tell it; the others show more of the same. Absent: all of them tell it. */
  readonly steps?: number
}

/** The findings whose exchanges prove something only together, by their code. */
export const stories: Readonly<Record<string, Story>> = {
  'refused-after-waiting': {
    title: 'The proof: refused, waited as told, refused again',
    end: 'again; no request in between',
  },
  'refused-after-reset': {
    title: 'The proof: refused, waited until Reset, refused again',
    end: 'again; no request in between',
  },
  'refused-with-room': { title: 'The proof: a Reset is named, and after it a request is refused' },
  'reset-after-window-ended': { title: 'The proof: refused, and admitted before the moment that Reset names' },
  'admitted-long-before': { title: 'The proof: refused, and admitted long before the wait was over' },
  'block-ended-early': { title: 'The proof: refused, and admitted before the block was over' },
  'block-lasted': { title: 'The proof: refused, and refused still when the block was to be over' },
  'refused-but-changed': { title: 'The proof: read, refused, and read again' },
  'walk-refused-but-changed': { title: 'The proof: a refused change, and what is read afterwards' },
  'walk-disagrees': { title: 'The proof: what was changed, and what is read afterwards' },
  'change-not-shown': { title: 'The proof: changed, and read again' },
  'other-entries-changed': { title: 'The proof: read, changed, and read again' },
  'neighbour-changed': { title: 'The proof: read, changed, and read again' },
  'remaining-repeated': { title: 'The proof: two requests, and the second one shows no less Remaining' },
  'window-opener-not-counted': { title: 'The proof: a window begins, and its first request takes nothing' },
  'refused-with-some-left': {
    title: 'The proof: the whole limit is said to remain, and a request is refused before it is spent',
  },
  'accepted-but-not-kept': { title: 'The proof: changed, and read again' },
  'large-id-not-found': { title: 'The proof: read, and asked for' },
  'spelling-opens-quota': { title: 'The proof: the key is refused, and then served all the same', steps: 2 },
  'remaining-does-not-fall': { title: 'The proof: Remaining at the beginning, and at the end' },
  'remaining-falls-too-fast': { title: 'The proof: Remaining at the beginning, and at the end' },
}

/** More exchanges than this are no story that is read in one go. */
const mostSteps = 5

/** The story that a finding's exchanges tell; `undefined` where each of them proves it alone. */
export const storyOf = ({ code, verdict, witnesses }: CheckRow): Story | undefined => {
  if (verdict !== 'fail' || witnesses.length < 2 || !Object.hasOwn(stories, code)) return undefined
  const story = stories[code]
  return story?.steps !== undefined || witnesses.length <= mostSteps ? story : undefined
}

/**
 * The ids of a finding's exchanges, that which shows the breach first: of a proof that is too long to be told as a story
 * it is the last one, which what came before only led up to.
 */
export const breachFirst = (check: CheckRow): readonly string[] => {
  const { code, verdict, witnesses, witnessesLeftOut } = check
  const isLong = verdict === 'fail' && Object.hasOwn(stories, code) && witnesses.length > 1 && !storyOf(check)
  return isLong && witnessesLeftOut === 0 ? [...witnesses.slice(-1), ...witnesses.slice(0, -1)] : witnesses
}

/** The exchanges that tell a story; none where it begins with a refusal and they do not. */
export const stepsOf = ({ steps }: Story, exchanges: readonly WitnessRow[]): readonly WitnessRow[] => {
  if (steps === undefined) return exchanges
  return exchanges[0]?.response?.status === 429 ? exchanges.slice(0, steps) : []
}

/** A moment of the run to the thousandth of a second: margins are that small. */
export const exactMoment = (ms: number): string => `${(ms / 1000).toFixed(3)} s`

/** Whether a header says what is left: of any API's whose name ends so. */
export const isRemaining = (name: string): boolean => /remaining(, as read)?$/i.test(name)

/** The value of an answer's header, whichever way its name is written; `undefined` where it has none. */
export const headerOf = (x: WitnessRow, name: string): string | undefined =>
  x.response?.headers.find(([each]) => each.toLowerCase() === name)?.[1]
