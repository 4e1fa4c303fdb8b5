import { UsageError } from '../../kit/usage-error.js'
import { shellWord } from '../../kit/words.js'
import { fieldPlaces } from '../../logs/fields.js'
import { givenLogs } from '../../logs/given-logs.js'
import { judgeTraffic } from '../../logs/judge-logs.js'
import { notesOnLogs } from '../../logs/log-report.js'
import { writeReports } from '../../report/write-files.js'
import type { ArgsOf } from '../flags/command.js'
import type { judgeSurface } from '../flags/saved-runs.js'
import { runOutput } from '../output/summary.js'
import { givenContract } from '../run/given-contract.js'

type Args = ArgsOf<typeof judgeSurface>

const usualFolder = 'reports/logs'

const commandOf = (args: Args, names: readonly string[]): string => {
  const { contract = '', complete, format, fields, request, longest, strict } = args
  const words = [
    ...names.flatMap((name) => ['--log', name]),
    ...['--contract', contract],
    ...(complete ? ['--complete'] : []),
    ...(format === undefined ? [] : ['--format', format]),
    ...(fields === undefined ? [] : ['--fields', fields]),
    ...request.flatMap((each) => ['--request', each]),
    ...args['clock-error'].flatMap((each) => ['--clock-error', each]),
    ...(longest === undefined ? [] : ['--longest', longest]),
    ...(strict ? ['--strict'] : []),
  ]
  return `quotaspec judge ${words.map(shellWord).join(' ')}`
}

/** Judges the traffic that an API had anyway, as its logs tell it. */
export const judgeLogs = async (args: Args): Promise<void> => {
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
    command: commandOf(args, names),
  })
  for (const note of notesOnLogs(judged.logs)) output.say(note)
  await output.conclude(judged.report, writeReports(out, judged.report))
  process.exitCode = judged.report.run.exitCode
}
