import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { matrixPages } from '../keystone/pages.js'
import { differences, type Expectation } from './expectation.js'
import { accept, expectedOf, recordings } from './recordings.js'

const usage = `npm run corpus -- [--only ID ...]

Judges the recorded runs of test/corpus offline, and prints what comes out otherwise than expected: clause by clause.
  --every N   only every Nth of them, for a first look
  --only ID   only recordings whose name has this in it, such as petstore/limit-plus-one; may be repeated
  --record    plays them anew first (with --only, or all of them: half an hour on a quiet machine)
  --at-once N with --record: trials side by side; 20, and 6 of a contract
  --accept    writes the expectations anew from what came out, and the kill matrices of the docs from them`

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

/** Judges these recordings on all processors, and passes each result on when it is done. */
const judgeAll = async (ids: readonly string[], done: (id: string, found: Expectation) => void): Promise<void> => {
  const waiting = [...ids]
  const judgeOn = (worker: Worker): Promise<void> =>
    new Promise((resolve, reject) => {
      const next = () => {
        const id = waiting.shift()
        if (id === undefined) resolve()
        else worker.postMessage(id)
      }
      worker.on('error', reject)
      worker.on('message', ({ id, found }: { id: string; found: Expectation }) => {
        done(id, found)
        next()
      })
      next()
    })
  const workers = Array.from(
    { length: Math.min(availableParallelism(), ids.length) },
    () =>
      new Worker(new URL('./judge-worker.js', import.meta.url), { resourceLimits: { maxYoungGenerationSizeMb: 192 } }),
  )
  await Promise.all(workers.map(judgeOn))
  await Promise.all(workers.map((worker) => worker.terminate()))
}

const options = {
  only: { type: 'string', multiple: true },
  every: { type: 'string', default: '1' },
  accept: { type: 'boolean' },
  record: { type: 'boolean' },
  'at-once': { type: 'string' },
  help: { type: 'boolean' },
} as const

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options })
  if (values.help) return say(usage)
  const { only = [] } = values
  const atOnce = values['at-once'] === undefined ? undefined : Number(values['at-once'])
  if (values.record) await (await import('./record.js')).record(only, say, atOnce)
  const ids = recordings()
    .filter((id) => only.length === 0 || only.some((each) => id.includes(each)))
    .filter((_, index) => index % Number(values.every) === 0)
  const startedAt = performance.now()
  let different = 0
  /** In how many recordings each line differs: those of a new check differ in nearly all. */
  const tally = new Map<string, number>()
  await judgeAll(ids, (id, found) => {
    const others = differences(expectedOf(id), found)
    if (others.length > 0) {
      different += 1
      for (const [subject] of others.map((each) => each.split('\n'))) tally.set(subject, (tally.get(subject) ?? 0) + 1)
      say(`${id}\n  ${others.join('\n  ')}`)
      if (values.accept) accept(id, found)
    }
  })
  if (values.accept) for (const [page, text] of matrixPages(expectedOf)) writeFileSync(page, text)
  if (ids.length > 1) for (const [subject, times] of tally) say(`${subject}: otherwise in ${times} of ${ids.length}`)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  say(
    `${ids.length} recordings judged in ${seconds} s, ${different} with differences${values.accept ? ', accepted' : ''}`,
  )
  process.exitCode = different > 0 && !values.accept ? 1 : 0
}

// Node 20 has no compiler between a quick one and a thorough one, which takes a sixth of the time for what hardly repeats.
if (process.version.startsWith('v20.')) setFlagsFromString('--interrupt-budget=600000')
await main()
