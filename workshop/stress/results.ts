import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { UsageError } from '../../src/kit/usage-error.js'
import { conditionNames } from './conditions.js'

/** One play of one trial under one condition: a line of the results. */
const stressResult = z.object({
  condition: z.enum(conditionNames),
  kind: z.enum(['fault', 'variation']),
  id: z.string(),
  seed: z.number(),
  timeScale: z.number(),
  /** The build that was played, so that no result is mistaken for that of other code. */
  build: z.string(),
  /** Its commit, `a1b2c3d of 2026-11-22`. */
  commit: z.string().nullable().default(null),
  /** For a fault, the clauses that it breaks. */
  expected: z.array(z.string()),
  /** Clauses at `must` and `should` level, by verdict. */
  failing: z.array(z.string()),
  open: z.array(z.string()),
  passing: z.array(z.string()),
  /** Whether exactly the expected clauses failed, and the target was correctly diagnosed. */
  exact: z.boolean(),
  exitCode: z.number(),
  seconds: z.number(),
})
export type StressResult = z.infer<typeof stressResult>

const lineOf = (file: string, text: string, at: number): StressResult => {
  try {
    return stressResult.parse(JSON.parse(text))
  } catch (error) {
    throw new UsageError(
      `--results ${file}: line ${at + 1} is no result of a trial; name another file, or take the line out`,
      { cause: error },
    )
  }
}

/** The results so far, and where the next ones go. */
interface ResultsFile {
  /** Oldest first. */
  readonly earlier: readonly StressResult[]
  /** Appends a line, in one write. */
  add(result: StressResult): void
}

/** Opens or creates a file of results. Removes a truncated last line. */
export const openResults = (file: string): ResultsFile => {
  mkdirSync(dirname(file), { recursive: true })
  const written = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const whole = written.slice(0, written.lastIndexOf('\n') + 1)
  const earlier = whole.split('\n').flatMap((text, at) => (text === '' ? [] : [lineOf(file, text, at)]))
  if (whole !== written) writeFileSync(file, whole)
  return { earlier, add: (result) => appendFileSync(file, `${JSON.stringify(result)}\n`) }
}
