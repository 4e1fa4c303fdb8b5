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
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { arrivalsName } from '../evidence/arrivals.js'
import { type Evidence, evidenceOf } from '../evidence/evidence.js'
import { journalName, readRun } from '../evidence/journal-file.js'
import { systemClock } from '../kit/clock.js'
import { UsageError, whyOf } from '../kit/usage-error.js'
import { lifeOf, processIdentity, thisProcess } from './machine.js'

const claim = z.object({ what: z.enum(['run', 'restore', 'audit']), since: z.string(), by: processIdentity })
type Claim = z.infer<typeof claim>
type Occupation = Claim['what']

const form = /^in-use-[\da-f]{16}\.lock$/

/** Where a lock learns that its process ends in good order. */
export interface EndOfProcess {
  once(release: () => void): void
  off(release: () => void): void
}

/** For a process that is somebody else's: what it leaves at its end is seen to be the claim of a dead one. */
export const unwatched: EndOfProcess = { once: () => {}, off: () => {} }

/** Whoever can't be seen from here shows by writing that he lives. */
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
  /** How long it is since it was last heard of; null where its process is seen. */
  readonly silentForMs: number | null
}

/** Who has the folder besides `own`. What the dead have left is no claim, and is removed. */
const occupantOf = (folder: string, own: string | null): Occupant | undefined => {
  // The moment is that of the folder's own disk, which may be another machine's.
  const now = own === null ? systemClock.wallMs() : writtenAt(join(folder, own))
  for (const name of readdirSync(folder).filter((each) => form.test(each) && each !== own)) {
    const path = join(folder, name)
    const found = readClaim(path)
    if (found === gone) continue
    const life = found === null ? 'unknown' : lifeOf(found.by)
    const silentForMs = now - writtenAt(path)
    if (life === 'alive') return { claim: found, silentForMs: null }
    if (life === 'unknown' && silentForMs < silentMs) return { claim: found, silentForMs }
    // Its name is nobody else's, and never comes again: nothing but what was looked at goes.
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
  if (found === null) return 'somebody holds a lock there that can not be read'
  const { what, since, by } = found
  const where = silentForMs === null ? `process ${by.pid}` : `process ${by.pid} on ${by.host}`
  const rest = silentForMs === null ? 0 : Math.ceil((silentMs - silentForMs) / 1000)
  const unseen = silentForMs === null ? '' : `; if that was killed, the folder is free in ${rest} s`
  return `${occupations[what]} (${where}, since ${since}${unseen})`
}

/** Who is writing in a folder, in words; undefined where nobody is, or there is no such folder. */
export const inUseBy = (folder: string): string | undefined => {
  const occupant = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? occupantOf(folder, null) : undefined
  return occupant && inWords(occupant)
}

/** The claim as a file: whole from the moment that it has its name. */
const writeClaim = (folder: string, what: Occupation): { readonly name: string; readonly text: string } => {
  const token = randomBytes(8).toString('hex')
  const text = JSON.stringify({ what, since: new Date(systemClock.wallMs()).toISOString(), by: thisProcess() })
  const name = `in-use-${token}.lock`
  writeFileSync(join(folder, `${name}.part`), text, { flag: 'wx' })
  renameSync(join(folder, `${name}.part`), join(folder, name))
  return { name, text }
}

const beat = (path: string, text: string): void => {
  try {
    const file = openSync(path, 'r+')
    writeSync(file, text, 0)
    closeSync(file)
  } catch {
    // A folder that was removed, or a full disk: the journal tells.
  }
}

const held = (path: string, text: string, endOfProcess: EndOfProcess) => {
  const beating = setInterval(() => beat(path, text), beatMs)
  beating.unref()
  const release = () => {
    clearInterval(beating)
    endOfProcess.off(release)
    rmSync(path, { force: true })
  }
  endOfProcess.once(release)
  // He has the folder to himself until he lets it go, or his process ends, however that ends.
  return { release }
}

/**
 * Takes a folder for this process alone. Each of those who want it writes a claim under a name of its own, and then
 * looks for others: of any two the later one sees the earlier. Who sees a living one takes his back, and tries again a
 * little later, for it may be that both did. Throws a {@link UsageError} with what `refusal` makes of who has it.
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

/** Makes the folder that is called `name` (`--out`) and takes it. Throws a {@link UsageError} where it can't. */
export const takeFolder = async (
  name: string,
  folder: string,
  what: Occupation,
  endOfProcess: EndOfProcess,
): ReturnType<typeof lockFolder> => {
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

/** The evidence of a saved run. Throws a {@link UsageError} where the folder holds none. Tells what can't be read. */
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

/** Below a folder that runs write to: a folder for each run that was there before the last one. */
export const earlierFolder = 'earlier'

/** What a run or an audit leaves, and `ci/gate` beside it. What names the run goes last: until then it can be gone on with. */
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

/** The id of the run, or of the audit, of which a journal or a report is; where it can't be read, when that was written. */
export const idIn = (path: string): string => {
  try {
    if (path.endsWith('report.json')) return report.parse(JSON.parse(readFileSync(path, 'utf8'))).run.id
    const { type, id, startedAt } = firstRecord.parse(JSON.parse(firstLine(path)))
    return type === 'audit' ? `${startedAt}-client` : id
  } catch {
    return statSync(path).mtime.toISOString()
  }
}

/** An id as the name of a folder, whatever it is. */
const nameFor = (id: string): string => {
  const plain = id.replace(/[:.]/g, '-').replace(/[^\w-]/g, '')
  return plain.replace(/^-+/, '').slice(0, mostNameCharacters) || 'run'
}

/** Moves an earlier run to a folder of its own below. Gives its path, and how many there are; undefined for none. */
export const keepEarlier = (folder: string) => {
  const named = telling
    .map((name) => join(folder, name))
    .find((path) => statSync(path, { throwIfNoEntry: false })?.size)
  if (named === undefined) return undefined
  const id = nameFor(idIn(named))
  const there = left.filter((name) => existsSync(join(folder, name)))
  const names = (nth: number) => join(folder, earlierFolder, nth === 1 ? id : `${id}-${nth}`)
  let nth = 1
  // Half of it may be there already, where the one who moved it was killed; a second one of that name is another run.
  while (there.some((name) => existsSync(join(names(nth), name)))) nth += 1
  const path = names(nth)
  mkdirSync(path, { recursive: true })
  for (const name of there) renameSync(join(folder, name), join(path, name))
  return { path, inAll: readdirSync(join(folder, earlierFolder)).length }
}

/** The same, and says where the earlier run went. */
export const makeRoom = (folder: string, say: (text: string) => void): void => {
  const { path, inAll = 0 } = keepEarlier(folder) ?? {}
  const others = inAll > 1 ? ` (one of ${inAll} there; delete those that you no longer need)` : ''
  if (path !== undefined) say(`the earlier run is kept: ${path}${others}`)
}
