import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadContract } from '../src/contract/file/load-contract.js'
import { countsByAddress } from '../src/contract/partitions.js'
import { type Report, reportModel } from '../src/report/model.js'
import { cellOf, type Played } from './cells.js'
import type { Limiter } from './limiter.js'
import { apartOf, type Play, scenarioOf } from './plays.js'
import { startStand } from './stand.js'

const keys = { KEY_ONE: 'observatory-one-Qa91Ws82', KEY_TWO: 'observatory-two-Ed73Rf64' }

/** What is played, by which program. */
export interface Job {
  readonly program: string
  readonly limiter: Limiter
  readonly play: Play
}

/** Plays a run by the command line, as a user would, and gives its report. */
const played = async ({ program, limiter, play }: Job, out: string, off: boolean): Promise<Report> => {
  const stand = await startStand(limiter, { processes: play.processes, off })
  try {
    rmSync(out, { recursive: true, force: true })
    mkdirSync(out, { recursive: true })
    const contract = ['--contract', join(limiter.folder, 'contract.yaml')]
    const { contract: read } = await loadContract(join(limiter.folder, 'contract.yaml'))
    const scenario = join(out, 'scenario.yaml')
    const key = read.quotas.some(countsByAddress) ? 'address' : 'one'
    writeFileSync(scenario, JSON.stringify(scenarioOf(play, stand.control, key)))
    // What an event may do is judged only where the contract says it.
    const judged = play.only?.filter((each) => !each.startsWith('quota.events-allowed') || read.events !== undefined)
    const only = judged?.flatMap((each) => ['--only', each]) ?? []
    const withThem = play.only
      ? [...new Set(play.probes.map(({ probe }) => `${probe}`))].flatMap((each) => ['--with', each])
      : []
    const target = ['--target', stand.url, '--out', join(out, 'run'), '--no-config', '--yes', '--quiet']
    const child = spawn(process.execPath, [program, 'run', scenario, ...contract, ...only, ...withThem, ...target], {
      env: { ...process.env, ...keys },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.on('data', (text) => {
      said = `${said}${text}`.slice(-2_000)
    })
    const code = await new Promise<number | null>((resolve, reject) =>
      child.once('error', reject).once('close', resolve),
    )
    if (code === null || code > 2) throw new Error(`the run ended with ${code}: ${said.trim()}`)
    return reportModel.parse(JSON.parse(readFileSync(join(out, 'run', 'report.json'), 'utf8')))
  } finally {
    await stand.close()
  }
}

const cellsOf = async (job: Job, folder: string): Promise<Played[]> => {
  const report = await played(job, join(folder, job.play.id), false)
  const beside = job.play.beside ? await played(job, join(folder, `${job.play.id}-off`), true) : undefined
  return job.play.fills.map((column) => ({ column, ...cellOf(job.limiter, column, report, beside) }))
}

/** Plays a run once. Where several columns share it and it breaks a quota, each of them is played by itself. */
export const playCells = async (job: Job, folder: string): Promise<Played[]> => {
  const cells: Played[] = []
  for (const cell of await cellsOf(job, folder)) {
    const apart = job.play.fills.length > 1 && cell.breaksQuota ? apartOf(cell.column) : undefined
    cells.push(...(apart ? await cellsOf({ ...job, play: apart }, folder) : [cell]))
  }
  return cells
}
