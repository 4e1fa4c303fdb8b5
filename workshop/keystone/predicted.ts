import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { reportOf } from '../../src/assembly/build-report.js'
import { openTrialPool } from '../../src/cli/keystone/trial-pool.js'
import { sideBySide } from '../../src/kit/side-by-side.js'
import type { CertificateRow } from '../../src/report/model.js'
import { savedEvidence } from '../../src/run/run-folder.js'
import { faultCells } from './fault-cells.js'

// Compares what the certificate of a correct server's run predicts with what the same schedule detects: plays each limiter
// fault through the release gate, and the correct server as often, and prints both shares.
// Usage: node dist/workshop/keystone/predicted.js [--runs 10] [--at-once 8] [--id FAULT ...] [--results FILE]
// Results in FILE are not played again. Exits with 1 if the two differ by more than 5 points.

const options = {
  runs: { type: 'string', default: '10' },
  'at-once': { type: 'string', default: '8' },
  id: { type: 'string', multiple: true, default: [] as string[] },
  results: { type: 'string', default: join('reports', 'predicted.json') },
} as const

const [timeScale, mostApart] = [10, 0.05]

/** The share of the draws that would have shown each defect, by the key whose requests were replayed. */
type Cells = Readonly<Record<string, readonly number[]>>

const resultSchema = z.object({
  /** A fault; empty for the correct server. */
  fault: z.string(),
  seed: z.number(),
  failing: z.array(z.string()).readonly(),
  passing: z.array(z.string()).readonly(),
  cells: z.record(z.string(), z.array(z.number())),
})
type Result = z.infer<typeof resultSchema>

const cellsOf = (certificates: readonly CertificateRow[]): Cells => {
  const cells: Record<string, number[]> = {}
  for (const { excluded, open } of certificates)
    for (const { defect, share } of [...excluded, ...open]) cells[defect] = [...(cells[defect] ?? []), share]
  return cells
}

const certificatesIn = (folder: string): Cells => cellsOf(reportOf(savedEvidence(folder, () => {})).certificates)

/** The share of draws that show a defect on at least one key. */
const shownOnAny = (shares: readonly number[]): number => 1 - shares.reduce((hidden, share) => hidden * (1 - share), 1)

const mean = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length

const percent = (share: number): string => `${Math.round(100 * share)} %`

const playAll = async (
  wanted: readonly (readonly [fault: string, seed: number])[],
  atOnce: number,
  keep: (result: Result) => void,
) => {
  const pool = openTrialPool()
  const root = mkdtempSync(join(tmpdir(), 'quotaspec-predicted-'))
  try {
    await sideBySide(wanted, atOnce, async ([fault, seed]) => {
      const folder = join(root, `${fault}-${seed}`)
      const server = { faults: fault === '' ? [] : [fault] }
      const { failing, passing } = await pool.play({ server, scenario: 'release-gate', timeScale, seed, keep: folder })
      keep({
        fault,
        seed,
        failing,
        passing,
        cells: fault === '' ? ({ ...certificatesIn(folder) } as Result['cells']) : {},
      })
      rmSync(folder, { recursive: true, force: true })
    })
  } finally {
    await pool.close()
    rmSync(root, { recursive: true, force: true })
  }
}

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options })
  const { results: file, id: ids } = values
  const rows = faultCells.filter(({ fault }) => ids.length === 0 || ids.includes(fault))
  const results = existsSync(file) ? z.array(resultSchema).parse(JSON.parse(readFileSync(file, 'utf8'))) : []
  const seeds = Array.from({ length: Number(values.runs) }, (_, i) => i + 1)
  const wanted = ['', ...rows.map(({ fault }) => fault)]
    .flatMap((fault) => seeds.map((seed) => [fault, seed] as const))
    .filter(([fault, seed]) => !results.some((each) => each.fault === fault && each.seed === seed))
  await playAll(wanted, Number(values['at-once']), (result) => {
    results.push(result)
    writeFileSync(file, JSON.stringify(results))
    process.stderr.write(
      `${results.length} played: ${result.fault || 'the right server'} ${result.failing.join(' ')}\n`,
    )
  })
  const right = results.filter(({ fault }) => fault === '')
  const lines = rows.map(({ fault, cell, clause }) => {
    const played = results.filter((each) => each.fault === fault)
    const predicted = mean(right.map(({ cells }) => shownOnAny(cells[cell] ?? [])))
    const [real, green] = [
      mean(played.map(({ failing }) => (failing.some((id) => id === clause) ? 1 : 0))),
      mean(played.map(({ passing }) => (passing.some((id) => id === clause) ? 1 : 0))),
    ]
    const apart = Math.abs(predicted - real)
    return {
      apart,
      line: `| \`${fault}\` | ${clause} | \`${cell}\` | ${percent(predicted)} | ${percent(real)} | ${percent(green)} | ${Math.round(100 * (real - predicted))} |`,
    }
  })
  process.stdout.write(
    `${['| fault | clause | defect | predicted | failed | passed | apart |', '|---|---|---|---|---|---|---|', ...lines.map(({ line }) => line)].join('\n')}\n`,
  )
  process.exitCode = lines.some(({ apart }) => apart > mostApart) ? 1 : 0
}

await main()
