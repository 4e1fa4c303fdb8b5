import { UsageError } from '../../kit/usage-error.js'
import { fieldPlaces } from '../../logs/fields.js'
import { givenLogs, judgeTraffic } from '../../logs/judge-logs.js'
import { notesOnLogs } from '../../logs/log-report.js'
import { writeReports } from '../../report/write-files.js'
import { type ArgsOf, wordsOf } from '../flags/command.js'
import { judgeSurface } from '../flags/saved-runs.js'
import { runOutput } from '../output/summary.js'
import { givenContract } from '../run/given-contract.js'

const usualFolder = 'reports/logs'

/** What is typed behind the logs to judge them again. */
const telling = ['contract', 'complete', 'format', 'fields', 'request', 'clock-error', 'longest', 'strict'] as const

/** Judges the traffic that an API had anyway, as its logs tell it. */
export const judgeLogs = async (args: ArgsOf<typeof judgeSurface>): Promise<void> => {
  const { complete, format, fields, request, strict, out = usualFolder, as } = args
  const contract = await givenContract(args)
  if (!contract) throw new UsageError('--contract is missing: say what the API of the logs promises')
  const names = [...args.log, ...args.dir]
  const secrets = Object.entries(contract.credentials).flatMap(([name, { env }]) => {
    const secret = env === undefined ? undefined : process.env[env]
    return secret ? [[name, secret] as const] : []
  })
  const output = runOutput({ as })
  const judged = await judgeTraffic({
    contract,
    logs: givenLogs(names, { errors: args['clock-error'], longest: args.longest }, process.stdin),
    format,
    fields: fields === undefined ? {} : fieldPlaces(fields),
    requests: request,
    secrets: Object.fromEntries(secrets),
    isComplete: complete,
    strict,
    command: ['quotaspec judge', ...wordsOf(judgeSurface.options, { ...args, log: names }, ['log', ...telling])].join(
      ' ',
    ),
  })
  for (const note of notesOnLogs(judged.logs)) output.say(note)
  await output.conclude(judged.report, writeReports(out, judged.report))
  process.exitCode = judged.report.run.exitCode
}
