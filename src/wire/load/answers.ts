import { decodedBody, type ReceivedBody } from '../../evidence/decoded-body.js'
import { type HeaderLine, headerLines, headerValues } from '../../evidence/exchange.js'
import { cutHeaders, headerCost } from '../../evidence/kept-headers.js'
import type { BodyReader, LedgerSample, LedgerWriter } from '../../evidence/ledger.js'
import { codingsIn } from '../../kit/content-coding.js'
import type { ResponseHead } from './autocannon-driver.js'
import type { LoadSpec } from './load-order.js'

/** How much of a body is examined: what identifies a refusal is far shorter. */
const mostBytes = 64 * 1024

const gathering = (row: number, most: number) => ({ row, most, chunks: [] as Buffer[], bytes: 0, kept: 0 })

type Gathered = ReturnType<typeof gathering>

/** Adds to a body, up to its bound. Copies, since the parser's chunks are views of a larger buffer. */
export const gather = (body: Gathered, chunk: Buffer): void => {
  body.bytes += chunk.length
  const room = body.most - body.kept
  if (room <= 0) return
  const part = Buffer.from(chunk.subarray(0, room))
  body.kept += part.length
  body.chunks.push(part)
}

export interface WatchedBody extends Gathered {
  readonly raw: readonly string[]
}

/** Gathers the bodies that decide what an answer was, and passes them to their reader. */
export class BodyWatch {
  readonly #decoding = new Set<Promise<void>>()
  #thrown: { readonly error: unknown } | undefined

  /** `told` is called for each row once its body has been read. */
  constructor(
    readonly ledger: LedgerWriter,
    readonly readBody: BodyReader | undefined,
    readonly told: (row: number) => void,
  ) {}

  begin(row: number, raw: readonly string[]): WatchedBody | undefined {
    if (!this.readBody?.wants(this.ledger, row, raw)) return undefined
    return { ...gathering(row, mostBytes), raw: [...raw] }
  }

  /** The body has ended, complete or not. One with a content coding is read a moment later. */
  end(body: WatchedBody, isWhole: boolean): void {
    const { raw, chunks, bytes, kept } = body
    const content = Buffer.concat(chunks)
    const lines = headerLines(raw)
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

  /** Resolves when all ended bodies have been read; rejects with what a callback threw. */
  async finish(): Promise<void> {
    await Promise.all(this.#decoding)
    if (this.#thrown) throw this.#thrown.error
  }

  #read({ row, raw }: WatchedBody, content: Buffer, isWhole: boolean): void {
    this.readBody?.read(this.ledger, row, raw, content, isWhole)
    this.told(row)
  }
}

/** Samples per status: the first, and one to compare it with. */
const perStatus = 2
/** How many statuses are sampled: a target that uses more is not honest. */
const mostStatuses = 20
/** How much of a body is kept: more than a report shows. */
const mostBodyBytes = 16 * 1024
/** After redaction the end of a cut body is dropped, since a secret may have been cut there: longer than any key. */
const marginCharacters = 4 * 1024

/** The most bytes of a response's headers; beyond that, only headers that checks read by name are kept. */
const mostHeaderBytes = 16 * 1024

const bounded = (headers: readonly HeaderLine[]): HeaderLine[] =>
  headers.reduce((sum, line) => sum + headerCost(line), 0) > mostHeaderBytes ? cutHeaders(headers) : [...headers]

interface Draft extends Gathered {
  readonly head: ResponseHead
}

/** Of those served also the 4th, 8th, 16th and so on: under load a body may be another than at its begin. */
const isKept = (status: number, nth: number): boolean =>
  nth <= perStatus || (status === 200 && Number.isInteger(Math.log2(nth)))

/** Keeps a few complete responses of each status. */
export class ResponseSamples {
  readonly #seen = new Map<number, number>()
  readonly #drafts: Draft[] = []

  begin(row: number, head: ResponseHead): Draft | undefined {
    const seen = this.#seen.get(head.statusCode) ?? 0
    if (seen === 0 && this.#seen.size === mostStatuses) return undefined
    this.#seen.set(head.statusCode, seen + 1)
    if (!isKept(head.statusCode, seen + 1)) return undefined
    const draft = {
      ...gathering(row, mostBodyBytes + marginCharacters),
      head: { ...head, headers: [...head.headers] },
    }
    this.#drafts.push(draft)
    return draft
  }

  /** The samples, without secrets. `isBroken` tells whether a row's body broke off. */
  finish(redaction: Redaction, isBroken: (row: number) => boolean = () => false): Promise<LedgerSample[]> {
    return Promise.all(this.#drafts.map((draft) => sampleOf(draft, redaction, isBroken(draft.row))))
  }
}
export type { Draft as SampleDraft }

type Redaction = Pick<LoadSpec, 'redact' | 'redactHeader'>

const sampleOf = async (
  { row, head, chunks, bytes, kept }: Draft,
  { redact, redactHeader = ([name, value]) => [redact(name), redact(value)] }: Redaction,
  isBroken: boolean,
): Promise<LedgerSample> => {
  const lines = headerLines(head.headers)
  const truncated = kept < bytes
  const came = { content: Buffer.concat(chunks), bytes, truncated, isCut: truncated || isBroken }
  return {
    row,
    status: head.statusCode,
    reason: redact(head.statusMessage),
    headers: bounded(lines.map((line) => redactHeader(line))),
    body: recordBody(await decodedBody(came, lines, mostBodyBytes + marginCharacters), redact),
  }
}

const recordBody = ({ content, bytes, truncated, isCut, coding }: ReceivedBody, redact: LoadSpec['redact']) => {
  const cut = (text: string) => (truncated ? text.slice(0, Math.max(0, text.length - marginCharacters)) : text)
  const told = { bytes, truncated, ...(coding === undefined ? {} : { coding }) }
  // A text stays a text even if the bound cuts a character in two.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  try {
    const text = decoder.decode(content, { stream: truncated })
    return { encoding: 'utf8' as const, content: cut(redact(text, isCut)), ...told }
  } catch {
    const text = cut(redact(content.toString('latin1'), isCut))
    const clean = Buffer.from(text.replace(/[\u0100-\uffff]/g, '?'), 'latin1')
    return { encoding: 'base64' as const, content: clean.toString('base64'), ...told }
  }
}
