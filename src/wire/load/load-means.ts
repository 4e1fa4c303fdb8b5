import type { HeaderLine } from '../../evidence/exchange.js'
import type { LedgerRow, RowReader } from '../../evidence/ledger.js'
import { redactHeader } from '../../evidence/redaction/redact-header.js'
import type { Redactor } from '../../evidence/redaction/redaction.js'
import { acceptedCodings } from '../../kit/content-coding.js'
import type { LoadOrder, LoadWatch } from './load-order.js'
import type { LoadSpec } from './load-spec.js'
import { scheduleCeiling, scheduleShape } from './schedule.js'
import { stopperOf } from './stop-rule.js'

/** How the answers of a load are read: into its rows, and as what status the engine knows them. */
export interface AnswerReading extends RowReader {
  readonly statusOf: (row: LedgerRow) => number
}

/** What the sender of a load has of its own, and no order brings along: its target, its credential, its redactor. */
export interface LoadMeans {
  readonly baseUrl: string
  readonly asked: {
    readonly method: string
    readonly path: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: string
  }
  readonly credential: { readonly headers: readonly HeaderLine[]; readonly query: string }
  readonly reading: AnswerReading
  readonly redactor: Pick<Redactor, 'body' | 'redact'>
  readonly tls?: LoadSpec['tls']
  readonly pinnedAddress?: string
}

const addressOf = ({ baseUrl, asked: { path }, credential: { query } }: LoadMeans): string => {
  const joint = query === '' ? '' : path.includes('?') ? '&' : '?'
  return `${baseUrl}${path}${joint}${query}`
}

/** The load that an order asks for, with the means of whoever sends it. */
export const loadSpecOf = (order: LoadOrder, means: LoadMeans, watch: LoadWatch): LoadSpec => {
  const { connections, amount, timeoutMs, connectTimeoutMs, mostServerErrorPercent } = order
  const { asked, credential, redactor, tls, pinnedAddress } = means
  const { statusOf, ...readers } = means.reading
  const isOver = order.stop === null ? undefined : stopperOf(order.stop)
  return {
    ...watch,
    ...readers,
    url: addressOf(means),
    method: asked.method,
    headers: {
      ...Object.fromEntries(credential.headers),
      Accept: 'application/json',
      'Accept-Encoding': acceptedCodings,
      ...asked.headers,
    },
    body: asked.body,
    tls,
    pinnedAddress,
    redact: redactor.body,
    redactHeader: (line) => redactHeader(line, redactor),
    connections,
    amount,
    shape: scheduleShape(order.schedule, amount),
    mostPerSecond: scheduleCeiling(order.schedule),
    // Whether to stop is asked of rows as the contract reads them.
    stopWhen: isOver && ((row) => isOver({ ...row, status: statusOf(row) })),
    timeoutMs,
    connectTimeoutMs: connectTimeoutMs ?? undefined,
    mostServerErrorPercent,
  }
}
