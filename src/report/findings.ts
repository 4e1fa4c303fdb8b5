import { planName } from '../contract/plans.js'
import { capital, formatDuration, listInWords } from '../kit/words.js'
import type { Fact } from '../verdict/verdict.js'
import type { CheckRow, ClauseRow, GateRow, Report, WitnessRow } from './model.js'
import { brokenPlansOf, isRecord, plansOf } from './quotas.js'

/** The areas of clauses, the gravest first: what a quota lets through, then who is let in, then what is stored. */
const areasByGravity = ['QUOTA', 'AUTH', 'INV', 'THROTTLE', 'RATE', 'SCHEMA', 'BASE', 'ERR', 'VER']

interface Weighed {
  readonly level: ClauseRow['level']
  readonly clauses: readonly string[]
}

const rankOfClause = (id: string): number => {
  const [area = '', number = '0'] = id.split('-')
  const rank = areasByGravity.indexOf(area)
  return (rank < 0 ? areasByGravity.length : rank) * 100 + Number(number)
}

const rank = ({ level, clauses }: Weighed): number => {
  const levels = { must: 0, should: 1, observe: 2 } as const
  return levels[level] * 10_000 + Math.min(...clauses.map(rankOfClause), 9_999)
}

/** The rows, the gravest first: `must` before `should`, quotas before all else, and the clauses of an area in their order. */
export const byGravity = <T extends Weighed>(rows: readonly T[]): T[] => rows.toSorted((a, b) => rank(a) - rank(b))

/** What names evidence that is missing, and nothing that was seen. */
const namesLack: ReadonlySet<string> = new Set(['not-told', 'defect-may-hide', 'no-room-in-day', 'probe-incomplete'])

/** The rows in their order, but those that only name missing evidence last. */
export const seenFirst = <T extends Pick<CheckRow, 'code'>>(rows: readonly T[]): T[] =>
  rows.toSorted((a, b) => Number(namesLack.has(a.code)) - Number(namesLack.has(b.code)))

/** Whether a failure at this level fails the run: a `should` only warns, unless the run is strict. */
export const breaksRun = (
  report: { readonly run: Pick<Report['run'], 'strict'> },
  level: ClauseRow['level'],
): boolean => level === 'must' || (level === 'should' && report.run.strict)

const failed = (report: Report): CheckRow[] => report.checks.filter(({ verdict }) => verdict === 'fail')

/** The checks whose failure makes the run fail, the gravest first. */
export const failures = (report: Report): CheckRow[] =>
  byGravity(failed(report).filter(({ waived, level }) => waived === null && breaksRun(report, level)))

export const waivedFailures = (report: Report): CheckRow[] => failed(report).filter(({ waived }) => waived !== null)

export const warnings = (report: Report): CheckRow[] =>
  failed(report).filter(({ waived, level }) => waived === null && !breaksRun(report, level))

/** Whether a check that could not decide leaves a clause open; not if another check has proven the clause. */
export const leavesOpen = ({ clauses }: Report, check: CheckRow): boolean =>
  clauses.some(({ id, verdict }) => verdict !== 'pass' && check.clauses.includes(id))

/** The undecided checks of a level that leaves the run undecided, the gravest first; of a clause, those that saw something. */
export const undecided = (report: Report): CheckRow[] =>
  byGravity(
    seenFirst(report.checks)
      .filter(({ verdict, waived }) => verdict === 'inconclusive' && waived === null)
      .filter((check) => breaksRun(report, check.level) && leavesOpen(report, check)),
  )

export const waivedNote = ({ until, owner, reason }: NonNullable<CheckRow['waived']>): string =>
  `Waived until ${until} by ${owner}: ${reason}`

/** A gate with its measured value: `No plan admits more than its limit. Limit 0, value 5.` */
export const gateInWords = ({ sentence, limit, value }: GateRow): string =>
  `${sentence} Limit ${limit}, value ${value}.`

/** If an inconclusive check follows from failures of the same run: what to do about it; otherwise `undefined`. */
export const followsInWords = ({ followsFrom }: Pick<CheckRow, 'followsFrom'>): string | undefined =>
  followsFrom.length === 0 ? undefined : `Fix ${listInWords(followsFrom)} first, then repeat this check.`

/** The sentence of a clause; empty for an id that the report does not have. */
export const ruleInWords = (report: Report, clauseId: string): string =>
  report.clauses.find((clause) => clause.id === clauseId)?.sentence ?? ''

/** The labelled lines below a finding's rule: what the check expects is left out if the rule says just that. */
export const findingLines = (report: Report, check: CheckRow): (readonly [label: string, text: string])[] => {
  const { promise, message, advice, clauses } = check
  const next = followsInWords(check)
  return [
    ...(promise === ruleInWords(report, clauses[0] ?? '') ? [] : [['expected', promise] as const]),
    ['seen', message],
    ...(advice === null ? [] : [['advice', advice] as const]),
    ...(next === undefined ? [] : [['next', next] as const]),
  ]
}

const isShort = (each: Fact): each is { readonly plan: string } =>
  typeof each === 'object' && each !== null && 'plan' in each && 'tooShort' in each && each.tooShort !== 0

const plansOfWaits = ({ facts: { waits } }: CheckRow): string[] =>
  Array.isArray(waits) ? waits.filter(isShort).map(({ plan }) => plan) : []

/** The plan of a key's name: equal to it, or a prefix as in `free-2`. `pro-plus-2` belongs to `pro-plus`, not to `pro`. */
export const planOfKey = (plans: readonly string[], key: string): string | undefined =>
  plans
    .filter((plan) => key === plan || key.startsWith(`${plan}-`))
    .reduce<string | undefined>((best, plan) => (plan.length > (best?.length ?? 0) ? plan : best), undefined)

/** The plans that a finding was seen on: those it names, else those of its exchanges' keys. */
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

/** A proof that takes several exchanges: its title, and a remark about its last one. */
export interface Story {
  readonly title: string
  readonly end?: string
  /** How many exchanges, starting with a refusal, tell it; the others only repeat it. If absent, all of them do. */
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
  'block-lasted': { title: 'The proof: refused, and still refused when the block should have been over' },
  'refused-but-changed': { title: 'The proof: read, refused, and read again' },
  'walk-refused-but-changed': { title: 'The proof: a refused change, and what is read afterwards' },
  'walk-disagrees': { title: 'The proof: what was changed, and what is read afterwards' },
  'change-not-shown': { title: 'The proof: changed, and read again' },
  'other-entries-changed': { title: 'The proof: read, changed, and read again' },
  'neighbour-changed': { title: 'The proof: read, changed, and read again' },
  'remaining-repeated': { title: 'The proof: two requests, and the second one shows no lower Remaining' },
  'window-opener-not-counted': { title: 'The proof: a window begins, and its first request is not counted' },
  'more-admitted-than-remained': { title: 'The proof: more requests are admitted than Remaining showed' },
  'refused-with-some-left': {
    title: 'The proof: Remaining shows the whole limit, and a request is refused before it is spent',
  },
  'accepted-but-not-kept': { title: 'The proof: changed, and read again' },
  'large-id-not-found': { title: 'The proof: listed, but not found' },
  'spelling-opens-quota': { title: 'The proof: the key is refused, but another spelling is served', steps: 2 },
  'remaining-does-not-fall': { title: 'The proof: Remaining at the beginning, and at the end' },
  'remaining-falls-too-fast': { title: 'The proof: Remaining at the beginning, and at the end' },
}

/** More exchanges than this cannot be read in one go. */
const mostSteps = 5

/** The story that a finding's exchanges tell; `undefined` if each of them proves it alone. */
export const storyOf = ({ code, verdict, witnesses }: CheckRow): Story | undefined => {
  if (verdict !== 'fail' || witnesses.length < 2 || !Object.hasOwn(stories, code)) return undefined
  const story = stories[code]
  return story?.steps !== undefined || witnesses.length <= mostSteps ? story : undefined
}

/** The ids of a finding's exchanges, the one that shows the breach first: in a long proof that is the last one. */
export const breachFirst = (check: CheckRow): readonly string[] => {
  const { code, verdict, witnesses, witnessesLeftOut } = check
  const isLong = verdict === 'fail' && Object.hasOwn(stories, code) && witnesses.length > 1 && !storyOf(check)
  return isLong && witnessesLeftOut === 0 ? [...witnesses.slice(-1), ...witnesses.slice(0, -1)] : witnesses
}

/** The exchanges that tell a story; empty if it must begin with a refusal and they do not. */
export const storySteps = ({ steps }: Story, exchanges: readonly WitnessRow[]): readonly WitnessRow[] => {
  if (steps === undefined) return exchanges
  return exchanges[0]?.response?.status === 429 ? exchanges.slice(0, steps) : []
}

/** A moment of the run in thousandths of a second: margins are that small. */
export const exactMoment = (ms: number): string => `${(ms / 1000).toFixed(3)} s`

/** Whether a header shows Remaining: for any API, by the end of its name. */
export const isRemaining = (name: string): boolean => /remaining(, as read)?$/i.test(name)

/** The value of an answer's header, whatever the case of its name; `undefined` if it has none. */
export const headerOf = (x: WitnessRow, name: string): string | undefined =>
  x.response?.headers.find(([each]) => each.toLowerCase() === name)?.[1]

/** Labels for a finding's facts whose plain names would say little. */
const labels: Readonly<Record<string, string>> = {
  case: 'Request',
  got: 'Answered',
  http: 'Status of the answer',
  body: 'Status in its body',
  others: 'More of the same',
  told: 'Cases that would have shown a breach',
  cases: 'What was looked for',
  needed: 'Cases still needed',
  missing: 'Missing',
  leftOut: 'Left out: could not be read',
  kinds: 'Kinds of cases',
  asked: 'Asked for',
  plays: 'Rounds of clients',
  untested: 'Not tested',
  walk: 'Requests that show it',
  withinMs: 'Within',
  shortMs: 'A wait too short by at least',
  longMs: 'A wait too long by at least',
  closest: 'Closest permitted limiter',
  spellings: 'Admitted on a spent key',
  refused: 'Correctly refused',
  otherFalls: 'Other falls of Remaining',
  behind: 'Right after',
  exchanges: 'Requests that it would have decided differently',
}

/** Facts that the finding's sentence, its picture or its plans already express better. */
const saidElsewhere = new Set(['looksLike', 'looksLikeFacts', 'reason', 'clause', 'plans'])

const spelledOut = (name: string): string => {
  const words = name.replace(/Ms$/, '').replace(/(?<=[a-z0-9])([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)
  return capital(words)
}

const factLabel = (name: string): string => (Object.hasOwn(labels, name) ? (labels[name] ?? name) : spelledOut(name))

/** A fact for people: a time with its unit, a list with commas, a record with a label for each part. */
const factText = (name: string, value: Fact): string => {
  if (typeof value === 'number' && name.endsWith('Ms')) return formatDuration(value)
  if (typeof value === 'string' && name === 'plan') return planName(value)
  if (Array.isArray(value)) return value.map((each) => factText(name, each)).join(value.some(isRecord) ? '; ' : ', ')
  if (value === null) return ''
  if (!isRecord(value)) return String(value)
  return Object.entries(value)
    .filter(([part]) => !saidElsewhere.has(part))
    .map(([part, each]) => `${factLabel(part).toLowerCase()} ${factText(part, each)}`)
    .join(', ')
}

/** The facts of a finding that a reader may want besides its sentence, as labels and texts. */
export const factsInWords = (facts: { readonly [name: string]: Fact }): (readonly [string, string])[] =>
  Object.entries(facts)
    .filter(([name, value]) => !saidElsewhere.has(name) && factText(name, value) !== '' && value !== 0)
    .map(([name, value]) => [factLabel(name), factText(name, value)])
