import type { ServerResponse } from 'node:http'
import { buildApp } from '../petstore-app.js'
import { heldClock } from './held-clock.js'

const keys = [
  { plan: 'free', secret: 'key-of-free' },
  { plan: 'pro', secret: 'key-of-pro' },
  { plan: 'business', secret: 'key-of-business' },
  { plan: 'enterprise', secret: 'key-of-enterprise' },
  { plan: 'pro', secret: 'another-key-of-pro' },
] as const

const quotas = {
  free: { minute: 6, day: 24 },
  pro: { minute: 14, day: 1_000 },
  business: { minute: 500, day: 1_000 },
  enterprise: { minute: 9, day: 15 },
}

const list = 'GET /inventory'
const patches = [
  '{"quantity":31}',
  '',
  '{}',
  '{"quantity":"5"}',
  '{"quantity":"0x5"}',
  '{"quantity":5.5}',
  '{"quantity":-5.5}',
  '{"quantity":true}',
  '{"quantity":null}',
  '{"quantity":NaN}',
  '{"quantity":Infinity}',
  '{"quantity":+5}',
  '{"quantity":5.00001}',
  '{"quantity":16777217}',
]
  .concat(['{"quantity":[5]}', '5', '{"quan'])
  .map((body) => `PATCH /inventory/1 ${body}`)
const conformance = [
  list,
  ...patches,
  'PATCH /inventory/3 {"quantity":"5"}',
  'PATCH /inventory/17 {"quantity":3}',
  ...['999', '-5', '1099511627777', '9007199254740995', 'x', '-9223372036854775808'].map(
    (id) => `PATCH /inventory/${id} {"quantity":3}`,
  ),
  list,
  'GET /pets/1',
  'GET /pets/999',
  'GET /store/orders',
  `GET /inventory?${'x'.repeat(1_100)}`,
  'GET /elsewhere',
]
/** What tells whether a credential is accepted, whatever is asked with it. */
const oneOfEach = [list, patches[0], patches[1], 'PATCH /inventory/999 {"quantity":3}', 'GET /pets/1', 'GET /elsewhere']
const odd = [
  'PATCH /inventory/1 {"quantity":-1}',
  'PATCH /inventory/1 {"quantity":1,"note":2}',
  'PATCH /inventory/01 {"quantity":1}',
  'PATCH /inventory/1 {"quantity":5} 6',
  'PATCH /inventory/1 {"quantity":0}',
  list,
]

const credentials = [
  'Bearer',
  'Bearer unknown',
  'Bearer key-of',
  'Bearer key-of-free1',
  'Bearer Key-Of-Free',
  'key-of-free',
  'bearer key-of-business',
].concat([
  'Bearerkey-of-free',
  'Basic key-of-free',
  'Token key-of-free',
  'Bearer key-of-fre7',
  'Bearer key-xx-free',
  'Bearer ey-of-free',
  'Bearer constructor',
])

/** Missing from the types of Node 20. */
interface WithRawNames {
  getRawHeaderNames(): string[]
}

/**
 * Sends a fixed sequence of requests to an app with these departures, over several windows and a day, and yields the
 * answers line by line: a departure that shows nowhere in them is none.
 */
export async function* transcript(departures: { faults?: string[]; variations?: string[] }): AsyncGenerator<string> {
  const clock = heldClock()
  const app = buildApp({ keys, quotas, clock, ...departures })
  const ask = async (request: string, authorization: string, headers: Record<string, string> = {}) => {
    const [method, path, ...body] = request.split(' ')
    const answer = await app
      .inject({
        method: method as 'GET',
        url: app.basePath + path,
        payload: body.join(' ') || undefined,
        headers: { ...(authorization && { authorization }), 'content-type': 'application/json', ...headers },
      })
      .catch((error: Error) => error.message)
    if (typeof answer === 'string') return [`${clock.ms} ${request} ${answer}`]
    const { date: _, ...shown } = answer.headers
    return [
      `${clock.ms} ${request} ${answer.statusCode} ${answer.statusMessage} ${JSON.stringify(shown)} ${answer.rawPayload.toString('latin1')}`,
      (answer.raw.res as ServerResponse & WithRawNames).getRawHeaderNames().join(),
    ]
  }
  const inTurn = async function* (requests: readonly string[], authorization: string) {
    for (const request of requests) yield* await ask(request, authorization)
  }
  const atOnce = async (key: string, times: number) =>
    (await Promise.all(Array.from({ length: times }, () => ask(list, `Bearer ${key}`)))).flat()
  const exhaust = (key: string, times: number) => inTurn(Array<string>(times).fill(list), `Bearer ${key}`)
  try {
    yield app.basePath
    for (const credential of ['Bearer key-of-business', '']) yield* inTurn(conformance, credential)
    for (const credential of credentials) yield* inTurn(oneOfEach, credential)
    yield* await ask('GET /inventory?key=key-of-free', '')
    yield* await ask(list, '', { cookie: 'key=key-of-free' })
    yield* await ask('PATCH /inventory/3 {"quantity":55}', '')
    yield* inTurn(odd, 'Bearer key-of-business')
    yield* await ask('PATCH /inventory/1 {"quantity":1}', 'Bearer key-of-business', { 'content-type': 'text/plain' })
    yield* await ask(list, 'Bearer key-of-business')
    yield* await ask(list, 'Bearer key-of-business', { 'x-long': 'x'.repeat(3_000) })
    clock.ms = 250_000
    yield* exhaust('key-of-enterprise', 12)
    for (const windowMs of [310_100, 371_900, 430_300]) {
      clock.ms = windowMs
      yield* exhaust('key-of-free', 3)
      clock.ms = windowMs + 40_000
      yield* exhaust('key-of-free', 5)
      yield* await ask('PATCH /inventory/2 {"quantity":99}', 'Bearer key-of-free')
      yield* await ask(list, 'bearer key-of-free')
      yield* await ask(list, 'Bearer   key-of-free')
      const others = [
        `${list}?fresh`,
        'GET /%69nventory',
        'GET /store/orders',
        'GET /pets/1',
        'PATCH /inventory/2 {"quantity":5}',
        'PATCH /inventory/2 {"quantity":5}'.padEnd(1_100),
      ]
      yield* inTurn(others, 'Bearer key-of-free')
      yield* await ask(list, 'Bearer key-of-free', { 'x-forwarded-for': '10.0.0.1' })
      yield* await ask(list, 'Bearer key-of-free', { accept: 'application/*' })
      for (const header of ['x-api-key', 'cookie', 'cf-connecting-ip', 'accept-encoding', 'x-http-method-override'])
        yield* await ask(list, 'Bearer key-of-free', { [header]: 'nobody' })
      yield* await atOnce('key-of-pro', 12)
      yield* await atOnce('key-of-pro', 6)
      yield* await ask(list, 'Bearer another-key-of-pro')
    }
    for (const windowMs of [490_400, 560_000, 650_000, 800_000]) {
      clock.ms = windowMs
      yield* exhaust('key-of-free', 4)
      yield* await ask('GET /store/orders', 'Bearer key-of-free')
      yield* exhaust('key-of-free', 3)
      yield* await atOnce('key-of-pro', 15)
      clock.ms = windowMs + 15_000
      yield* await ask(list, 'Bearer key-of-pro')
    }
    yield* await ask(list, 'Bearer key-of-pro')
    yield* await ask(list, 'Bearer key-of-business')
    yield* inTurn(Array(2).fill('PATCH /inventory/2 {"quantity":6}'), 'Bearer key-of-enterprise')
    yield* exhaust('key-of-enterprise', 8)
    yield* await atOnce('key-of-business', 21)
  } finally {
    await app.close()
  }
}

export const gathered = async (lines: AsyncIterable<string>): Promise<readonly string[]> => {
  const all: string[] = []
  for await (const line of lines) all.push(line)
  return all
}

/** Whether two sequences of lines differ; stops at the first difference. */
export const differsFrom = async (lines: AsyncIterable<string>, those: readonly string[]): Promise<boolean> => {
  let at = 0
  for await (const line of lines) if (line !== those[at++]) return true
  return at !== those.length
}
