import { inconclusive, type SentencesOf } from '../../checks/framework/finding.js'
import type { CheckResult } from '../../run/judge.js'
import type { Finding } from '../../verdict/verdict.js'
import { type Amiss, amissByCase } from '../waits/early-arrivals.js'
import type { ClientEvidence } from '../waits/story.js'
import type { ClientCheck } from './client-check.js'
import { amissInWords, type MendsOf } from './in-words.js'

/** From the best down; `none` is for a client that never tries again, or does not show its key. */
type GradeLetter = 'A' | 'B' | 'C' | 'D' | 'F'

export interface GradeReason {
  /** The best grade that is possible while it stands. */
  readonly atBest: Exclude<GradeLetter, 'A'>
  /** `open`: not enough was seen to say whether it stands. */
  readonly state: 'stands' | 'open'
  readonly finding: Finding
  readonly of: Pick<ClientCheck, 'sentences' | 'advice'>
}

export const letters: readonly GradeLetter[] = ['A', 'B', 'C', 'D', 'F']

const lowest = (all: readonly GradeLetter[]): GradeLetter =>
  all.reduce((low, each) => (letters.indexOf(each) > letters.indexOf(low) ? each : low), 'A' as GradeLetter)

/** The best grade after a breach of each check, by the rubric. */
const costs: Readonly<Record<string, Exclude<GradeLetter, 'A'>>> = {
  'client.waits-as-told': 'F',
  'client.attempts-bounded': 'F',
  'client.dates-kept': 'D',
  'client.waits-grow': 'D',
  'client.own-waits-jittered': 'C',
  'client.workers-spread': 'C',
}

const reasonOf = ({ check, finding }: CheckResult<ClientCheck>): GradeReason[] => {
  if (check.level === 'observe' || check.clauses.includes('CLIENT-5')) return []
  const { verdict } = finding
  // A client that hammers, in any case, gets an F.
  const atBest = finding.code === 'hammers' || finding.code === 'hammers-or-late' ? 'F' : (costs[check.id] ?? 'F')
  if (verdict === 'fail') return [{ atBest, state: 'stands', finding, of: check }]
  // A client is not blamed for never being seen with many workers.
  const open = verdict === 'inconclusive' || (verdict === 'not-tested' && finding.code !== 'no-parallel-workers')
  return open ? [{ atBest, state: 'open', finding, of: check }] : []
}

/** The lowest grade that applies, and what keeps it from a better one. Open reasons leave a range without a letter. */
export const gradeOf = (results: readonly CheckResult<ClientCheck>[], further: readonly GradeReason[]) => {
  const nothing = ['never-arrived', 'never-tries-again', 'tries-again-without-key', 'never-bearer']
  const why = results.find(({ finding: { code } }) => nothing.includes(code))
  if (why) {
    const reason = { atBest: 'F', state: 'stands', finding: why.finding, of: why.check } as const
    return { letter: 'none', best: 'F', worst: 'F', reasons: [reason] } as const
  }
  const reasons = [...results.flatMap(reasonOf), ...further].sort(
    (a, b) =>
      letters.indexOf(b.atBest) - letters.indexOf(a.atBest) || Number(a.state === 'open') - Number(b.state === 'open'),
  )
  const best = lowest(reasons.filter(({ state }) => state === 'stands').map(({ atBest }) => atBest))
  const worst = lowest(reasons.map(({ atBest }) => atBest))
  return { letter: best === worst ? best : null, best, worst, reasons }
}

const reason =
  (state: GradeReason['state']) =>
  <F extends Finding>(atBest: GradeReason['atBest'], finding: F) => ({ atBest, state, finding })

/** A certain reason: nothing else explains it. */
export const stands = reason('stands')

/** An open reason: a stall of the machine or a request in flight may explain it too, or too little was seen. */
export const open = reason('open')

/** Facts about cases; cases with the same words are joined, each with its name. */
const factsOf = (cases: readonly (readonly [string, Amiss])[]) => {
  const told = [...new Set(cases.map(([, amiss]) => amissInWords(amiss)))].map((words) => ({
    words,
    cases: cases.filter(([, amiss]) => amissInWords(amiss) === words).map(([id]) => id),
  }))
  return { case: told[0]?.cases[0] ?? 'none', told }
}

/** Whether a case is a real quota of the client's own: another reason reports that. */
const toldElsewhere = ({ stories }: ClientEvidence, id: string): boolean =>
  stories.some(({ play }) => play.case === id && play.quota?.shared === false)

/** Reasons for cases that were not played as asked, which an A requires. */
export const amissReasons = (evidence: ClientEvidence) => {
  const all = [...amissByCase(evidence.stories)]
  const of = (suits: (amiss: Amiss) => boolean) => all.filter(([, amiss]) => suits(amiss))
  const few = of(({ kind }) => kind === 'requests').filter(([id]) => !toldElsewhere(evidence, id))
  const rows = [
    [stands, 'other-operation', of(({ kind }) => kind === 'operation')],
    [stands, 'one-worker', of(({ kind }) => kind === 'workers')],
    [stands, 'fewer-requests', few],
    [stands, 'nothing-came', of((amiss) => amiss.kind === 'nothing' && amiss.certain)],
    [open, 'nothing-came', of((amiss) => amiss.kind === 'nothing' && !amiss.certain)],
  ] as const
  return rows.flatMap(([how, code, cases]) => (cases.length > 0 ? [how('B', inconclusive(code, factsOf(cases)))] : []))
}

type Seen = SentencesOf<ReturnType<typeof amissReasons>[number]['finding']>

const inWords = ({ told }: ReturnType<typeof factsOf>): string =>
  told.map(({ words, cases }) => `${words} (${cases.join(', ')})`).join('; ')

export const amissSentences: Seen = {
  'other-operation': inWords,
  'one-worker': inWords,
  'fewer-requests': inWords,
  'nothing-came': inWords,
}

/** Advice if fewer requests or workers came than asked for. */
export const doTheWork =
  'Let the command make PETSTORE_REQUESTS calls from PETSTORE_WORKERS workers, as the script in docs/clients.md does.'

export const amissAdvice: MendsOf<Seen> = {
  'other-operation': () =>
    'Let the command read PETSTORE_OPERATION: updateInventory is PATCH /inventory/1, as in the script of docs/clients.md.',
  'one-worker': () => doTheWork,
  'fewer-requests': () => doTheWork,
  'nothing-came': () => 'Let the command send its requests in every case: an A needs all of them.',
}
