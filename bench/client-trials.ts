import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { judgeClient } from '../src/client-audit/checks/judge-client.js'
import { buildClientReport } from '../src/client-audit/report/build-client-report.js'
import type { ClientReport } from '../src/client-audit/report/model.js'
import { arrivalsName, readArrivals } from '../src/evidence/arrivals.js'
import { toolVersion } from '../src/run/package.js'
import { clientBank, type KnownClient } from './client-bank.js'

/**
 * Audits the known clients several times, alone or next to busy processes, and compares each with its right result:
 * `client-trials.js [--times 3] [--busy 6] [--judge] [NAME ...]`. Exits with 1 if a verdict or a grade is wrong.
 */

const words = process.argv.slice(2)
const take = (flag: string, fallback: number): number => {
  const at = words.indexOf(flag)
  return at < 0 ? fallback : Number(words.splice(at, 2)[1])
}
const times = take('--times', 3)
const busy = take('--busy', 0)
const judgeOnly = words.includes('--judge')
const names = words.filter((word) => word !== '--judge')

const program = join(import.meta.dirname, '../src/cli/main.js')
const folderOf = ({ name }: KnownClient, trial: number): string =>
  join('reports/client-trials', busy > 0 ? 'busy' : 'quiet', `${name.replace(/\W+/g, '-')}-${trial}`)

const play = async (client: KnownClient, trial: number): Promise<void> => {
  const noisy: ChildProcess[] = Array.from({ length: busy }, () =>
    spawn(process.execPath, ['-e', 'setTimeout(() => process.exit(), 240_000); for (;;) Date.now()'], {
      stdio: 'ignore',
    }),
  )
  const flags = ['client', '--out', folderOf(client, trial), '--', ...client.command]
  const audit = spawn(process.execPath, [program, ...flags], {
    env: { ...process.env, ...client.env },
    stdio: 'ignore',
  })
  await new Promise((resolve) => audit.once('close', resolve))
  for (const each of noisy) each.kill('SIGKILL')
}

const order = 'ABCDF'

/** The errors in a report of this client: a wrong verdict, or a grade that excludes the right one. */
const wrongIn = ({ grade, clauses }: ClientReport, { grade: right, breaks }: KnownClient): string[] => {
  const verdicts = clauses.flatMap(({ id, verdict, reason }) => {
    const broken = breaks.some((each) => each === id)
    return (verdict === 'fail' && !broken) || (verdict === 'pass' && broken) ? [`${id} ${verdict}: ${reason}`] : []
  })
  const within =
    grade.letter !== 'none' &&
    order.indexOf(grade.best) <= order.indexOf(right) &&
    order.indexOf(right) <= order.indexOf(grade.worst)
  return within ? verdicts : [...verdicts, `grade ${grade.letter ?? `${grade.worst} to ${grade.best}`}`]
}

const shown = ({ grade: { letter, best, worst } }: ClientReport): string => letter ?? `${worst} to ${best}`

let wrongs = 0
for (const client of clientBank.filter(({ name }) => names.length === 0 || names.some((each) => name.includes(each)))) {
  for (let trial = 1; trial <= times; trial += 1) {
    if (!judgeOnly) await play(client, trial)
    const folder = folderOf(client, trial)
    if (!existsSync(join(folder, arrivalsName))) continue
    const audit = readArrivals(folder)
    const report = buildClientReport(audit, judgeClient(audit), toolVersion)
    const wrong = wrongIn(report, client)
    wrongs += wrong.length
    const open = report.clauses.filter(({ verdict }) => verdict === 'inconclusive').map(({ id }) => id)
    const load = judgeOnly ? '' : `, load ${loadavg()[0].toFixed(1)}`
    process.stdout.write(
      `${client.name} ${trial}: ${shown(report)} (${client.grade})${load}${open.length > 0 ? `; open: ${open.join(', ')}` : ''}${wrong.length > 0 ? `; WRONG: ${wrong.join('; ')}` : ''}\n`,
    )
  }
}
process.exitCode = wrongs > 0 ? 1 : 0
