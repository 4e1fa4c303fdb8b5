import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { savedQuotaOf } from '../contract/plans.js'
import { UsageError, whyOf } from '../kit/usage-error.js'
import type { Exchange, RecordedBody } from './exchange.js'
import { type Journal, type JournalRecord, record, type SavedRun } from './journal.js'
import type { Ledger } from './ledger.js'
import { decodeLedger, encodeLedger } from './ledger-file.js'
import { ledgersOfRows } from './load-rows.js'

/** In characters. A shorter body is repeated: naming another exchange would save little. */
const shortestNamed = 1_024

/** A line of the journal as far as it may name, instead of its body's content, the earlier exchange with the same body. */
type Repeating = { readonly response?: { readonly body?: { readonly sameAs?: unknown } | null } | null } | null

/** For a journal: replaces a body that an earlier exchange already had by that exchange's id. */
const bodiesOnce = (): ((x: Exchange) => unknown) => {
  const written = new WeakMap<RecordedBody, string>()
  return (x) => {
    const { response } = x
    if (!response || response.body.content.length < shortestNamed) return x
    const { content: _content, ...rest } = response.body
    const sameAs = written.get(response.body)
    if (sameAs !== undefined) return { ...x, response: { ...response, body: { ...rest, sameAs } } }
    written.set(response.body, x.id)
    return x
  }
}

/** Restores the bodies of a journal that is read line by line. */
class BodiesAgain {
  readonly #read = new Map<string, RecordedBody>()
  /** Short bodies by their content, so that identical answers share a body, which is then read once. */
  readonly #short = new Map<string, RecordedBody>()

  /** The line in the form of a record, with the id of the exchange that first had its body, if it names one. */
  filled(line: unknown): { readonly line: unknown; readonly sameAs?: string } {
    const { response, ...rest } = (line ?? {}) as NonNullable<Repeating>
    const sameAs = response?.body?.sameAs
    if (typeof sameAs !== 'string') return { line }
    return { line: { ...rest, response: { ...response, body: { ...response?.body, content: '' } } }, sameAs }
  }

  /** The exchange with its body; undefined if the exchange that first had it is missing. */
  restored<X extends Exchange>(x: X, sameAs?: string): X | undefined {
    if (!x.response) return x
    const body = sameAs === undefined ? this.#shared(x.id, x.response.body) : this.#read.get(sameAs)
    if (body === x.response.body) return x
    return body && { ...x, response: { ...x.response, body } }
  }

  /** The body of an earlier exchange, if identical; else its own. */
  #shared(id: string, body: RecordedBody): RecordedBody {
    if (body.content.length >= shortestNamed) {
      this.#read.set(id, body)
      return body
    }
    const said = `${body.encoding} ${body.bytes} ${body.truncated} ${body.coding} ${body.content}`
    const known = this.#short.get(said)
    if (known) return known
    this.#short.set(said, body)
    return body
  }
}

export const journalName = 'journal.jsonl'

const ledgerFolder = 'ledgers'

/** The journal of a run of millions of exchanges is smaller; a larger file is not a run's, nor fits in a string. */
const mostFileBytes = 400 * 2 ** 20

/** Rejects what no saved run holds: a link that leads out of its folder, or a file that is too large. */
const refuseOdd = (path: string): void => {
  const file = lstatSync(path)
  if (!file.isFile()) throw new UsageError(`${path} is not an ordinary file`)
  if (file.size > mostFileBytes) throw new UsageError(`${path} is larger than ${mostFileBytes / 2 ** 20} MiB`)
}

const ledgerNames = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => /\.ledger(\.part)?$/.test(name)) : []

/** Opens the journal of a new run in `folder`, created and cleared for it. Throws if it cannot be written. */
export const openJournal = (folder: string): Journal => {
  // Ledgers of another run would be judged as this run's.
  for (const name of ledgerNames(join(folder, ledgerFolder))) rmSync(join(folder, ledgerFolder, name))
  mkdirSync(join(folder, ledgerFolder), { recursive: true })
  return journalAt(folder, 'w')
}

/** Opens the journal of a run that is being resumed. Throws if it cannot be written. */
export const reopenJournal = (folder: string): Journal => {
  const journal = journalAt(folder, 'a')
  // The last line of a killed run may be incomplete: what follows starts on a new line.
  appendFileSync(join(folder, journalName), '\n')
  return journal
}

/** A record as written to its line: there the limits of the keys keep their former names. */
const savedRecord = (each: JournalRecord): object =>
  each.type === 'run' ? { ...each, keys: each.keys.map((key) => ({ ...key, quota: savedQuotaOf(key.quota) })) } : each

const journalAt = (folder: string, flags: 'w' | 'a'): Journal => {
  const path = join(folder, journalName)
  const file = openSync(path, flags)
  const once = bodiesOnce()
  return {
    write(each) {
      const line = Buffer.from(`${JSON.stringify(each.type === 'exchange' ? once(each) : savedRecord(each))}\n`)
      for (let at = 0; at < line.length; ) at += writeSync(file, line, at)
      // Writes to a file that was removed are lost without an error.
      if (fstatSync(file).nlink === 0) throw new Error(`${path} was removed during the run`)
    },
    keep(ledger) {
      const { id } = ledger.head
      if (!/^[\w-]{1,100}$/.test(id)) throw new Error(`a ledger can't be kept under the name ${JSON.stringify(id)}`)
      const kept = join(folder, ledgerFolder, `${id}.ledger`)
      // The ledger exists completely or not at all, whenever the process ends.
      writeFileSync(`${kept}.part`, encodeLedger(ledger))
      renameSync(`${kept}.part`, kept)
    },
    close: () => closeSync(file),
  }
}

/** Adds records to an ended run's journal, on a new line: a killed run's last line may be incomplete. */
export const appendToJournal = (folder: string, records: readonly JournalRecord[]): void =>
  appendFileSync(
    join(folder, journalName),
    `\n${records.map((each) => `${JSON.stringify(savedRecord(each))}\n`).join('')}`,
  )

const readLine = (text: string, number: number, bodies: BodiesAgain): JournalRecord | string => {
  try {
    const { line, sameAs } = bodies.filled(JSON.parse(text))
    const parsed = record.safeParse(line)
    if (parsed.success) {
      const { data } = parsed
      if (data.type !== 'exchange') return data
      return bodies.restored(data, sameAs) ?? `line ${number}: its body is that of ${sameAs}, which is missing`
    }
    const issue = parsed.error.issues[0]
    return `line ${number}: ${issue.path.join('.')}: ${issue.message}`
  } catch {
    return `line ${number}: not a complete record`
  }
}

const readLedgers = (folder: string): { ledgers: Ledger[]; unreadable: string[]; unfinished: string[] } => {
  const ledgers: Ledger[] = []
  const unreadable: string[] = []
  // If a load's ledger was not written to its end, its rows are in the journal.
  const unfinished: string[] = []
  for (const name of ledgerNames(folder).sort()) {
    try {
      refuseOdd(join(folder, name))
      if (name.endsWith('.part')) {
        unfinished.push(`${ledgerFolder}/${name}: an incomplete ledger: the run ended while it was written`)
        continue
      }
      ledgers.push(decodeLedger(readFileSync(join(folder, name))))
    } catch (error) {
      unreadable.push(`${ledgerFolder}/${name}: ${whyOf(error)}`)
    }
  }
  return { ledgers, unreadable, unfinished }
}

/**
 * The records of a journal, one per line; only lines that match `telling`, if given. A line that could not be read is
 * replaced by a text that says why. Throws if the folder holds no run.
 */
export const readRecords = (folder: string, telling?: RegExp): (JournalRecord | string)[] => {
  const path = join(folder, journalName)
  refuseOdd(path)
  const lines = readFileSync(path, 'utf8').split('\n')
  const bodies = new BodiesAgain()
  return lines.flatMap((line, index) =>
    line === '' || telling?.test(line) === false ? [] : [readLine(line, index + 1, bodies)],
  )
}

/** Reads a saved run up to its last complete record. Throws if the folder holds no run. */
export const readRun = (folder: string): SavedRun => {
  const read = readRecords(folder)
  const { ledgers, unreadable, unfinished } = readLedgers(join(folder, ledgerFolder))
  const records = read.filter((each) => typeof each !== 'string')
  const open = ledgersOfRows(records, ledgers)
  const lostLoads = [...unreadable, ...open.unreadable]
  return {
    records: records.filter((each) => each.type !== 'row'),
    ledgers: [...ledgers, ...open.ledgers],
    unreadable: [...read.filter((each) => typeof each === 'string'), ...unfinished, ...lostLoads],
    lostLoads,
  }
}
