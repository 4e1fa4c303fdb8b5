import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { Bytes, BytesAgain, packLedger, unpackLedger } from './columns.js'

/** Milliseconds on the run's clock, as a journal has them. A body's own fields are quoted in it, and never match. */
const times = /"(sentAt|receivedAt|endedAt|at|machineMs)":(\d+(?:\.\d+)?)(?=[,}])/g
const gaps = /"(sentAt|receivedAt|endedAt|at|machineMs)":(?=[,}])/g

/** The journal without its times, and these as whole microseconds, each as its difference from the one before. */
const packJournal = (journal: string): Buffer[] => {
  const bytes = new Bytes()
  let before = 0
  const text = journal.replace(times, (_, name: string, ms: string) => {
    const us = Math.round(Number(ms) * 1000)
    bytes.cell(us, before)
    before = us
    return `"${name}":`
  })
  return [Buffer.from(text), bytes.done()]
}

const unpackJournal = (text: Buffer, packed: Buffer): string => {
  const bytes = new BytesAgain(packed)
  let us = 0
  return text.toString('utf8').replace(gaps, (gap) => {
    us = bytes.cell(us)
    return `${gap}${us / 1000}`
  })
}

const compressed = (bytes: Buffer): Buffer =>
  brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  })

/** The saved run of this folder, its journal and ledgers alone, in some twenty kilobytes. */
export const packRun = (folder: string): Buffer => {
  const journal = packJournal(readFileSync(join(folder, 'journal.jsonl'), 'utf8'))
  const ledgers = join(folder, 'ledgers')
  const names = existsSync(ledgers) ? readdirSync(ledgers).sort() : []
  const parts = [...journal, ...names.map((name) => packLedger(readFileSync(join(ledgers, name))))]
  const index = Buffer.from(`${JSON.stringify({ names, lengths: parts.map(({ length }) => length) })}\n`)
  return compressed(Buffer.concat([index, ...parts]))
}

/** Writes the saved run that was packed into this folder. */
export const unpackRun = (packed: Buffer, folder: string): void => {
  const bytes = brotliDecompressSync(packed)
  let at = bytes.indexOf('\n') + 1
  const { names, lengths }: { names: string[]; lengths: number[] } = JSON.parse(bytes.toString('utf8', 0, at))
  const [text, packedTimes, ...ledgers] = lengths.map((length) => {
    at += length
    return bytes.subarray(at - length, at)
  })
  mkdirSync(join(folder, 'ledgers'), { recursive: true })
  writeFileSync(join(folder, 'journal.jsonl'), unpackJournal(text, packedTimes))
  for (const [index, ledger] of ledgers.entries()) {
    writeFileSync(join(folder, 'ledgers', names[index]), unpackLedger(ledger))
  }
}
