import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type Cell, cellSchema } from './cells.js'
import { columnIds, columns, type Limiter } from './limiter.js'

const row = z.object({ id: z.string(), version: z.string(), cells: z.array(cellSchema) })

/** What was played, as docs/observatory/data.json keeps it. */
export const dataSchema = z.object({
  machine: z.object({ cores: z.number(), node: z.string() }),
  rows: z.array(row),
})
export type Data = z.infer<typeof dataSchema>
type Row = z.infer<typeof row>

const words: Readonly<Record<Cell['state'], string>> = {
  kept: 'kept',
  broken: 'broken',
  open: 'open',
  'not-promised': 'not promised',
  measured: 'measured',
}

/** A text in a table or a paragraph, whatever a limiter has put into it. */
const plain = (text: string): string =>
  text.replace(/[\\`*_{}[\]<>|]/g, (each) => `&#${each.charCodeAt(0)};`).replace(/\s+/g, ' ')

const tableOf = (head: readonly string[], lines: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const shortOf = ({ state, by }: Cell): string =>
  `${words[state]}${state === 'broken' && by !== undefined ? ` by ${by}` : ''}`

const inOrder = (cells: readonly Cell[]): Cell[] =>
  columnIds.flatMap((id) => cells.find(({ column }) => column === id) ?? [])

/** The day of all plays, or the first and the last. */
const datesOf = (rows: readonly Pick<Row, 'cells'>[]): string => {
  const dates = rows.flatMap(({ cells }) => cells.flatMap(({ repeats }) => repeats.map(({ date }) => date))).sort()
  return [...new Set([dates[0], dates.at(-1)])].join(' to ')
}

const commandOf = (id: string, column: string) => `npm run observatory -- --only ${id} --columns ${column}`

const howToRead = `## How to read it, and what it does not say
Each cell is a run of quotaspec against a small server that sets the limiter up as its own readme does. Click a cell to see
what was measured, the reason, and the command that plays it again.

| a cell says | it means |
| --- | --- |
| kept | The limiter promises this. The run tried to show a breach and found none; the limiter's page lists what the run excludes. |
| broken by N | The limiter promises this and did otherwise. At least N answers of the run are wrong, whichever permitted way of counting you take; after an event, N more were admitted. |
| open | The limiter promises this, and the run could not tell: its page says what was missing, or that no breach was seen and no replay tells which defect would have shown. It is also open if only loads of other columns showed a breach and the limiter's source does not explain it for this one, if by that source only chance decides what such a load shows, or if the run and that source contradict each other (then quotaspec is at fault). |
| not promised | The docs do not promise it. The limiter's page shows what was measured; this is no criticism. |
| measured | A figure that nobody promises. |
| (empty) | It was not played: a limiter without a store has no store that can fail. |

Where a cell was played several times, a breach in one of them counts.
A limiter that counts refused requests must not admit more than its limit, but may refuse early.

The table describes one version of each, in one setup, on one machine, over loopback. Another setting, a newer version or a
real network may do otherwise. It does not say how fast a limiter is under heavy load. Limits are small and windows
short (20 in 4 s, where the limiter can).`

/** How many runs go side by side, where nothing else is said. */
export const usuallyAtOnce = 3

/** What a machine with two cores costs for a minute where it is rented by the minute, at the most. */
const dollarsPerMinute = 0.01

/** How often cells were played, how many of those that were repeated came out otherwise, and what time the table takes. */
const repeatsAndTimes = (rows: readonly Row[]): string => {
  const cells = rows.flatMap((row) => row.cells)
  const repeated = cells.filter(({ repeats }) => repeats.length > 1)
  const changed = repeated.filter(({ repeats }) => new Set(repeats.map(({ state }) => state)).size > 1)
  const secondsOf = ({ repeats }: Cell) => repeats.reduce((sum, { seconds }) => sum + seconds, 0) / repeats.length
  const all = cells.reduce((sum, cell) => sum + secondsOf(cell), 0)
  const minutes = Math.ceil(all / usuallyAtOnce / 60)
  const often = repeated.map(({ repeats }) => repeats.length)
  const [least, most] = [Math.min(...often), Math.max(...often)]
  return [
    repeated.length === 0
      ? 'Each cell was played once.'
      : `Cells that were played several times (${least} to ${most} times): ${repeated.length}. Of these came out differently at least once, as their pages say: ${changed.length}.`,
    `A cell took ${Math.ceil(all / cells.length)} s. Most of it is waiting, so ${usuallyAtOnce} runs go side by side on two cores: at that pace the whole table takes ${minutes} minutes. Played once a month on a rented machine, that costs about $${(minutes * dollarsPerMinute).toFixed(2)} a month at a cent a minute.`,
  ].join(' ')
}

const counts = (rows: readonly Row[]): string => {
  const states = rows.flatMap(({ cells }) => cells.map(({ state }) => state))
  const of = (wanted: Cell['state']) => states.filter((each) => each === wanted).length
  return `${rows.length} limiters, ${states.length} cells: ${of('kept')} kept, ${of('broken')} broken, ${of('open')} open, ${of('not-promised')} not promised, ${of('measured')} measured.`
}

const tableOfAll = (limiters: readonly Limiter[], { rows }: Data): string => {
  const titleOf = (id: string) => limiters.find((each) => each.id === id)
  const lines = rows.map(({ id, version, cells }) => {
    const limiter = titleOf(id)
    const shown = columnIds.map((column) => {
      const cell = cells.find((each) => each.column === column)
      return cell ? `[${shortOf(cell)}](${id}.md#${column})` : ''
    })
    return [
      `[${plain(limiter?.title ?? id)}](${id}.md)`,
      limiter?.ecosystem ?? '',
      limiter?.store ?? '',
      plain(version),
      ...shown,
    ]
  })
  return tableOf(['limiter', 'from', 'store', 'version', ...columnIds], lines)
}

/** The limiters that have a folder, and no row. */
const notPlayed = (limiters: readonly Limiter[], { rows }: Data): string => {
  const left = limiters.filter(({ id }) => !rows.some((row) => row.id === id))
  return left.length === 0 ? '' : `\nNot played: ${left.map(({ title }) => plain(title)).join('; ')}.\n`
}

/** The page of all limiters. */
export const indexPage = (
  limiters: readonly Limiter[],
  data: Data,
): string => `# The observatory: which limiters keep their promise

${howToRead}

Played on ${datesOf(data.rows)} with Node.js ${data.machine.node} on ${data.machine.cores} cores. ${counts(data.rows)}
${repeatsAndTimes(data.rows)}
[What maintainers may want to know](findings.md) has what is broken, with its cause. The data is in _data.json_, beside this page in the repository.

${tableOf(
  ['column', 'what is asked'],
  columnIds.map((id) => [id, columns[id]]),
)}
${notPlayed(limiters, data)}
## The table
Click the head of a column to sort by it.

<PromiseFilter />

${tableOfAll(limiters, data)}
`

/** Columns whose runs differ only in how they ask: what breaks one is the cause in another as well. */
const ofQuota: readonly string[] = ['alone', 'race', 'steady', 'neutral', 'idle']

/** What the limiter's source says of a cell, where it says the same as the run. */
const truthOf = ({ truths }: Limiter, { column, state, findings }: Cell) => {
  const isSettled = (verdict: string) => verdict === 'fail' || verdict === 'pass'
  const isDoubted = state === 'open' && findings.every(({ verdict }) => isSettled(verdict))
  const same = truths.filter(({ what }) => what === state || (isDoubted && (what === 'kept' || what === 'broken')))
  return (
    same.find((each) => each.column === column) ??
    (ofQuota.includes(column) ? same.find((each) => ofQuota.includes(each.column)) : undefined)
  )
}

/** Of a cell without a breach for which no replay tells anything, as of waits in whole seconds for a window of one second. */
const uncertified = 'No breach was seen, but no defect could be replayed here: nothing tells which would have shown.'
const isUncertified = ({ state, findings }: Cell): boolean =>
  state === 'open' && findings.length > 0 && findings.every(({ verdict }) => verdict === 'pass')

const cellSection = (limiter: Limiter, cell: Cell): string => {
  const truth = truthOf(limiter, cell)
  const lines = [
    `### ${cell.column}`,
    `**${shortOf(cell)}**: ${plain(cell.measured)}`,
    truth && `Why: ${plain(truth.because)} (${plain(truth.source)})`,
    cell.findings.length > 0 &&
      tableOf(
        ['clause', 'check', 'verdict', 'what was seen'],
        cell.findings.map(({ clause, check, verdict, message }) => [clause, check, verdict, plain(message)]),
      ),
    cell.excludes.length > 0 && `The run excludes: ${cell.excludes.map(plain).join('; ')}.`,
    (truth === undefined || truth.what === 'kept') && isUncertified(cell) && uncertified,
    cell.repeats.length > 1 &&
      `Played ${cell.repeats.length} times: ${cell.repeats.map(({ state }) => words[state]).join(', ')}.`,
    `\`\`\`\n${commandOf(limiter.id, cell.column)}\n\`\`\``,
  ]
  return lines.filter((each) => typeof each === 'string').join('\n\n')
}

/** The page of one limiter. */
export const limiterPage = (limiter: Limiter, { version, cells }: Row): string => `# ${plain(limiter.title)}

${plain(limiter.package)} ${plain(version)}, ${limiter.ecosystem}. It counts by: ${plain(limiter.algorithm)}. Its store: ${limiter.store}. Played on ${datesOf([{ cells }])}.
[All limiters, and how to read this](index.md)

## What it promises
${
  limiter.promises.length === 0
    ? 'Nothing that a column asks.'
    : tableOf(
        ['of', 'what it says', 'where'],
        limiter.promises.map((each) => [each.columns.join(', '), plain(each.says), plain(each.source)]),
      )
}

## What was measured
${inOrder(cells)
  .map((cell) => cellSection(limiter, cell))
  .join('\n\n')}
`

/** A cause with all cells that show it, told by the first. */
const findingOf = (limiter: Limiter, version: string, cells: readonly [Cell, ...Cell[]]): string => {
  const [{ column, measured }] = cells
  const truth = truthOf(limiter, cells[0])
  const promise = limiter.promises.find((each) => each.columns.includes(column))
  return `## ${plain(limiter.title)}: ${cells.map((each) => each.column).join(', ')}
- Version: ${plain(limiter.package)} ${plain(version)}
- Promise: ${plain(promise?.says ?? '')} (${plain(promise?.source ?? '')})
- Seen: ${plain(measured)}
- Cause: ${truth ? `${plain(truth.because)} (${plain(truth.source)})` : 'not found yet'}
- Again: \`${commandOf(limiter.id, column)}\``
}

/** The broken cells of a limiter, those of its quota together. */
const findingsOf = (limiter: Limiter, { version, cells }: Row): string[] => {
  const broken = inOrder(cells).filter(({ state }) => state === 'broken')
  const groups = [
    broken.filter(({ column }) => ofQuota.includes(column)),
    ...broken.filter(({ column }) => !ofQuota.includes(column)).map((cell) => [cell]),
  ]
  return groups.flatMap(([first, ...rest]) => (first ? [findingOf(limiter, version, [first, ...rest])] : []))
}

/** What breaks a limiter's own promise, each as its maintainers can be told. */
export const findingsPage = (limiters: readonly Limiter[], { rows }: Data): string => {
  const found = rows.flatMap((each) => {
    const limiter = limiters.find(({ id }) => id === each.id)
    return limiter ? findingsOf(limiter, each) : []
  })
  return `# What maintainers may want to know

Each is a promise of a limiter's own docs that a run saw broken, on one machine, in the setup of its folder in
\`observatory/limiters\`. [How to read it](index.md) says what that does not mean.

${found.length === 0 ? 'Nothing.' : found.join('\n\n')}
`
}

/** Writes all pages into a folder. */
export const writePages = (folder: string, limiters: readonly Limiter[], data: Data): void => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'index.md'), indexPage(limiters, data))
  writeFileSync(join(folder, 'findings.md'), findingsPage(limiters, data))
  for (const each of data.rows) {
    const limiter = limiters.find(({ id }) => id === each.id)
    if (limiter) writeFileSync(join(folder, `${each.id}.md`), limiterPage(limiter, each))
  }
}
