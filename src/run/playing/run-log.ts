import { hash } from 'node:crypto'
import { namedHeaders } from '../../contract/api-contract.js'
import { contractOf } from '../../contract/petstore/petstore.js'
import { evidenceOf } from '../../evidence/evidence.js'
import type { Exchange, HeaderLine, RecordedBody } from '../../evidence/exchange.js'
import type { Journal, JournalRecord, RunHead, SavedRun } from '../../evidence/journal.js'
import { beginning, cutHeaders, headerCost } from '../../evidence/kept-headers.js'
import type { Ledger } from '../../evidence/ledger.js'
import type { LoadRowRecord } from '../../evidence/load-rows.js'
import { counted, present } from '../../kit/words.js'
import { targetClock } from '../../readings/target-clock.js'
import type { Progress } from './progress.js'

/** How much of all responses a run keeps whole, so that it fits into memory. Equal bodies and headers count once. */
const usualRoom = {
  /** In bytes, as the journal writes them. */
  bodies: 48 * 2 ** 20,
  /** The most JSON values in all bodies: once parsed, a value takes many times the memory of its text. */
  values: 2_000_000,
  /** In bytes, with the overhead of each line. */
  headers: 8 * 2 ** 20,
}

/** Bytes kept of every body: a whole error, or the beginning of a list. */
const leastBody = 16 * 2 ** 10

/** Bounds what a run keeps of responses: all while there is room, `named` headers always, equal parts once. */
export const keptAnswers = (room = usualRoom, named?: ReadonlySet<string>) => {
  const bodies = new Map<string, RecordedBody>()
  const lines = new Map<string, HeaderLine>()
  let { bodies: bodyRoom, values: valueRoom, headers: headerRoom } = room
  let [long, cutBodies, cutHeads] = [0, 0, 0]

  const keepBody = (body: RecordedBody): RecordedBody => {
    const { content, ...rest } = body
    const name = hash('sha256', JSON.stringify(rest) + content, 'base64')
    const known = bodies.get(name)
    if (known) return known
    const bytes = Buffer.byteLength(JSON.stringify(content))
    const values = valuesIn(content)
    if (content.length > leastBody && (bytes > bodyRoom || values > valueRoom)) {
      cutBodies += 1
      return { ...body, content: beginning(content, leastBody), truncated: true }
    }
    bodyRoom -= bytes
    valueRoom -= values
    bodies.set(name, body)
    return body
  }

  const keepHeaders = (headers: NonNullable<Exchange['response']>['headers']): HeaderLine[] => {
    const cost = headers.reduce((sum, line) => (lines.has(lineName(line)) ? sum : sum + headerCost(line)), 0)
    if (cost > headerRoom) {
      cutHeads += 1
      return cutHeaders(headers, named)
    }
    headerRoom -= cost
    return headers.map((line) => {
      const known = lines.get(lineName(line)) ?? line
      lines.set(lineName(line), known)
      return known
    })
  }

  return {
    /** The exchange to record. A body that did not fit is `truncated`. */
    keep(x: Exchange): Exchange {
      const { response } = x
      if (!response) return x
      if (response.body.truncated) long += 1
      const body = keepBody(response.body)
      const headers = keepHeaders(response.headers)
      return { ...x, response: { ...response, reason: beginning(response.reason), headers, body } }
    },
    told: (): string[] =>
      present(
        long > 0 &&
          `${counted(long, 'answer')} had a body that was too long, or had too many values, to be read completely`,
        cutBodies > 0 &&
          `of ${counted(cutBodies, 'answer')} only the first ${leastBody / 2 ** 10} KiB of the body were kept, to limit the size of the run`,
        cutHeads > 0 &&
          `of ${counted(cutHeads, 'answer')} only the headers that checks read were kept, to limit the size of the run`,
      ),
  }
}

const valuesIn = (text: string): number => {
  let values = 1
  for (let at = text.indexOf(','); at >= 0; at = text.indexOf(',', at + 1)) values += 1
  return values
}

const lineName = ([name, value]: HeaderLine): string => `${name}: ${value}`

/** Opens the record of a run. After the first failed write, entries stay in memory only. */
export const createRunLog = (
  journal: Journal,
  { wallStartMs, ...head }: Pick<RunHead, 'wallStartMs' | 'contract' | 'keys'>,
  watch: (event: Progress) => void,
  onFailure: (error: unknown) => void = (error) => {
    throw error
  },
  earlier: Pick<SavedRun, 'records' | 'ledgers'> = { records: [], ledgers: [] },
) => {
  const answers = keptAnswers(usualRoom, namedHeaders(contractOf(head)))
  const records = earlier.records.map((each) =>
    each.type === 'exchange' ? { ...answers.keep(each), type: each.type } : each,
  )
  const ledgers: Ledger[] = [...earlier.ledgers]
  const exchanges: Exchange[] = records.filter((each) => each.type === 'exchange')
  let isBroken = false
  const save = (step: () => void) => {
    if (isBroken) return
    try {
      step()
    } catch (error) {
      isBroken = true
      onFailure(error)
    }
  }
  const write = (record: JournalRecord) => {
    records.push(record)
    save(() => journal.write(record))
  }
  return {
    records,
    exchanges,
    ledgers,
    write,
    /** Records an exchange, whole while the run has room. */
    exchange(asItCame: Exchange) {
      const x = answers.keep(asItCame)
      exchanges.push(x)
      write({ type: 'exchange', ...x })
      watch({ kind: 'sent', at: x.endedAt, count: 1 })
    },
    ledger(ledger: Ledger) {
      ledgers.push(ledger)
      save(() => journal.keep(ledger))
    },
    /** Writes a row of a load to disk only: when the load is over, its ledger replaces the rows. */
    row: (record: LoadRowRecord) => save(() => journal.write(record)),
    note(at: number, text: string) {
      write({ type: 'note', at, text })
      watch({ kind: 'note', at, text })
    },
    progress: watch,
    evidence: () => evidenceOf({ records, ledgers }),
    clock: () => targetClock(exchanges, wallStartMs),
    leftOut: answers.told,
  }
}

/** The record of a run: each entry is on disk before the call returns, and in memory for later probes. */
export type RunLog = ReturnType<typeof createRunLog>
