import { expect, test } from 'vitest'
import type { KeyRecord } from '../readings/key-record.js'
import { silentWaits } from './silent-waits.js'

/** When it was sent and answered, what became of it, and the wait that it names, in milliseconds. */
type Row = readonly [sent: number, received: number, status: number, wait?: number]

const recordOf = (rows: readonly Row[]) => {
  const column = (cell: number) => Float64Array.from(rows, (row) => row[cell] ?? Number.NaN)
  const [sentMs, receivedMs, waitMs] = [column(0), column(1), column(3)]
  return { size: rows.length, sentMs, receivedMs, waitMs, status: Uint16Array.from(column(2)) } as unknown as KeyRecord
}

test.each<
  readonly [string, readonly Row[], readonly (readonly [refusal: number, retry: number, hadCompany: boolean])[]]
>([
  [
    'who waits as told ends a silence',
    [
      [0, 10, 429, 1000],
      [1010, 1020, 200],
    ],
    [[0, 1, false]],
  ],
  [
    'who comes sooner does not',
    [
      [0, 10, 429, 1000],
      [1009, 1020, 200],
    ],
    [],
  ],
  [
    'who is sent before the answer came was no silence',
    [
      [0, 10, 429, 1000],
      [5, 20, 429],
      [1010, 1020, 200],
    ],
    [[0, 2, true]],
  ],
  [
    'one that was served beside it may have had what was there, sent before it or after',
    [
      [0, 20, 200],
      [5, 30, 429, 1000],
      [10, 15, 429, 1000],
      [12, 40, 200],
      [1100, 1110, 429, 1000],
    ],
    [
      [1, 4, true],
      [2, 4, true],
    ],
  ],
  [
    'those that were refused beside it had nothing: nobody is silent before the last of their moments',
    [
      [0, 20, 429, 1000],
      [5, 30, 429, 1500],
      [1100, 1110, 429, 500],
    ],
    [],
  ],
  [
    'behind the last of their moments the silence was kept',
    [
      [0, 20, 429, 1000],
      [5, 30, 429, 1500],
      [1530, 1540, 429, 500],
    ],
    [
      [0, 2, false],
      [1, 2, false],
    ],
  ],
  [
    'one that was refused without a wait may have been the last, and nobody knows until when',
    [
      [0, 20, 429, 1000],
      [5, 30, 429],
      [1100, 1110, 429, 500],
    ],
    [[0, 2, true]],
  ],
  [
    'of two retries at once another may have had it',
    [
      [0, 10, 429, 1000],
      [1010, 1020, 429],
      [1015, 1030, 200],
    ],
    [],
  ],
])('%s', (_, rows, expected) => {
  const found = [...silentWaits(recordOf(rows))].map(({ refusal, retry, hadCompany }) => [refusal, retry, hadCompany])
  expect(found).toEqual(expected)
})
