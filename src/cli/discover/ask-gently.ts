import type { Clock } from '../../kit/clock.js'
import type { SeenAnswer } from '../../readings/discovery/seen-answer.js'
import { askPlan, renewedPlan, type Turn } from './ask-plan.js'

/** Between an answer and the next request. */
const pauseMs = 500

/** For a window that ends so soon it is waited. */
const longestWaitMs = 20_000

/** Behind its end, for clocks that differ. */
const behindMs = 1_500

/** Answers in a row that fail before nothing more is asked. */
const mostFailures = 2

/** Sends one request; undefined where no answer came. */
export type SendTurn = (turn: Turn) => Promise<SeenAnswer | undefined>

/** What asking came to. */
export interface GentleAnswers {
  readonly answers: readonly SeenAnswer[]
  readonly requests: number
  /** Why it ended early, as a sentence; undefined where all was asked. */
  readonly ended: string | undefined
}

export interface GentleAsking {
  readonly probes: readonly string[]
  readonly hasCredential: boolean
  readonly send: SendTurn
  readonly clock: Pick<Clock, 'sleep'>
  /** How long until the window ends that these answers name, in milliseconds; undefined where they name none. */
  readonly untilRenewed: (answers: readonly SeenAnswer[]) => number | undefined
  readonly signal?: AbortSignal
}

const isRefusal = ({ status, credential }: SeenAnswer, hasCredential: boolean): boolean =>
  status === 429 || status === 503 || (status === 403 && (credential !== null || !hasCredential))

/**
 * Asks one request at a time, with a pause behind each answer, and stops at the first refusal. Where a window ends soon, it
 * waits for that and asks twice more.
 */
export const askGently = async (asking: GentleAsking): Promise<GentleAnswers> => {
  const { probes, hasCredential, send, clock, untilRenewed, signal } = asking
  const answers: SeenAnswer[] = []
  let [requests, failures] = [0, 0]

  const askAll = async (turns: readonly Turn[]): Promise<string | undefined> => {
    for (const turn of turns) {
      if (requests > 0) await clock.sleep(pauseMs, signal)
      const answer = await send(turn)
      requests += 1
      if (answer) answers.push(answer)
      if (answer && isRefusal(answer, hasCredential)) return `request ${requests} was answered ${answer.status}`
      failures = answer && answer.status < 500 ? 0 : failures + 1
      if (failures === mostFailures) return `${mostFailures} requests in a row were not answered, or with a 5xx`
    }
    return undefined
  }

  const ended = await askAll(askPlan(probes, hasCredential))
  if (ended !== undefined) return { answers, requests, ended }
  const waitMs = untilRenewed(answers)
  if (waitMs === undefined || waitMs > longestWaitMs) return { answers, requests, ended }
  await clock.sleep(waitMs + behindMs, signal)
  const endedThen = await askAll(renewedPlan(probes))
  return { answers, requests, ended: endedThen }
}
