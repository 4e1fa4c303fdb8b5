import { decodedBody } from '../../evidence/decoded-body.js'
import { type HeaderLine, headerValues } from '../../evidence/exchange.js'
import type { BodyReader, LedgerWriter } from '../../evidence/ledger.js'
import { codingsIn } from '../../kit/content-coding.js'

/** As much of a body as is looked at: what says that a request was refused is far shorter. */
const mostBytes = 64 * 1024

/** A body that is being gathered, to be looked at. */
export interface WatchedBody {
  readonly row: number
  readonly raw: readonly string[]
  readonly chunks: Buffer[]
  bytes: number
  kept: number
}

const linesOf = (raw: readonly string[]): HeaderLine[] =>
  Array.from({ length: raw.length / 2 }, (_, at) => [raw[2 * at], raw[2 * at + 1]])

/** Gathers the bodies that decide what an answer was, and has them read. */
export class BodyWatch {
  readonly #decoding = new Set<Promise<void>>()
  #thrown: { readonly error: unknown } | undefined

  /** `told` hears of each row once its body has been read. */
  constructor(
    readonly ledger: LedgerWriter,
    readonly readBody: BodyReader | undefined,
    readonly told: (row: number) => void,
  ) {}

  /** Begins to gather the body of an answer; undefined where nobody wants it. */
  begin(row: number, raw: readonly string[]): WatchedBody | undefined {
    if (!this.readBody?.wants(this.ledger, row, raw)) return undefined
    return { row, raw: [...raw], chunks: [], bytes: 0, kept: 0 }
  }

  /** Adds to a body, up to the bound. Copies, for the parser's chunks are views of a larger buffer. */
  static add(body: WatchedBody, chunk: Buffer): void {
    body.bytes += chunk.length
    const room = mostBytes - body.kept
    if (room <= 0) return
    const part = Buffer.from(chunk.subarray(0, room))
    body.kept += part.length
    body.chunks.push(part)
  }

  /** The body has come to its end, whole or not. One in a content coding is read a moment later. */
  end(body: WatchedBody, isWhole: boolean): void {
    const { raw, chunks, bytes, kept } = body
    const content = Buffer.concat(chunks)
    const lines = linesOf(raw)
    if (codingsIn(headerValues(lines, 'Content-Encoding')).length === 0) {
      this.#read(body, content, isWhole)
      return
    }
    const truncated = kept < bytes
    const decoding = decodedBody({ content, bytes, truncated, isCut: truncated || !isWhole }, lines, mostBytes)
      .then((decoded) => this.#read(body, decoded.content, isWhole && decoded.coding === 'undone'))
      .catch((error: unknown) => {
        this.#thrown ??= { error }
      })
      .finally(() => this.#decoding.delete(decoding))
    this.#decoding.add(decoding)
  }

  /** Resolves when all bodies that have ended have been read; rejects with what was thrown by those who were told. */
  async finish(): Promise<void> {
    await Promise.all(this.#decoding)
    if (this.#thrown) throw this.#thrown.error
  }

  #read({ row, raw }: WatchedBody, content: Buffer, isWhole: boolean): void {
    this.readBody?.read(this.ledger, row, raw, content, isWhole)
    this.told(row)
  }
}
