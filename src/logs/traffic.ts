import { randomInt } from 'node:crypto'
import type { ApiContract } from '../contract/api-contract.js'
import { UsageError } from '../kit/usage-error.js'
import { askedRequest } from './asked-request.js'
import type { FieldPlaces, Told } from './fields.js'
import { formatOf, harEntries, type LineReader, sniffedFormat } from './formats.js'
import { type LogFile, wholeLines } from './line-source.js'
import { type Clock, clockStepMs, lineTaker, momentIn } from './line-taker.js'
import { anything, emptyRows, nobody, type Rows } from './rows.js'

const mostSeed = 2 ** 32

/** A 53-bit hash (cyrb53, by bryc): a cryptographic hash would take longer than everything else done with a line. */
const hash53 = (text: string, seed: number): number => {
  let [one, two] = [0xdeadbeef ^ seed, 0x41c6ce57 ^ seed]
  for (let i = 0; i < text.length; i += 1) {
    const character = text.charCodeAt(i)
    one = Math.imul(one ^ character, 2654435761)
    two = Math.imul(two ^ character, 1597334677)
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(two ^ (two >>> 13), 3266489909)
  two = Math.imul(two ^ (two >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909)
  return 4294967296 * (2097151 & two) + (one >>> 0)
}

/**
 * Numbers keys in order of appearance. Each key is hashed twice when read, so that no two are confused, with random seeds
 * that are new for each ring and never revealed: no key is kept, and nothing derived from one leaves the process.
 */
const keyRing = () => {
  const [seed, second] = [randomInt(mostSeed), randomInt(mostSeed)]
  const numbers = new Map<number, number>()
  const alike = new Map<string, number>()
  const checks: number[] = [Number.NaN]
  return {
    /** The number of a key: the same text gets the same number, from 1 on; 0 for none. */
    numberOf(text: string): number {
      if (text === '' || text === '-') return 0
      const [hashed, check] = [hash53(text, seed), hash53(text, second)]
      const known = numbers.get(hashed)
      if (known !== undefined && checks[known] === check) return known
      const both = `${hashed} ${check}`
      const other = known === undefined ? undefined : alike.get(both)
      if (other !== undefined) return other
      const number = checks.push(check) - 1
      if (known === undefined) numbers.set(hashed, number)
      else alike.set(both, number)
      return number
    },
  }
}

interface GivenLog {
  readonly file: LogFile
  readonly clock: Clock
}

export interface TrafficSettings {
  readonly contract: ApiContract
  readonly logs: readonly GivenLog[]
  /** A name or a template; if undefined, found from the first lines. */
  readonly format: string | undefined
  readonly fields: FieldPlaces
  /** Further lines that are a request, besides those with exactly its method and path. */
  readonly requests: readonly string[]
  /** The known keys: the secret of each credential. */
  readonly secrets: Readonly<Record<string, string>>
  readonly capacity?: number
}

export type LineCounts = ReturnType<typeof noLines>

const noLines = () => ({
  lines: 0,
  /** Unreadable lines, and the first of them with the reason. */
  unread: 0,
  firstUnread: [] as string[],
  none: 0,
  /** Requests without a key or an address. */
  anonymous: 0,
  /** Requests that are not in the contract, and the first of them. */
  unknown: 0,
  firstUnknown: [] as string[],
  formats: new Map<string, string>(),
})

/** The most places that are named; all are counted. */
const mostNamed = 5

const defaultCapacity = 3_000_000

/** The requests read from all logs so far, unordered, with what reading on needs. */
export interface Traffic {
  readonly rows: Rows
  /** How many of the rows were kept from an earlier batch. */
  readonly keptRows: number
  /** Later lines are after this moment, except for requests that took long; Infinity at the end. */
  readonly untilMs: number
  /** The index of the credential, by the number of a known key. */
  readonly known: ReadonlyMap<number, number>
}

const firstLines = (piece: string): string[] => piece.split('\n', mostSniffed).flatMap((line) => line.trimEnd() || [])

/** All of a document that is not made of lines. */
const allPieces = async (first: string, pieces: AsyncIterator<string>): Promise<string> => {
  let text = first
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) text += next.value
  return text
}

/** Two logs don't share this many lines in a row, of at least two moments, by chance. */
const fewestOfHead = 20

/** The first lines of a log, to recognise it; '' if they are too few or of one moment. */
const headOf = (piece: string, read: LineReader): string => {
  const lines = piece.split('\n')
  const moments = lines.map((line) => {
    const told: Told = {}
    read(line, told)
    return momentIn(told)
  })
  const first = moments.find((each) => each !== undefined)
  const last = moments.findIndex((each, i) => i >= fewestOfHead && each !== undefined && each !== first)
  return last < 0 ? '' : `${lines.slice(0, last + 1).join('\n')}\n`
}

/** Checks that a log's next piece does not repeat lines of this log or another, which would count twice. */
const doubleWatch = (source: Source, all: readonly Source[]) => {
  const longest = Math.max(...all.map(({ head }) => head.length))
  let [before, isBegin] = ['', true]
  return (): void => {
    const text = before + source.piece
    const double = all.find((each) => each.head && text.includes(each.head, isBegin && each === source ? 1 : 0))
    if (double)
      throw new UsageError(
        `${source.name} has the first lines of ${double.name} once more: give each request only once`,
      )
    before = text.slice(Math.max(0, text.length - longest))
    isBegin = isBegin && before === text
  }
}

type Source = NonNullable<Awaited<ReturnType<typeof opened>>>['source']

const mostSniffed = 50

const opened = async ({ file, clock }: GivenLog, place: number, { format, fields }: TrafficSettings) => {
  const pieces = wholeLines(file)[Symbol.asyncIterator]()
  const first = await pieces.next()
  if (first.done) return null
  const named = format ?? sniffedFormat(file.name, firstLines(first.value), fields)
  const known = formatOf(named, fields)
  let piece = first.value
  if (known.name === 'har') {
    const entries = harEntries(Buffer.from(await allPieces(piece, pieces), 'latin1').toString())
    if (entries === null) throw new UsageError(`${file.name}: neither a HAR file, nor JSON with one object a line`)
    piece = entries.map((entry) => `${entry}\n`).join('')
  }
  const looked = firstLines(piece)
  // A reader may remember the first line, so sampling uses its own reader.
  const { read } = formatOf(named, fields)
  if (format !== undefined && looked.every((line) => read(line, {}) === 'unread'))
    throw new UsageError(
      `${file.name}: its lines are not written as --format ${format} says. Leave --format out to have it detected, or describe a line: --format '$remote_addr [$time_local] "$request" $status $request_time'`,
    )
  const stepMs = clockStepMs(formatOf(named, fields).read, looked)
  const taker = lineTaker(file.name, known.read, clock, stepMs)
  const head = headOf(piece, formatOf(named, fields).read)
  // `latestMs`: the moment of its latest line.
  const source = { place, name: file.name, pieces, taker, line: 0, latestMs: Number.NEGATIVE_INFINITY, piece, head }
  return { source, format: known.name }
}

/** Reads logs side by side, always the one furthest behind. `judge` keeps the rows that the next batch needs. */
export const readTraffic = async (settings: TrafficSettings, judge: (traffic: Traffic) => void) => {
  const { contract, logs, secrets, capacity = defaultCapacity } = settings
  const credentials = Object.keys(contract.credentials)
  const keys = keyRing()
  const known = new Map(
    Object.entries(secrets).map(([credential, secret]) => [
      keys.numberOf(Buffer.from(secret).toString('latin1')),
      credentials.indexOf(credential),
    ]),
  )
  const rows = emptyRows(capacity)
  const counts = noLines()
  const taking = takeInto(settings, rows, counts, keys)
  const open: Source[] = []
  for (const [place, log] of logs.entries()) {
    const found = await opened(log, place, settings)
    if (found === null) continue
    counts.formats.set(found.source.name, found.format)
    open.push(found.source)
  }
  const watches = new Map(open.map((source) => [source, doubleWatch(source, [...open])]))
  let keptRows = 0
  const judged = (untilMs: number) => {
    judge({ rows, keptRows, untilMs, known })
    keptRows = rows.size
  }
  while (open.length > 0) {
    const behind = open.reduce((least, each) => (each.latestMs < least.latestMs ? each : least))
    watches.get(behind)?.()
    for (let from = 0; from < behind.piece.length; ) {
      from = taking(behind, from)
      if (rows.size === capacity) judged(Math.min(...open.map(({ latestMs }) => latestMs)))
    }
    const next = await behind.pieces.next()
    if (next.done) open.splice(open.indexOf(behind), 1)
    else behind.piece = next.value
  }
  judged(Number.POSITIVE_INFINITY)
  return counts
}

const carriageReturn = '\r'.charCodeAt(0)

/** Takes lines of a piece from a position on, until it ends or the rows are full; returns the new position. */
const takeInto = (
  { contract, requests }: TrafficSettings,
  rows: Rows,
  counts: LineCounts,
  keys: ReturnType<typeof keyRing>,
) => {
  const asked = askedRequest(contract, requests)
  const addresses = keyRing()
  const credentials = Object.keys(contract.credentials)
  const countsAddresses = contract.quotas.some(({ by }) => by === 'address')
  const room = rows.key.length
  return (source: Source, begin: number): number => {
    const { piece, taker, place, name } = source
    const { taken } = taker
    let from = begin
    while (from < piece.length && rows.size < room) {
      const end = piece.indexOf('\n', from)
      const to = end > from && piece.charCodeAt(end - 1) === carriageReturn ? end - 1 : end
      const at = from
      from = end + 1
      source.line += 1
      if (to === at) continue
      counts.lines += 1
      const problem = taker.take(piece.slice(at, to))
      if (problem === 'none') {
        counts.none += 1
        continue
      }
      if (problem !== null) {
        counts.unread += 1
        if (counts.firstUnread.length < mostNamed) counts.firstUnread.push(`${name}:${source.line} (${problem})`)
        continue
      }
      source.latestMs = Math.max(source.latestMs, taken.receivedMs)
      const key = keys.numberOf(taken.key)
      const address = countsAddresses ? addresses.numberOf(taken.address) : 0
      if (key === 0 && address === 0) {
        counts.anonymous += 1
        continue
      }
      const request =
        taken.method === undefined || taken.path === undefined ? anything : asked(taken.method, taken.path)
      if (request === nobody) {
        counts.unknown += 1
        if (counts.firstUnknown.length < mostNamed) counts.firstUnknown.push(`${name}:${source.line}`)
      }
      const row = rows.size
      rows.sentMs[row] = taken.sentMs
      rows.receivedMs[row] = taken.receivedMs
      rows.key[row] = key
      rows.address[row] = address
      // A name that the contract lacks may belong to any credential.
      rows.plan[row] =
        taken.plan !== undefined && credentials.includes(taken.plan) ? credentials.indexOf(taken.plan) : nobody
      rows.request[row] = request
      rows.status[row] = taken.status
      rows.file[row] = place
      rows.line[row] = source.line
      rows.size = row + 1
    }
    return from
  }
}
