import { randomBytes, randomInt } from 'node:crypto'
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { arrivalsName } from '../evidence/arrivals.js'
import { type Evidence, evidenceOf } from '../evidence/evidence.js'
import { journalName, readRun } from '../evidence/journal-file.js'
import { systemClock } from '../kit/clock.js'
import { attempt, UsageError, whyOf } from '../kit/usage-error.js'
import { lifeOf, processIdentity, thisProcess } from './machine.js'

const claim = z.object({ what: z.enum(['run', 'restore', 'audit']), since: z.string(), by: processIdentity })
type Claim = z.infer<typeof claim>
type Occupation = Claim['what']

const form = /^in-use-[\da-f]{16}\.lock$/

/** Tells a lock when its process exits in an orderly way. */
export interface EndOfProcess {
  once(release: () => void): void
  off(release: () => void): void
}

/** For a process that others own: a claim it leaves behind is recognised as a dead process's. */
export const unwatched: EndOfProcess = { once: () => {}, off: () => {} }

/** A process that can't be seen from here rewrites its claim at this interval to show that it is alive. */
const beatMs = 5_000
const silentMs = 6 * beatMs

const mostTries = 5

const gone = Symbol('gone')

const readClaim = (path: string): Claim | null | typeof gone => {
  try {
    return claim.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data ?? null
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? gone : null
  }
}

const writtenAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

interface Occupant {
  readonly claim: Claim | null
  /** How long since its last sign of life; null if its process can be seen. */
  readonly silentForMs: number | null
}

/** Who holds the folder besides `own`. Claims of dead processes don't count, and are removed. */
const occupantOf = (folder: string, own: string | null): Occupant | undefined => {
  // Time as the folder's disk counts it, which may be another machine's.
  const now = own === null ? systemClock.wallMs() : writtenAt(join(folder, own))
  for (const name of readdirSync(folder).filter((each) => form.test(each) && each !== own)) {
    const path = join(folder, name)
    const found = readClaim(path)
    if (found === gone) continue
    const life = found === null ? 'unknown' : lifeOf(found.by)
    const silentForMs = now - writtenAt(path)
    if (life === 'alive') return { claim: found, silentForMs: null }
    if (life === 'unknown' && silentForMs < silentMs) return { claim: found, silentForMs }
    // Its name is unique and never reused, so only the claim just read is removed.
    if (own !== null) rmSync(path, { force: true })
  }
  return undefined
}

const occupations: Readonly<Record<Occupation, string>> = {
  run: 'a run is writing there',
  restore: 'a restore is under way there',
  audit: 'an audit of a client is writing there',
}

const inWords = ({ claim: found, silentForMs }: Occupant): string => {
  if (found === null) return "a lock there can't be read"
  const { what, since, by } = found
  const where = silentForMs === null ? `process ${by.pid}` : `process ${by.pid} on ${by.host}`
  const rest = silentForMs === null ? 0 : Math.ceil((silentMs - silentForMs) / 1000)
  const unseen = silentForMs === null ? '' : `; if that was killed, the folder is free in ${rest} s`
  return `${occupations[what]} (${where}, since ${since}${unseen})`
}

/** Who is writing to a folder, in words; undefined if nobody is or the folder does not exist. */
export const inUseBy = (folder: string): string | undefined => {
  const occupant = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? occupantOf(folder, null) : undefined
  return occupant && inWords(occupant)
}

/** Writes the claim to a file that is complete as soon as it has its name. */
const writeClaim = (folder: string, what: Occupation): { readonly name: string; readonly text: string } => {
  const token = randomBytes(8).toString('hex')
  const text = JSON.stringify({ what, since: new Date(systemClock.wallMs()).toISOString(), by: thisProcess() })
  const name = `in-use-${token}.lock`
  writeFileSync(join(folder, `${name}.part`), text, { flag: 'wx' })
  renameSync(join(folder, `${name}.part`), join(folder, name))
  return { name, text }
}

const held = (path: string, text: string, endOfProcess: EndOfProcess) => {
  // If the folder was removed, or the disk is full, the journal reports that.
  const beat = () => attempt(() => writeFileSync(path, text, { flag: 'r+' }))
  const beating = setInterval(beat, beatMs)
  beating.unref()
  const release = () => {
    clearInterval(beating)
    endOfProcess.off(release)
    rmSync(path, { force: true })
  }
  endOfProcess.once(release)
  // The holder has the folder to itself until it releases it or its process ends, in whatever way.
  return { release }
}

/**
 * Takes a folder for this process alone. Each process that wants it writes a claim under a unique name, then looks for
 * other claims: of any two, the later sees the earlier. A process that sees a live claim withdraws its own and retries a
 * little later, because both may have withdrawn. Throws a {@link UsageError} with the text of `refusal`.
 */
export const lockFolder = async (
  folder: string,
  what: Occupation,
  refusal: (who: string) => string,
  endOfProcess: EndOfProcess,
): Promise<ReturnType<typeof held>> => {
  for (let tries = 1; ; tries += 1) {
    const { name, text } = writeClaim(folder, what)
    const path = join(folder, name)
    const occupant = occupantOf(folder, name)
    if (!occupant) return held(path, text, endOfProcess)
    rmSync(path, { force: true })
    if (tries === mostTries) throw new UsageError(refusal(inWords(occupant)))
    await systemClock.sleep(randomInt(10, 100))
  }
}

const advice: Readonly<Record<string, string>> = {
  '--resume': 'only a run that has stopped can be resumed: wait for its end, or end it first',
  restore: 'a run restores what it changes: wait for it to end, or end it first',
}

const usualAdvice = (name: string, folder: string): string =>
  `wait for it to end, or give a folder that nobody else writes to, such as ${name} ${folder.replace(/\/+$/, '')}-2`

/** Creates and takes the folder given by `name` (`--out`). Throws a {@link UsageError} if it can't. */
export const takeFolder = async (name: string, folder: string, what: Occupation, endOfProcess: EndOfProcess) => {
  const refusal = (who: string) => `${name} ${folder} is in use: ${who}; ${advice[name] ?? usualAdvice(name, folder)}`
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
    return await lockFolder(folder, what, refusal, endOfProcess)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${name} ${folder}: can't be written (${whyOf(error)}); name another folder`)
  }
}

/** The evidence of a saved run. Throws a {@link UsageError} if the folder has none; warns about what can't be read. */
export const savedEvidence = (folder: string, warn: (text: string) => void): Evidence => {
  if (!existsSync(join(folder, 'journal.jsonl'))) {
    throw new UsageError(
      `${folder} holds no saved run (no journal.jsonl): give the folder that a run was written to, such as reports/latest, or play a run first`,
    )
  }
  const saved = readRun(folder)
  for (const each of saved.unreadable) warn(`${folder}: left out, because it can't be read: ${each}`)
  try {
    return evidenceOf(saved)
  } catch (error) {
    throw new UsageError(`${folder}: ${whyOf(error)}; it may come from another version`)
  }
}

/** The subfolder that keeps earlier runs, each in a folder of its own. */
export const earlierFolder = 'earlier'

/** The files of a run, an audit and `ci/gate`. Those that name the run are moved last, so a broken-off move can go on. */
const left = [
  'report.json',
  'report.html',
  'report.md',
  'junit.xml',
  'compare.md',
  'ledgers',
  arrivalsName,
  journalName,
]
const telling = [journalName, arrivalsName, 'report.json']

const mostNameCharacters = 100
const longestHead = 256 * 1024

const firstRecord = z.object({ type: z.string(), id: z.string(), startedAt: z.string() })
const report = z.object({ run: z.object({ id: z.string() }) })

const firstLine = (path: string): string => {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(longestHead)
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, longestHead, 0)).split('\n', 1)[0]
  } finally {
    closeSync(file)
  }
}

/** The id of the run or audit that a journal or report belongs to; if unreadable, when the file was written. */
export const idIn = (path: string): string => {
  const id = attempt(() => {
    if (path.endsWith('report.json')) return report.parse(JSON.parse(readFileSync(path, 'utf8'))).run.id
    const { type, id, startedAt } = firstRecord.parse(JSON.parse(firstLine(path)))
    return type === 'audit' ? `${startedAt}-client` : id
  })
  return id ?? statSync(path).mtime.toISOString()
}

const nameFor = (id: string): string => {
  const plain = id.replace(/[:.]/g, '-').replace(/[^\w-]/g, '')
  return plain.replace(/^-+/, '').slice(0, mostNameCharacters) || 'run'
}

/** Moves an earlier run to its own subfolder. Returns its path and the number of kept runs; undefined if there is none. */
export const keepEarlier = (folder: string) => {
  const named = telling
    .map((name) => join(folder, name))
    .find((path) => statSync(path, { throwIfNoEntry: false })?.size)
  if (named === undefined) return undefined
  const id = nameFor(idIn(named))
  const there = left.filter((name) => existsSync(join(folder, name)))
  const names = (nth: number) => join(folder, earlierFolder, nth === 1 ? id : `${id}-${nth}`)
  let nth = 1
  // Half of it may be there already if an earlier move was killed; a second file of that name means another run.
  while (there.some((name) => existsSync(join(names(nth), name)))) nth += 1
  const path = names(nth)
  mkdirSync(path, { recursive: true })
  for (const name of there) renameSync(join(folder, name), join(path, name))
  return { path, inAll: readdirSync(join(folder, earlierFolder)).length }
}

/** Does so, and says where the earlier run went. */
export const makeRoom = (folder: string, say: (text: string) => void): void => {
  const { path, inAll = 0 } = keepEarlier(folder) ?? {}
  const others = inAll > 1 ? ` (one of ${inAll} there; delete those that you no longer need)` : ''
  if (path !== undefined) say(`the earlier run is kept: ${path}${others}`)
}
