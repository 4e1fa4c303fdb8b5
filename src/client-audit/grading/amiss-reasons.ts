import { inconclusive } from '../../checks/framework/finding.js'
import type { SentencesOf } from '../../checks/framework/sentences.js'
import { amissInWords } from '../checks/in-words.js'
import { type Amiss, amissByCase } from '../waits/as-asked.js'
import type { ClientEvidence } from '../waits/client-evidence.js'
import { open, stands } from './reason-states.js'

type Cases = readonly (readonly [string, Amiss])[]

/** Cases of one kind; those of which the same is to be said are told together, each with its name. */
const factsOf = (cases: Cases) => {
  const told = [...new Set(cases.map(([, amiss]) => amissInWords(amiss)))].map((words) => ({
    words,
    cases: cases.filter(([, amiss]) => amissInWords(amiss) === words).map(([id]) => id),
  }))
  return { case: told[0]?.cases[0] ?? 'none', told }
}

/** A real quota of its own that was not exercised is told as such. */
const toldElsewhere = ({ stories }: ClientEvidence, id: string): boolean =>
  stories.some(({ play }) => play.case === id && play.quota?.shared === false)

/** The cases that were not played as asked, which an A takes. */
export const amissReasons = (evidence: ClientEvidence) => {
  const all = [...amissByCase(evidence.stories)]
  const of = (suits: (amiss: Amiss) => boolean) => all.filter(([, amiss]) => suits(amiss))
  const few = of(({ kind }) => kind === 'requests').filter(([id]) => !toldElsewhere(evidence, id))
  const workers = of(({ kind }) => kind === 'workers')
  const operation = of(({ kind }) => kind === 'operation')
  const nothing = of((amiss) => amiss.kind === 'nothing' && amiss.certain)
  const late = of((amiss) => amiss.kind === 'nothing' && !amiss.certain)
  return [
    ...(operation.length > 0 ? [stands('B', inconclusive('other-operation', factsOf(operation)))] : []),
    ...(workers.length > 0 ? [stands('B', inconclusive('one-worker', factsOf(workers)))] : []),
    ...(few.length > 0 ? [stands('B', inconclusive('fewer-requests', factsOf(few)))] : []),
    ...(nothing.length > 0 ? [stands('B', inconclusive('nothing-came', factsOf(nothing)))] : []),
    ...(late.length > 0 ? [open('B', inconclusive('nothing-came', factsOf(late)))] : []),
  ]
}

type Seen = SentencesOf<ReturnType<typeof amissReasons>[number]['finding']>

const inWords = ({ told }: ReturnType<typeof factsOf>): string =>
  told.map(({ words, cases }) => `${words} (${cases.join(', ')})`).join('; ')

/** What was asked for and what came. */
export const amissSentences: Seen = {
  'other-operation': inWords,
  'one-worker': inWords,
  'fewer-requests': inWords,
  'nothing-came': inWords,
}

/** The advice where fewer requests or workers came than were asked for. */
export const doTheWork =
  'Let the command make PETSTORE_REQUESTS calls from PETSTORE_WORKERS workers, as the script in docs/clients.md does.'

/** What would show it. */
export const amissAdvice: Partial<Seen> = {
  'other-operation': () =>
    'Let the command read PETSTORE_OPERATION: updateInventory is PATCH /inventory/1, as in the script of docs/clients.md.',
  'one-worker': () => doTheWork,
  'fewer-requests': () => doTheWork,
  'nothing-came': () => 'Let the command send its requests in every case: an A takes all of them.',
}
