import type { Exchange, HeaderLine } from '../exchange.js'

/** What differs from a plain reading of the list that is answered 200. */
export interface ExchangePart {
  readonly id?: string
  readonly probe?: string
  readonly step?: string
  readonly intent?: Readonly<Record<string, string>>
  readonly key?: string | null
  readonly credential?: string
  /** The method and path follow from it. */
  readonly operation?: 'listInventory' | 'updateInventory' | 'getPet' | 'listOrders' | null
  readonly method?: string
  readonly path?: string
  readonly sent?: string
  readonly sentAt?: number
  readonly tookMs?: number
  /** null: no answer came. */
  readonly status?: number | null
  readonly headers?: Readonly<Record<string, string>> | readonly HeaderLine[]
  /** Text as it is; anything else as JSON; bytes as base64. */
  readonly body?: unknown
  readonly truncated?: boolean
  readonly error?: Exchange['error']
  readonly asksAgain?: string
}

const ways = {
  listInventory: ['GET', '/inventory'],
  updateInventory: ['PATCH', '/inventory/1'],
  getPet: ['GET', '/pets/1'],
  listOrders: ['GET', '/store/orders'],
} as const

const recorded = (body: unknown, truncated: boolean) => {
  const bytes = body instanceof Uint8Array ? Buffer.from(body) : undefined
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body)
  return bytes
    ? { encoding: 'base64' as const, content: bytes.toString('base64'), bytes: bytes.length, truncated }
    : { encoding: 'utf8' as const, content: text, bytes: Buffer.byteLength(text), truncated }
}

const lines = (headers: ExchangePart['headers'] = {}): HeaderLine[] =>
  Array.isArray(headers) ? headers : Object.entries(headers)

/** An exchange for a test, as a client would have recorded it. */
export const madeExchange = (part: ExchangePart = {}): Exchange => {
  const { operation = 'listInventory', credential = 'bearer', status = 200, sentAt = 0, tookMs = 2 } = part
  const [method, path] = operation ? ways[operation] : ['GET', '/no-such-path']
  const lost = status === null
  return {
    id: part.id ?? 'x1',
    probe: part.probe ?? 'hello',
    step: part.step ?? 'list',
    intent: { ...part.intent },
    key: part.key === undefined ? (credential === 'none' ? null : 'free') : part.key,
    credential,
    operation,
    request: {
      method: part.method ?? method,
      url: `http://127.0.0.1:8080/v1${part.path ?? path}`,
      headers: [],
      body: part.sent === undefined ? null : recorded(part.sent, false),
    },
    sentAt,
    receivedAt: lost ? null : sentAt + tookMs,
    endedAt: sentAt + tookMs,
    response: lost
      ? null
      : {
          status,
          reason: '',
          headers: [['Content-Type', 'application/json'], ...lines(part.headers)],
          body: recorded(part.body, part.truncated ?? false),
        },
    error: part.error ?? (lost ? { phase: 'head', code: 'UND_ERR_SOCKET', message: 'other side closed' } : null),
    asksAgain: part.asksAgain ?? null,
  }
}
