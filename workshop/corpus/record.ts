import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { playMatrix } from '../../src/cli/keystone/keystone.js'
import { playAgainst, playTrial } from '../../src/cli/keystone/play-trial.js'
import { trialsOf } from '../../src/cli/keystone/trials.js'
import type { ApiContract } from '../../src/contract/api-contract.js'
import { startExpressTarget } from '../../test/foreign/express-target.js'
import { startFastifyTarget } from '../../test/foreign/fastify-target.js'
import { startKoaTarget } from '../../test/foreign/koa-target.js'
import { foreignRun } from '../../test/foreign/play-target.js'
import { isExactAndDiagnosed } from '../keystone/expected-diagnosis.js'
import { examples, playExample } from './examples.js'
import { resumed } from './interrupted.js'
import { packRun } from './recording.js'
import { nameOf, recordedContracts, recordingFile } from './recordings.js'

type Play = (keep: string) => Promise<unknown>

const plain = (contract: ApiContract | undefined): [string, Play] => [
  `${nameOf(contract)}/plain`,
  (keep) => playTrial({ server: {}, contract, scenario: 'release-gate', timeScale: contract ? 1 : 10, seed: 1, keep }),
]

const foreign = (id: string, start: Parameters<typeof foreignRun>[0]): [string, Play] => [
  `foreign/${id}`,
  async (keep) => playAgainst({ ...(await foreignRun(start)), keep }),
]

/** Recordings besides faults and variations: correct servers, foreign servers, and runs in parts. */
export const others: ReadonlyMap<string, Play> = new Map([
  ...recordedContracts.map(plain),
  foreign('express-before-auth', (options) => startExpressTarget({ ...options, limits: 'before-auth' })),
  foreign('express-after-auth', (options) => startExpressTarget({ ...options, limits: 'after-auth' })),
  foreign('fastify', startFastifyTarget),
  foreign('koa', startKoaTarget),
  ...Object.entries(examples).flatMap(([name, { fault }]): [string, Play][] => [
    [`examples/${name}`, (keep) => playExample(name, [], keep)],
    [`examples/${name}-${fault}`, (keep) => playExample(name, [fault], keep)],
  ]),
  ['parts/killed-twice', (keep: string) => resumed(keep, ['SIGKILL', 'SIGKILL'])],
  ['parts/interrupted', (keep: string) => resumed(keep, ['SIGINT'])],
  ['parts/interrupted-alone', (keep: string) => resumed(keep, ['SIGINT'], false)],
])

const keepRun = (id: string, folder: string): void => {
  mkdirSync(dirname(recordingFile(id)), { recursive: true })
  writeFileSync(recordingFile(id), packRun(folder))
}

/** Plays everything with one of these words in its name again, and writes the recordings. Returns their names. */
export const record = async (
  only: readonly string[],
  say: (line: string) => void,
  atOnce?: number,
): Promise<string[]> => {
  const isAsked = (id: string) => only.length === 0 || only.some((each) => id.includes(each))
  const root = mkdtempSync(join(tmpdir(), 'quotaspec-corpus-'))
  const recorded: string[] = []
  const keep = (id: string) => {
    const folder = join(root, id)
    if (!existsSync(join(folder, 'journal.jsonl'))) return
    keepRun(id, folder)
    recorded.push(id)
  }
  try {
    for (const contract of recordedContracts) {
      const name = nameOf(contract)
      const ids = trialsOf(contract, []).flatMap(({ id }) => (isAsked(`${name}/${id}`) ? [id] : []))
      if (ids.length === 0) continue
      const matrix = { contract, ids, seed: 1, say, atOnce, keepIn: join(root, name) }
      await playMatrix({ ...matrix, holds: isExactAndDiagnosed })
      for (const id of ids) keep(`${name}/${id}`)
    }
    for (const [id, play] of others) {
      if (!isAsked(id)) continue
      await play(join(root, id))
      say(`played ${id}`)
      keep(id)
    }
    return recorded
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
