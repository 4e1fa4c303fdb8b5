import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startReferenceServer } from '../reference-server/petstore-app.js'
import { sideBySide } from '../src/kit/side-by-side.js'
import type { Report } from '../src/report/model.js'
import type { Behaviour } from '../test/hostile/behaviour.js'
import { bulky } from '../test/hostile/behaviours/bulky.js'
import { stopping } from '../test/hostile/behaviours/stopping.js'
import { startFront, whole } from '../test/hostile/front.js'
import { collecting, peakMemory } from './process-modules.js'

// Plays the built program's release gate, with its usual time limits, against targets that stop answering half-way, and
// against some that send very much; with and without garbage collection every tenth of a second. Writes
// docs/explanation/silent-targets.md.

const root = fileURLToPath(new URL('../../', import.meta.url))
const program = join(root, 'dist/src/cli/main.js')
const timeScale = 10
const enterprise = { minute: 300, day: 5_000 }
const keys = ['free', 'pro', 'business', 'enterprise'].map((plan) => ({ plan, secret: `Kq83Wz71Pm40Xj65-${plan}` }))

/** The longest that a run may take: then it is ended, and reported as an exit without a code. */
const longestMs = 300_000

interface Row {
  readonly behaviour: Behaviour
  readonly collects: boolean
  readonly code: number | null
  readonly ending: string
  readonly silentS: number
  readonly tookS: number
  readonly peakMb: number
  readonly journalMb: number
}

const run = (collects: boolean, port: number, folder: string): Promise<number | null> => {
  const modules = [...(collects ? collecting : []), ...peakMemory(join(folder, 'peak'))]
  const given = [
    ...['--target', `http://127.0.0.1:${port}/v1`, '--time-scale', String(timeScale), '--seed', '7'],
    ...['--quota', `enterprise=minute:${enterprise.minute},day:${enterprise.day}`, '--out', join(folder, 'run')],
  ]
  const child = spawn(process.execPath, [...modules, program, 'run', 'release-gate', ...given], {
    env: {
      PATH: process.env.PATH,
      ...Object.fromEntries(keys.map(({ plan, secret }) => [`QUOTASPEC_KEY_${plan.toUpperCase()}`, secret])),
    },
    stdio: 'ignore',
    timeout: longestMs,
    killSignal: 'SIGKILL',
  })
  return new Promise((resolve) => child.once('close', resolve))
}

/** What ended the run early, if anything; its result, if that is more than open clauses. */
const endingOf = ({ headline, notes }: Report): string => {
  const early = notes.findLast(({ text }) => /stopped answering|time limit/.test(text))?.text
  return /^The target /.test(headline) ? headline : (early ?? 'played to its end')
}

const play = async (behaviour: Behaviour, collects: boolean): Promise<Row> => {
  const issued = keys.map(({ plan, secret }) => ({ plan: plan as 'free', secret }))
  const behind = await startReferenceServer({ keys: issued, quotas: { enterprise }, timeScale, port: 0 })
  let answeredAt = performance.now()
  const front = await startFront({
    behind: behind.url,
    act: (turn) => {
      const { socket } = turn
      const before = socket.bytesWritten
      const told = behaviour.act ? behaviour.act(turn) : void socket.write(whole(turn.healthy))
      if (socket.bytesWritten - before >= whole(turn.healthy).length) answeredAt = performance.now()
      return told
    },
  })
  const folder = mkdtempSync(join(tmpdir(), 'quotaspec-silent-'))
  try {
    const startedAt = performance.now()
    const code = await run(collects, front.port, folder)
    const endedAt = performance.now()
    const report: Report = JSON.parse(readFileSync(join(folder, 'run', 'report.json'), 'utf8'))
    return {
      behaviour,
      collects,
      code,
      ending: endingOf(report),
      silentS: (endedAt - answeredAt) / 1000,
      tookS: (endedAt - startedAt) / 1000,
      peakMb: Number(readFileSync(join(folder, 'peak'), 'utf8')) / 1024,
      journalMb: statSync(join(folder, 'run', 'journal.jsonl')).size / 2 ** 20,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await front.close()
    await behind.close()
  }
}

const line = ({ behaviour, collects, code, ending, silentS, tookS, peakMb, journalMb }: Row): string =>
  `| ${behaviour.does}${collects ? ', garbage collected all the time' : ''} | ${code} | ${ending} | ${silentS.toFixed(1)} s | ${tookS.toFixed(1)} s | ${Math.round(peakMb)} MB | ${journalMb.toFixed(1)} MB |`

const page = (rows: readonly Row[]): string => `# Targets that stop answering, or send too much

The release gate at a time scale of ${timeScale}, which plans 40 s, with the default timeouts, against targets of
\`test/hostile/behaviours/\`: some work at first and then give no more complete answers, others send large answers.
Each is played twice: as it is, and with garbage collected every tenth of a second (\`node --expose-gc\`), which removes every
timer that nothing holds. \`npm run silent\` writes this page.

If a target gives no complete answer for 46 s, one second more than an exchange may take, the run ends, at most a minute
after the last answer, and judges what it saw. The run limits its memory to 600 MB, whatever the target sends.

| a target that | exit | what the report says of the end | from its last answer | in all | peak memory | journal |
|---|---|---|---|---|---|---|
${rows.map(line).join('\n')}
`

const largeAnswers = 200

/** Nearly all of a play is waiting. */
const atOnce = 2

// With ids of behaviours, plays only those and writes nothing.
const wanted = process.argv.slice(2)
/** Answers loads normally: half a megabyte for each request would only measure how fast this machine copies. */
const atFirst = (behaviour: Behaviour): Behaviour => ({
  ...behaviour,
  does: `${behaviour.does} (its first ${largeAnswers} answers)`,
  act: (turn) => (turn.nth < largeAnswers ? behaviour.act?.(turn) : void turn.socket.write(whole(turn.healthy))),
})

const behaviours = [
  ...stopping(40).filter(({ id }) => id !== 'deadlocks'),
  ...stopping(250).filter(({ id }) => id === 'deadlocks'),
  ...bulky.map(atFirst),
]
const plays = behaviours
  .filter(({ id }) => wanted.length === 0 || wanted.includes(id))
  .flatMap((behaviour) => [false, true].map((collects) => ({ behaviour, collects })))
const rows = await sideBySide(plays, atOnce, async ({ behaviour, collects }) => {
  const row = await play(behaviour, collects)
  process.stdout.write(`${line(row)}\n`)
  return row
})
const wrong = rows.filter(({ code, peakMb }) => code === null || code > 2 || peakMb > 600)
for (const row of wrong) process.stdout.write(`WRONG: ${line(row)}\n`)
if (wrong.length > 0) process.exitCode = 1
else if (wanted.length === 0) writeFileSync(join(root, 'docs/explanation/silent-targets.md'), page(rows))
