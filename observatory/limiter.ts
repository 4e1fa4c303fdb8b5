import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** What each limiter is asked, in the order of the table. */
export const columns = {
  alone: 'One process: not one request too many, not one too few.',
  cluster: 'Three processes behind a proxy that takes turns: still one count.',
  race: 'Fifty requests at once for the last place: one gets it.',
  steady: 'At 0.9 of the limit, with jitter, nothing is refused; at 1.2, the whole limit is admitted.',
  headers: 'The fields that show the quota are true.',
  wait: 'Refusals have a Retry-After, and the limiter keeps it.',
  neutral: 'Refused requests do not count: at twice the limit, the whole limit is still admitted.',
  idle: 'After windows of silence a burst gets the limit, and no more.',
  restart: 'The process is killed and started in the middle of a burst.',
  'store-stopped': 'The store is gone for 2 s in the middle of a load.',
  'store-slow': 'The store is 300 ms slower for 2 s in the middle of a load.',
  'store-flushed': 'The store is emptied in the middle of a burst.',
  cost: 'How long admitted and refused answers take, compared with the same server without the limiter.',
} as const

export type Column = keyof typeof columns

export const columnIds = Object.keys(columns) as Column[]

const column = z.enum(columnIds)

const promise = z.strictObject({
  columns: z.array(column).min(1),
  says: z.string(),
  source: z.string(),
  /** Of a store that fails: answers have to go on. */
  staysUp: z.boolean().default(false),
})

const truth = z.strictObject({
  column,
  what: z.enum(['kept', 'broken', 'not-promised', 'open', 'measured']),
  because: z.string(),
  source: z.string(),
})

const limiterSchema = z.strictObject({
  title: z.string(),
  ecosystem: z.enum(['npm', 'python', 'ruby', 'go', 'php', 'java', 'proxy']),
  package: z.string(),
  algorithm: z.string(),
  store: z.enum(['memory', 'redis', 'file']),
  promises: z.array(promise),
  install: z.strictObject({ npm: z.array(z.string()).optional(), debian: z.array(z.string()).optional() }),
  versionOf: z.array(z.string()).min(1).optional(),
  start: z.array(z.string()).min(1),
  reload: z.array(z.string()).min(1).optional(),
  env: z.record(z.string(), z.string()).optional(),
  truths: z.array(truth),
})

/** A limiter as its folder tells of it. */
export type Limiter = z.infer<typeof limiterSchema> & { readonly id: string; readonly folder: string }

export const readLimiter = (limiters: string, id: string): Limiter => {
  const folder = join(limiters, id)
  try {
    return { id, folder, ...limiterSchema.parse(JSON.parse(readFileSync(join(folder, 'limiter.json'), 'utf8'))) }
  } catch (cause) {
    throw new Error(`${id}: its limiter.json can't be read`, { cause })
  }
}

/** All limiters, by their ids. */
export const readLimiters = (limiters: string): Limiter[] =>
  readdirSync(limiters)
    .filter((id) => existsSync(join(limiters, id, 'limiter.json')))
    .sort()
    .map((id) => readLimiter(limiters, id))

/** The promises that a limiter makes of a column. */
export const promisesOf = ({ promises }: Pick<Limiter, 'promises'>, asked: Column) =>
  promises.filter((each) => each.columns.includes(asked))
