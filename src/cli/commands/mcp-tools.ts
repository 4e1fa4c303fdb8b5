import { join } from 'node:path'
import { z } from 'zod'
import { reportOf } from '../../assembly/build-report.js'
import { maybe } from '../../kit/described.js'
import { UsageError } from '../../kit/usage-error.js'
import { suggestion } from '../../kit/words.js'
import { innermost, plainWords, telling } from '../../kit/yaml-file.js'
import { executeIn } from '../../library/execute.js'
import type { RunEvent } from '../../library/options.js'
import { renderTerminal } from '../../report/formats/terminal.js'
import type { Report } from '../../report/model.js'
import { flagOf } from '../../run/options/command-of-run.js'
import { prepareRun } from '../../run/options/prepare-run.js'
import { isLoopback, parseTarget } from '../../run/options/target.js'
import { savedEvidence } from '../../run/run-folder.js'
import { drafting } from '../discover/discover-api.js'
import { type ConfiguredArgs, configuredRun, refuseMissingKeys } from '../run/configured-run.js'
import { doctorText, examined } from './doctor.js'
import { faultsText } from './faults.js'
import { judgedEvidence } from './judge.js'
import { planTable } from './plan.js'

/** The hosts given at the server's start, with or without a port. */
export interface Leave {
  /** Hosts that may get single requests. */
  readonly allow: readonly string[]
  /** Hosts that may also get load. */
  readonly allowLoad: readonly string[]
}

const names = (hosts: readonly string[], target: string): boolean => {
  const { host, hostname } = new URL(target)
  return hosts.some((each) => [host, hostname].includes(each.toLowerCase()))
}

/** Whether an address may get load: this machine, and hosts that allow it. */
const mayLoad = ({ allowLoad }: Leave, target: string): boolean => isLoopback(target) || names(allowLoad, target)

/** The address, if requests with keys may go there. Throws a {@link UsageError} that says who can allow it. */
const askable = (leave: Leave, text: string | undefined): string => {
  const target = parseTarget(text, 'target')
  if (mayLoad(leave, target) || names(leave.allow, target)) return target
  const { host } = new URL(target)
  throw new UsageError(
    `nothing may be sent to ${host}: this server may reach only this machine. Ask the user to start it with --allow ${host}, or for load with --allow-load ${host}`,
  )
}

interface Call {
  readonly leave: Leave
  readonly signal: AbortSignal
  /** Called with each event of a run, and the most that the run will take, in milliseconds. */
  readonly onEvent: (event: RunEvent, plannedMs: number) => void
}

const tool = <S extends z.ZodObject>(
  name: string,
  description: string,
  input: S,
  act: (given: z.infer<S>, call: Call) => Promise<string>,
) => ({
  name,
  description,
  inputSchema: z.toJSONSchema(input, { io: 'input' }),
  /** Throws a {@link UsageError} that says what to give instead. */
  async call(given: unknown, call: Call): Promise<string> {
    const read = input.safeParse(given ?? {}, { error: plainWords })
    if (read.success) return await act(read.data, call)
    const { issue, path, fields } = innermost(telling(read.error.issues), input)
    if (issue.code !== 'unrecognized_keys') throw new UsageError(`${path.join('.') || name}: ${issue.message}`)
    throw new UsageError(`${issue.keys[0]} is not a field of ${name}: ${suggestion(issue.keys[0] ?? '', fields)}`)
  },
})

const target = z.string().describe('The base address of the API; for the Petstore it ends with /v1.')
const contract = z
  .string()
  .optional()
  .describe(
    "The path of the API's contract file; discover drafts one. Without it, quotaspec takes the API for a Petstore.",
  )

const asked = z.strictObject({ target, contract, timeScale: maybe(z.number(), 'Divides every window.') })

const wanted = asked.extend({
  scenario: maybe(z.string(), 'A scenario by its name or path; release-gate if none is given.'),
  only: maybe(z.array(z.string()), 'Only these clauses, areas or checks: QUOTA-1, RATE.'),
  withoutLoad: maybe(z.boolean(), 'Play only probes without load; the run then ends inconclusive.'),
  readOnly: maybe(z.boolean(), 'Send no request that changes anything.'),
  longWindows: maybe(z.boolean(), 'Spend quotas whose window is an hour or longer, too.'),
  seed: maybe(z.number().int(), 'Seed of random choices: the same seed repeats them.'),
})

/** The folder of runs; earlier ones are kept below it. */
const folder = join('reports', 'mcp')

const ofRun = z.strictObject({
  dir: z.string().default(folder).describe("The folder of a run. Default: the last run's."),
})

/** The equivalent flags. No configuration file is read, because it could allow load or name a key file. */
const flagsOf = (given: Partial<z.infer<typeof wanted>>, { leave }: Pick<Call, 'leave'>): ConfiguredArgs => {
  const target = askable(leave, given.target)
  const named = Object.fromEntries(Object.entries(given).map(([name, value]) => [flagOf([name]), value]))
  return { ...named, target, 'allow-load': mayLoad(leave, target), out: folder, config: false, quiet: true }
}

const prepared = async (given: z.infer<typeof wanted>, call: Pick<Call, 'leave'>) => {
  const { settled, contract, missing } = await configuredRun(flagsOf(given, call))
  refuseMissingKeys(missing, settled)
  return prepareRun(settled, process.env, contract)
}

const summaryWidth = 110

const summary = (report: Report, dir: string): string =>
  [
    renderTerminal(report, { colour: false, width: summaryWidth, reportPath: join(dir, 'report.html') }),
    ...report.clauses
      .filter(({ verdict }) => verdict === 'fail')
      .map(({ id, sentence }) => `explain ${id} next: it is broken. ${sentence}`),
  ].join('\n')

/** Refuses a secret in a call: the agent would have it, and keep it. */
const refuseSecret = (header: readonly string[]): void => {
  const literal = header.some((line) => !/^none$/i.test(line.trim()) && !/\$(\{\w+\}|\w+)$/.test(line.trim()))
  if (literal)
    throw new UsageError('header: name the variable that holds the secret, and never the secret: X-Api-Key: $ACME_KEY')
}

export const tools = [
  tool(
    'doctor',
    'Checks whether an API can be tested: address, TLS, keys, clocks, this machine. Sends a request with each key.',
    asked,
    async (given, call) => {
      const found = await examined(await configuredRun(flagsOf(given, call)), call.signal)
      return doctorText(found, { width: summaryWidth, colour: false })
    },
  ),
  tool(
    'discover',
    "Drafts an API's contract file from at most 20 gentle requests. Save the YAML that it returns, compare it with the API's documentation, and pass its path as contract.",
    z.strictObject({
      target,
      header: z
        .array(z.string())
        .max(2)
        .default([])
        .describe(
          'The credential, and a second one: Authorization: Bearer $ACME_KEY, with the variable that holds it.',
        ),
      probe: z.array(z.string()).max(3).default(['/']).describe('Cheap and safe paths: /items?limit=1.'),
      limit: maybe(z.int().min(1), 'The limit that the documentation names.'),
      window: maybe(z.string(), 'Its window: 1s, 1m, 1h.'),
    }),
    async ({ header, probe, limit, window, ...given }, { leave, signal }) => {
      refuseSecret(header)
      const baseUrl = askable(leave, given.target)
      const typed = { target: baseUrl, header, paths: probe, limit, window }
      const { summary: told, text } = await drafting({ ...typed, tls: {} })(signal)
      return `${told}\n\n${text}`
    },
  ),
  tool(
    'plan',
    'Says what a run would send with each key, and how long it takes. Sends nothing.',
    wanted,
    async (given, call) => planTable(await prepared(given, call)),
  ),
  tool(
    'run',
    'Plays a scenario against an API and judges whether it keeps its contract, quotas included. Takes up to some minutes and reports progress. Call plan before it, and explain for what failed.',
    wanted,
    async (given, call) => {
      const run = await prepared(given, call)
      const isLoad = run.scheduled.some(({ probe }) => probe.isLoad)
      if (isLoad && !run.options.allowLoad && !run.options.withoutLoad) {
        const { host } = new URL(run.head.baseUrl)
        throw new UsageError(
          `no load may go to ${host}: give withoutLoad: true, or ask the user to start this server with --allow-load ${host}`,
        )
      }
      const tell = (event: RunEvent) => call.onEvent(event, run.plan.durationMs)
      return summary(await executeIn(folder, { prepared: run, interrupt: call.signal, tell }), folder)
    },
  ),
  tool(
    'judge',
    'Judges a saved run again, offline, by another contract file if you like.',
    ofRun.extend({ contract }),
    async ({ dir, ...flags }) => {
      const unreadable: string[] = []
      const evidence = await judgedEvidence({ dir, ...flags }, (text) => unreadable.push(text))
      return [...unreadable, summary(reportOf(evidence), dir)].join('\n')
    },
  ),
  tool(
    'explain',
    "Explains a finding of a run: what the run saw, the exchanges that show it, the likely cause, and what to look for in the server's code.",
    ofRun.extend({ finding: z.string().describe('A clause or a check of the run: QUOTA-1.') }),
    async ({ dir, finding }) => {
      const { explained } = await import('./mcp-explain.js')
      return explained(
        savedEvidence(dir, () => {}),
        finding,
      )
    },
  ),
  tool(
    'faults',
    'Lists the faults that quotaspec can find, each with the rules that it breaks.',
    z.strictObject({ contract }),
    async (given) => faultsText(given),
  ),
]
