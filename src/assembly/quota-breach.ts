import { outcomes } from '../limits/history.js'
import type { JudgedKey } from '../limits/judged-keys.js'
import { rowsWith, type ShownBreach } from '../limits/shown-breach.js'
import type { Breach } from '../report/model.js'

/** The most answers that a picture of a breach holds: the first, the last, those about the limit, and some between. */
const mostAnswers = 300

/** How much of its own length is shown after a stretch: what came next belongs to the picture. */
const shownAfter = 0.3

const thinned = (answers: Breach['answers'], limit: number): Breach['answers'] => {
  const every = Math.ceil(answers.length / mostAnswers)
  const isKept = ([, , count]: Breach['answers'][number], at: number) =>
    at % every === 0 || at === answers.length - 1 || count === limit || count === limit + 1
  return answers.filter(isKept)
}

/** A breach with the answers of its stretch as they came, and a few after it. */
export const drawnBreach = (key: JudgedKey, { kind, fromMs, toMs, admitted }: ShownBreach): Breach => {
  const { sentMs, receivedMs } = key.record
  const admittedIn = rowsWith(key, outcomes.admitted).filter((i) => receivedMs[i] > fromMs && receivedMs[i] <= toMs)
  const firstMs = admittedIn.reduce((first, i) => Math.min(first, receivedMs[i]), toMs)
  const until = toMs + (toMs - (kind === 'over-admission' ? fromMs : firstMs)) * shownAfter
  const answers: Breach['answers'] = []
  const rows = [...rowsWith(key, outcomes.admitted), ...rowsWith(key, outcomes.refused)]
    .filter((i) => (kind === 'over-admission' ? sentMs[i] >= fromMs : receivedMs[i] > fromMs) && receivedMs[i] <= until)
    .sort((a, b) => receivedMs[a] - receivedMs[b])
  let count = 0
  let refused = 0
  for (const i of rows) {
    const isAdmitted = key.history.outcome[i] === outcomes.admitted
    if (isAdmitted) count += 1
    else if (receivedMs[i] <= toMs) refused += 1
    answers.push([receivedMs[i], isAdmitted ? 'admitted' : 'refused', count])
  }
  return { kind, fromMs, toMs, admitted, refused, answers: thinned(answers, key.agreed.limit) }
}
