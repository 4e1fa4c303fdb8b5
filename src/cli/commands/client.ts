import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { judgeClient } from '../../client-audit/checks/judge-client.js'
import { type ClientCases, loadClientCases } from '../../client-audit/client-cases.js'
import { buildClientReport } from '../../client-audit/report/build-client-report.js'
import {
  renderClientAnnotations,
  renderClientJunit,
  renderClientMarkdown,
} from '../../client-audit/report/client-formats.js'
import { heldAgainst } from '../../client-audit/report/grade-headline.js'
import type { ClientReport } from '../../client-audit/report/model.js'
import { renderClientHtml } from '../../client-audit/report/render-client-html.js'
import { renderClientTerminal } from '../../client-audit/report/render-client-terminal.js'
import { type Audit, arrivalsName, readArrivals } from '../../evidence/arrivals.js'
import { UsageError } from '../../kit/usage-error.js'
import { counted, formatDuration, suggestion } from '../../kit/words.js'
import { renderJson } from '../../report/formats/json.js'
import { writeFiles } from '../../report/write-files.js'
import { scenarioFolder, toolVersion } from '../../run/package.js'
import { makeRoom, takeFolder } from '../../run/run-folder.js'
import { type PlannedPlay, playCase } from '../client/play-case.js'
import { type AuditPlan, playAll, runAudit } from '../client/run-audit.js'
import { type ArgsOf, wordsOf } from '../flags/command.js'
import { serverCommands } from '../flags/servers.js'
import { exitOfProcess, interruptibly } from '../output/interruption.js'
import { tellInPipeline, terminalLook, unlessInUse } from '../output/summary.js'

type Args = ArgsOf<typeof serverCommands.client>

const usage = 'quotaspec client -- COMMAND …, such as: quotaspec client -- node client.js'

/** The plays of the cases, in order; only of those named, if any are. */
const plannedPlays = ({ cases }: ClientCases, only: readonly string[]): PlannedPlay[] =>
  cases
    .filter(({ id }) => only.length === 0 || only.includes(id))
    .flatMap((each) => Array.from({ length: each.plays }, (_, at) => ({ id: `${each.id}#${at + 1}`, case: each })))

const playsOf = (args: Args): Pick<AuditPlan, 'scenario' | 'plays' | 'cases'> => {
  const cases = loadClientCases(args.cases, join(scenarioFolder, 'clients'))
  const ids = cases.cases.map(({ id }) => id)
  const unknown = args.case.find((id) => !ids.includes(id))
  if (unknown !== undefined)
    throw new UsageError(`--case ${unknown}: there is no such case; ${suggestion(unknown, ids)}`)
  const { watch = 0 } = args
  const plays = plannedPlays(cases, args.case).map(({ case: each, ...play }) => ({
    ...play,
    case: { ...each, watchSeconds: Math.max(watch, each.watchSeconds) },
  }))
  const played = new Set(plays.map((play) => play.case.id)).size
  return { scenario: cases.name, plays, cases: { played, of: ids.length } }
}

const saved = (folder: string): Audit => {
  if (!existsSync(join(folder, arrivalsName)))
    throw new UsageError(`--judge ${folder}: holds no saved audit (no ${arrivalsName})`)
  return readArrivals(folder)
}

const announce = ({ id, case: { title, work, timeZone } }: PlannedPlay, url: string, key: string): void => {
  const asked = work.requests > 1 ? ` (${work.requests} requests, ${work.workers} at once)` : ''
  const operation = work.operation === 'updateInventory' ? ' (PATCH)' : ''
  const zone = timeZone === undefined ? '' : ` (start it with TZ=${timeZone})`
  process.stdout.write(`${id.padEnd(20)} ${url}  key ${key}  ${title}${asked}${operation}${zone}\n`)
}

/** The flags that decide what is played and what it has to reach. */
const telling = ['cases', 'case', 'watch', 'at-least', 'strict'] as const

const gatherAudit = async (args: Args, planned: ReturnType<typeof playsOf>, command: readonly string[]) => {
  const { listen, strict, out } = args
  const { plays } = planned
  const client = listen ? '--listen' : command.join(' ')
  const flags = wordsOf(serverCommands.client.options, args, telling)
  const typed = ['quotaspec client', ...flags, listen ? client : `-- ${client}`].join(' ')
  const plan = { ...planned, client, command: typed, strict, out, endsByInterrupt: listen }
  const longest = Math.max(...plays.map((play) => play.case.watchSeconds))
  if (!listen) {
    process.stderr.write(
      `${counted(plays.length, 'play')} of ${client}, side by side: at most ${formatDuration(longest * 1000 + 10_000)}\n`,
    )
  }
  makeRoom(out, (text) => process.stderr.write(`${text}\n`))
  return interruptibly((interrupt) =>
    runAudit({ ...plan, interrupt }, async (context) => {
      if (listen) await Promise.all(plays.map((play) => playCase(play, context, { announce })))
      else await playAll(plays, command, context)
    }),
  )
}

/** Builds an audit's report, writes it with `write`, prints it, and returns the exit code. */
const conclude = (args: Args, audit: Audit, write: (report: ClientReport) => string | null): number => {
  const built = buildClientReport(audit, judgeClient(audit), toolVersion)
  const report = heldAgainst(built, args['at-least'], audit.head.cases)
  const reportPath = write(report)
  process.stdout.write(`${renderClientTerminal(report, { ...terminalLook(), reportPath })}\n`)
  tellInPipeline(renderClientAnnotations(report), renderClientMarkdown(report), process.stdout)
  return report.run.exitCode
}

/** Writes an audit into its folder, as JSON, as a page, as JUnit XML and in Markdown. Returns the path of the page. */
const writeClientReports = (folder: string, report: ClientReport): string => {
  writeFiles(folder, {
    'report.json': renderJson(report),
    'report.html': renderClientHtml(report),
    'junit.xml': renderClientJunit(report),
    'report.md': renderClientMarkdown(report),
  })
  return join(folder, 'report.html')
}

const auditAnew = async (args: Args, command: readonly string[]): Promise<number> => {
  const planned = playsOf(args)
  const lock = await takeFolder('--out', args.out, 'audit', exitOfProcess)
  try {
    return conclude(args, await gatherAudit(args, planned, command), (report) => writeClientReports(args.out, report))
  } finally {
    lock.release()
  }
}

export const client = async (args: Args): Promise<void> => {
  const command = args.words ?? []
  if (args.judge === undefined && args.listen === command.length > 0) {
    throw new UsageError(
      args.listen ? '--listen starts no command: remove the command' : `the command is missing: ${usage}`,
    )
  }
  const { judge: folder } = args
  process.exitCode =
    folder === undefined
      ? await auditAnew(args, command)
      : conclude(args, saved(folder), (report) => unlessInUse(folder, () => writeClientReports(folder, report)))
}
