import type { Clock } from '../kit/clock.js'
import type { SeenAnswer } from './seen-fields.js'

/** A planned request: which one, and with which credential; null for none. */
interface Turn {
  readonly probe: string
  readonly credential: string | null
}

/** The most requests that are sent, whatever is found. */
export const mostRequests = 20

/** Requests kept for after a window has renewed. */
const afterwards = 2

const turns = (probe: string, times: number, credential: string | null): Turn[] =>
  Array(times).fill({ probe, credential })

/**
 * The requests in order: the first probe, each other one followed by the first, then the first with the second credential
 * and with none. So each response to the first shows what the others took off.
 */
const askPlan = (probes: readonly string[], credentials: readonly string[]): readonly Turn[] => {
  const [first, ...others] = probes
  const [own = null, ...further] = credentials
  const callers = own === null ? [] : [...further, null]
  const plan = [
    ...turns(first, 5, own),
    ...others.flatMap((each) => [...turns(each, 3, own), ...turns(first, 2, own)]),
    ...callers.flatMap((caller) => [...turns(first, 2, caller), ...turns(first, 1, own)]),
  ]
  return plan.slice(0, mostRequests - afterwards)
}

/** The pause between a response and the next request. */
const pauseMs = 500

const longestWaitMs = 20_000

/** An extra wait after its end, because clocks differ. */
const behindMs = 1_500

const mostFailures = 2

interface GentleAsking {
  readonly probes: readonly string[]
  readonly credentials: readonly string[]
  /** Sends one request; undefined if no response came. */
  readonly send: (turn: Turn) => Promise<SeenAnswer | undefined>
  readonly clock: Pick<Clock, 'sleep'>
  /** Milliseconds until the end of the window that these responses name; undefined if they name none. */
  readonly untilRenewed: (answers: readonly SeenAnswer[]) => number | undefined
  readonly signal?: AbortSignal
}

const isRefusal = ({ status, credential }: SeenAnswer, credentials: readonly string[]): boolean =>
  status === 429 || status === 503 || (status === 403 && (credential !== null || credentials.length === 0))

/**
 * Sends one request at a time, with a pause after each response, and stops at the first refusal. If a window ends soon, it
 * waits for that and sends two more. `ended`: why it ended early, as a sentence.
 */
export const askGently = async (asking: GentleAsking) => {
  const { probes, credentials, send, clock, untilRenewed, signal } = asking
  const answers: SeenAnswer[] = []
  let [requests, failures] = [0, 0]

  const askAll = async (turns: readonly Turn[]): Promise<string | undefined> => {
    for (const turn of turns) {
      if (requests > 0) await clock.sleep(pauseMs, signal)
      const answer = await send(turn)
      requests += 1
      if (answer) answers.push(answer)
      if (answer && isRefusal(answer, credentials)) return `request ${requests} was answered ${answer.status}`
      failures = answer && answer.status < 500 ? 0 : failures + 1
      if (failures === mostFailures) return `${mostFailures} requests in a row got no answer, or a 5xx`
    }
    return undefined
  }

  const ended = await askAll(askPlan(probes, credentials))
  if (ended !== undefined) return { answers, requests, ended }
  const waitMs = untilRenewed(answers)
  if (waitMs === undefined || waitMs > longestWaitMs) return { answers, requests, ended }
  await clock.sleep(waitMs + behindMs, signal)
  const endedThen = await askAll(turns(probes[0], afterwards, credentials[0] ?? null))
  return { answers, requests, ended: endedThen }
}
