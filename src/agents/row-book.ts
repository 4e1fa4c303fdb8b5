import { type LedgerRows, LedgerWriter, ledgerFlags } from '../evidence/ledger.js'
import { type Chunk, eachRow, isIntact, writeCells } from './chunk.js'

/** Of a share: the rows that came, on the agent's clock. A row that is not there was never told of. */
export interface RowBook {
  /** Takes a chunk; false where it is damaged. One that came before changes nothing. */
  take(chunk: Chunk): boolean
  /** How many chunks have come. */
  chunks(): number
  /** The numbers of chunks that are missing, of so many; the first ones where they are many. */
  missing(of: number): number[]
  /** One more than the index of the last row that was told of. */
  length(): number
  /** Whether a row was told of. */
  isTold(index: number): boolean
  /** The cells as they came, for as many rows as were told of. */
  rows(): LedgerRows
}

/** Chunks that are asked for at once. */
const mostAsked = 200

/**
 * Puts the chunks of a share together, in whatever order they come: of a row that several tell of, the one with the
 * highest number counts.
 *
 * @param most rows beyond it are none of the share's: a chunk with one is damaged.
 */
export const createRowBook = (most: number): RowBook => {
  const taken = new Set<number>()
  const writer = new LedgerWriter(Math.min(most, 4_096))
  /** One more than the number of the chunk that last told of a row; 0 where none did. */
  let toldBy = new Uint32Array(Math.min(most, 4_096))

  const reach = (index: number): void => {
    while (writer.length <= index) writer.append(Number.NaN, Number.NaN, 0)
    if (toldBy.length > index) return
    const grown = new Uint32Array(Math.min(most, Math.max(2 * toldBy.length, index + 1)))
    grown.set(toldBy)
    toldBy = grown
  }

  return {
    take(chunk) {
      if (!isIntact(chunk)) return false
      let isWithin = true
      eachRow(chunk, (index) => {
        isWithin &&= index < most
      })
      if (!isWithin) return false
      if (taken.has(chunk.number)) return true
      taken.add(chunk.number)
      eachRow(chunk, (index, at) => {
        reach(index)
        if (toldBy[index] > chunk.number) return
        toldBy[index] = chunk.number + 1
        writeCells(chunk, at, writer.columns, index)
      })
      return true
    },
    chunks: () => taken.size,
    missing(of) {
      const found: number[] = []
      for (let number = 0; number < of && found.length < mostAsked; number += 1) {
        if (!taken.has(number)) found.push(number)
      }
      return found
    },
    length: () => writer.length,
    isTold: (index) => (toldBy[index] ?? 0) > 0,
    rows: () => writer.rows(),
  }
}

/** The flags of a row that was marked to be sent, or may have been, and of which nothing more is known. */
export const neverHeard = ledgerFlags.lost | ledgerFlags.untold
