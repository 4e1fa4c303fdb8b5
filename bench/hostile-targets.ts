import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sideBySide } from '../src/kit/side-by-side.js'
import { tableCell } from '../src/kit/words.js'
import type { Report } from '../src/report/model.js'
import type { Behaviour } from '../test/hostile/behaviour.js'
import { behaviours } from '../test/hostile/behaviours/all.js'
import { optionsFor, secret, type Way, whileHostile } from '../test/hostile/play-behaviour.js'
import { collecting, peakMemory } from './process-modules.js'

// Plays the built program against each hostile target, in a process each, and writes
// docs/explanation/hostile-targets.md: what quotaspec says, how long it took, and the most memory that it held.

const root = fileURLToPath(new URL('../../', import.meta.url))
const program = join(root, 'dist/src/cli/main.js')

/** Replaces the system's resolver for a behaviour with its own host name. */
const resolving = (behaviour: Behaviour): string[] => {
  if (!behaviour.resolve) return []
  const answers: Readonly<Record<string, string>> = {
    'name-of-nothing': `throw Object.assign(new Error('getaddrinfo ENOTFOUND target.test'), { code: 'ENOTFOUND' })`,
    'name-without-end': 'return new Promise(() => {})',
    'ipv6-first': `return [{ address: '::1', family: 6 }, { address: '127.0.0.1', family: 4 }]`,
  }
  const module = `
    import dns from 'node:dns/promises'
    import { syncBuiltinESMExports } from 'node:module'
    dns.lookup = async () => { ${answers[behaviour.id] ?? 'return []'} }
    syncBuiltinESMExports()`
  return ['--import', `data:text/javascript,${encodeURIComponent(module)}`]
}

// With ids of behaviours, plays only those and writes nothing. With --collect, collects garbage every tenth of a second,
// and renews only its sentence in the page.
const collects = process.argv.includes('--collect')
const wanted = process.argv.slice(2).filter((each) => !each.startsWith('--'))

interface Row {
  readonly behaviour: Behaviour
  readonly way: Way
  readonly code: number | null
  readonly says: string
  readonly tookMs: number
  readonly peakMb: number
}

const argumentsFor = (behaviour: Behaviour, way: Way, port: number, folder: string): string[] => {
  const { target, timeScale, out, timeouts, ...trust } = optionsFor(behaviour, port, folder)
  const flags = [
    ...['--target', target, '--time-scale', String(timeScale), '--out', out],
    ...['connect', 'head', 'body'].flatMap((name) => [`--${name}-timeout`, String(timeouts.connect)]),
    ...['--time-limit', String(timeouts.run)],
    ...('ca' in trust && trust.ca ? ['--ca', trust.ca] : []),
    ...('insecure' in trust && trust.insecure ? ['--insecure'] : []),
  ]
  return ['run', join(root, 'test/hostile', `${way}.yaml`), ...flags, '--seed', '7']
}

const play = (behaviour: Behaviour, way: Way): Promise<Row> =>
  whileHostile(behaviour, way, async (port) => {
    const folder = mkdtempSync(join(tmpdir(), 'quotaspec-hostile-'))
    const peak = join(folder, 'peak')
    const startedAt = performance.now()
    const child = spawn(
      process.execPath,
      [
        ...(collects ? collecting : []),
        ...peakMemory(peak),
        ...resolving(behaviour),
        program,
        ...argumentsFor(behaviour, way, port, folder),
      ],
      { env: { PATH: process.env.PATH, QUOTASPEC_KEY_FREE: secret }, stdio: 'ignore', timeout: 120_000 },
    )
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
    const tookMs = performance.now() - startedAt
    const { headline }: Report = JSON.parse(readFileSync(join(folder, 'run', 'report.json'), 'utf8'))
    const peakMb = Number(readFileSync(peak, 'utf8')) / 1024
    rmSync(folder, { recursive: true, force: true })
    return { behaviour, way, code, says: headline.replace(/127\.0\.0\.1:\d+/g, '127.0.0.1'), tookMs, peakMb }
  })

const cell = (text: string): string => tableCell(text).replace(/\s+/g, ' ')

const line = ({ behaviour: { id, does, kind }, way, code, says, tookMs, peakMb }: Row): string =>
  `| ${id} | ${cell(does)}${way === 'load' ? ', under load' : ''} | ${kind} | ${code} | ${cell(says)} | ${(tookMs / 1000).toFixed(1)} s | ${Math.round(peakMb)} MB |`

const path = join(root, 'docs/explanation/hostile-targets.md')

const longest = (rows: readonly Row[]): string =>
  `${(Math.max(...rows.map(({ tookMs }) => tookMs)) / 1000).toFixed(1)} s`

const collectedPattern = /^With garbage collected .*$/m

/** The result of the same runs when timers, signals and promises that nobody holds are collected. */
const collected = (rows: readonly Row[]): string =>
  `With garbage collected every tenth of a second (\`npm run hostile -- --collect\`), ${rows.length} runs: none hung, none crashed, none passed that must not; the longest took ${longest(rows)}.`

const page = (rows: readonly Row[], collectedBefore: string): string => `# Hostile and broken targets

What quotaspec says about broken targets: each row is one run of the built program against a small
server (\`test/hostile/behaviours/\`). If the target may never answer, each phase of an exchange may take 0.4 s and the
run 20 s; otherwise 60 s and 10 min. \`npm run hostile\` writes this page; \`npm test\` plays the same targets in one process.

A *conforming* target is unusual but correct: any exit code other than 0 would be a false alarm. An *odd* target breaks HTTP in a way that
the interface does not mention. No other target may exit with 0: *unproven* is 2, *broken* is 1, *bad* is either.

${rows.length} runs of ${behaviours.length} behaviours: none hung, none crashed, the longest took ${longest(rows)}, the most memory was ${Math.round(Math.max(...rows.map(({ peakMb }) => peakMb)))} MB.

${collectedBefore}

| id | a target that | kind | exit | what quotaspec says | time | peak memory |
|---|---|---|---|---|---|---|
${rows.map(line).join('\n')}
`

/** Nearly all of a play is waiting. */
const atOnce = 4

const plays = behaviours
  .filter(({ id }) => wanted.length === 0 || wanted.includes(id))
  .flatMap((behaviour) => {
    const ways: readonly Way[] = behaviour.underLoad === false ? ['single'] : ['single', 'load']
    return ways.map((way) => ({ behaviour, way }))
  })
const rows = await sideBySide(plays, atOnce, async ({ behaviour, way }) => {
  const row = await play(behaviour, way)
  process.stdout.write(`${line(row)}\n`)
  return row
})
const wrong = rows.filter(
  ({ code, behaviour: { kind } }) =>
    ![0, 1, 2].includes(code ?? -1) || (code === 0 && !/^(conforming|odd)$/.test(kind)),
)
for (const { behaviour, way, code } of wrong) process.stdout.write(`WRONG: ${behaviour.id} ${way}: exit ${code}\n`)
if (wrong.length === 0 && wanted.length === 0) {
  const before = readFileSync(path, 'utf8')
  const written = collects
    ? before.replace(collectedPattern, collected(rows))
    : page(rows, collectedPattern.exec(before)?.[0] ?? '')
  writeFileSync(path, written)
}
// Behaviours go on for a while on closed connections; nobody waits for that.
process.exit(wrong.length > 0 ? 1 : 0)
