import { reportOf } from '../../assembly/build-report.js'
import type { ApiContract } from '../../contract/api-contract.js'
import type { Evidence } from '../../evidence/evidence.js'
import { UsageError } from '../../kit/usage-error.js'
import { writeReports } from '../../report/write-files.js'
import { thisProgram } from '../../run/machine.js'
import { checksOf } from '../../run/registry.js'
import { savedEvidence } from '../../run/run-folder.js'
import { type ArgsOf, wordsOf } from '../flags/command.js'
import { savedRunCommands } from '../flags/saved-runs.js'
import { runOutput, unlessInUse } from '../output/summary.js'
import { givenContract } from '../run/given-contract.js'

type Args = ArgsOf<typeof savedRunCommands.judge>

/** The evidence under another contract file, which has to be for the same API. */
const judgedBy = (evidence: Evidence, contract: ApiContract | undefined): Evidence => {
  const { run } = evidence
  if (!contract) return evidence
  if (!run.contract) throw new UsageError('--contract: the run was against the Petstore interface, not a contract file')
  const unknown = Object.keys(run.contract.requests).find((probe) => !Object.hasOwn(contract.requests, probe))
  if (unknown !== undefined) {
    throw new UsageError(
      `--contract: the run sent the request ${unknown}, which this contract does not have: judge it by a contract that has it, or run again`,
    )
  }
  return { ...evidence, run: { ...run, contract } }
}

/** The evidence of a saved run, with the given contract and waivers, if any. Says what can't be read. */
export const judgedEvidence = async (
  { dir, waivers, ...flags }: Partial<Pick<Args, 'contract' | 'waivers'>> & { readonly dir: string },
  say: (text: string) => void,
): Promise<Evidence> => {
  const saved = judgedBy(savedEvidence(dir, say), await givenContract(flags))
  if (waivers === undefined) return saved
  const { loadWaivers } = await import('../../run/options/waivers.js')
  const ids = checksOf(saved.run).map(({ id }) => id)
  return { ...saved, run: { ...saved.run, waivers: loadWaivers(waivers, ids) } }
}

/** Judges a saved run again, offline: the same evidence gives the same verdicts. */
const judgeAgain = async (args: Args): Promise<void> => {
  const [dir] = args.dir
  const evidence = await judgedEvidence({ ...args, dir }, (text) => process.stderr.write(`${text}\n`))
  const report = reportOf(evidence)
  const path = unlessInUse(dir, () => writeReports(dir, report))
  await runOutput({}).conclude(report, path)
  process.exitCode = report.run.exitCode
}

/** The flags to repeat when the logs are judged again. */
const telling = ['contract', 'complete', 'format', 'fields', 'request', 'clock-error', 'longest', 'strict'] as const

const judgeLogs = async (args: Args): Promise<void> => {
  const { complete, format, fields, request, strict, out = 'reports/logs', as } = args
  const contract = await givenContract(args)
  if (!contract) throw new UsageError('--contract is missing: give the contract file of the API whose logs these are')
  const [{ fieldPlaces }, { givenLogs, judgeTraffic }] = await Promise.all([
    import('../../logs/fields.js'),
    import('../../logs/log-report.js'),
  ])
  const names = [...args.log, ...args.dir]
  const secrets = Object.entries(contract.credentials).flatMap(([name, { env }]) => {
    const secret = env === undefined ? undefined : process.env[env]
    return secret ? [[name, secret] as const] : []
  })
  const words = wordsOf(savedRunCommands.judge.options, { ...args, log: names }, ['log', ...telling])
  const output = runOutput({ as })
  const { notes, report } = await judgeTraffic({
    contract,
    logs: givenLogs(names, { errors: args['clock-error'], longest: args.longest }, process.stdin),
    format,
    fields: fields === undefined ? {} : fieldPlaces(fields),
    requests: request,
    secrets: Object.fromEntries(secrets),
    isComplete: complete,
    strict,
    command: [`${thisProgram()} judge`, ...words].join(' '),
  })
  for (const note of notes) output.say(note)
  await output.conclude(report, writeReports(out, report))
  process.exitCode = report.run.exitCode
}

export const judge = (args: Args): Promise<void> => (args.log.length === 0 ? judgeAgain(args) : judgeLogs(args))
