import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { exitCodes } from '../../assembly/exit-code.js'
import { type KeystoneOptions, type KeystoneRow, playKeystone } from './keystone.js'
import { tellsTheSame } from './kill-matrix.js'
import type { Matrix } from './matrices.js'

export interface MatrixOptions extends Omit<KeystoneOptions, 'trials' | 'watch'> {
  readonly matrix: Matrix
  /** Ids of faults and variations; none plays all. */
  readonly ids: readonly string[]
  /** The page that is written, or renewed where there are ids. */
  readonly write?: string
  /** The page that has to tell what came out. */
  readonly compare?: string
  readonly say: (line: string) => void
}

const tell = (row: KeystoneRow, { ids, say }: MatrixOptions): void => {
  const got = [...row.failing].sort().join(', ') || 'nothing'
  const open = row.open.length > 0 ? `, open ${row.open.join(', ')}` : ''
  const verdict = row.exact ? 'ok ' : 'NOT'
  const wanted = row.exact ? '' : ` (wanted ${[...row.expected].sort().join(', ') || 'nothing'})`
  say(`${verdict} ${row.kind} ${row.id}: ${got}${wanted}${row.exact ? '' : open} ${row.seconds} s`)
  if (!row.exact)
    for (const { where, looksLike, facts } of row.diagnosed)
      say(`    ${where} was taken for ${looksLike ?? 'nothing known'} ${JSON.stringify(facts)}`)
  if (ids.length > 0 && row.killers.length > 0) say(`    brought down by ${[...row.killers].sort().join(', ')}`)
}

const savedIn = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '')

/** Writes the page; of a few trials those that are not as they should be stay as they were. */
const writePage = (file: string, rows: readonly KeystoneRow[], { matrix, ids, say }: MatrixOptions): void => {
  const saved = savedIn(file)
  const isWhole = ids.length === 0
  const right = isWhole ? rows : rows.filter(({ exact }) => exact)
  for (const { id } of rows.filter((row) => !right.includes(row))) say(`NOT ${file}: ${id} is not renewed`)
  writeFileSync(file, isWhole ? matrix.render(saved, rows) : matrix.renew(saved, right))
}

/** Plays a matrix. The exit code is 0 only where every row is exact, every check killed and the page not stale. */
export const runMatrix = async (options: MatrixOptions): Promise<number> => {
  const { matrix, ids, timeScale, seed, atOnce, write, compare, say } = options
  const rows = await playKeystone({
    trials: matrix.trials(ids),
    timeScale,
    seed,
    atOnce,
    watch: (row) => tell(row, options),
  })
  const wrong = rows.filter(({ exact }) => !exact)
  const unkilled = ids.length === 0 ? matrix.unkilled(rows) : []
  for (const id of unkilled) say(`NOT check ${id}: no fault brings it down`)
  if (write !== undefined) writePage(write, rows, options)
  const isStale =
    compare !== undefined && !tellsTheSame(matrix.partOf(savedIn(compare)), matrix.partOf(matrix.render('', rows)))
  if (isStale) say(`NOT ${compare}: stale; ${matrix.renewal(compare)} renews it`)
  say(`${rows.length - wrong.length} of ${rows.length} exact`)
  return wrong.length + unkilled.length === 0 && !isStale ? exitCodes.pass : exitCodes.fail
}
