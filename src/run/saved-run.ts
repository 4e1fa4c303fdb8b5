import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { arrivalsName } from '../evidence/arrivals.js'
import { type Evidence, evidenceOf } from '../evidence/evidence.js'
import { journalName, readRun } from '../evidence/journal-file.js'
import { UsageError, whyOf } from '../kit/usage-error.js'

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
