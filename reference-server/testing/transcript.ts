import type { ServerResponse } from 'node:http'
import { buildApp } from '../petstore/app.js'
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
  enterprise: { minute: 9, day: 1_000 },
}

const list = 'GET /inventory'
const patches = [
  '{"quantity":31}',
  '',
  '{}',
  '{"quantity":"5"}',
  '{"quantity":5.5}',
  '{"quantity":true}',
  '{"quantity":null}',
]
  .concat(['{"quantity":[5]}', '5', '{"quan'])
  .map((body) => `PATCH /inventory/1 ${body}`)
const conformance = [
  list,
  ...patches,
  ...['999', '9007199254740995', 'x'].map((id) => `PATCH /inventory/${id} {"quantity":3}`),
  list,
  'GET /pets/1',
  'GET /pets/999',
  'GET /store/orders',
  `GET /inventory?${'x'.repeat(1_100)}`,
  'GET /elsewhere',
]
const odd = [
  'PATCH /inventory/1 {"quantity":-1}',
  'PATCH /inventory/1 {"quantity":1,"note":2}',
  'PATCH /inventory/01 {"quantity":1}',
  'PATCH /inventory/1 {"quantity":5} 6',
  'PATCH /inventory/1 {"quantity":0}',
  list,
]

const credentials = [
  '',
  'Bearer',
  'Bearer unknown',
  'Bearer key-of',
  'Bearer key-of-free1',
  'Bearer Key-Of-Free',
  'key-of-free',
  'bearer key-of-business',
].concat(['Basic key-of-free'])

/** Missing from the types of Node 20. */
interface WithRawNames {
  getRawHeaderNames(): string[]
}

/**
 * Plays a fixed row of requests at an app with these departures, over several windows and a day, and writes down what
 * came back: a departure that shows nowhere in it is none.
 */
export const transcript = async (departures: { faults?: string[]; variations?: string[] }): Promise<string[]> => {
  const clock = heldClock()
  const app = buildApp({ keys, quotas, clock, ...departures })
  const lines: string[] = []
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
    if (typeof answer === 'string') {
      lines.push(`${clock.ms} ${request} ${answer}`)
      return
    }
    const { date: _, ...shown } = answer.headers
    lines.push(
      `${clock.ms} ${request} ${answer.statusCode} ${answer.statusMessage} ${JSON.stringify(shown)} ${answer.rawPayload.toString('latin1')}`,
    )
    lines.push((answer.raw.res as ServerResponse & WithRawNames).getRawHeaderNames().join())
  }
  const exhaust = (key: string, times: number) =>
    inTurn(Array.from({ length: times }, () => () => ask(list, `Bearer ${key}`)))
  lines.push(app.basePath)
  for (const request of conformance) await ask(request, 'Bearer key-of-business')
  for (const credential of credentials) for (const request of conformance) await ask(request, credential)
  await ask('GET /inventory?key=key-of-free', '')
  await ask(list, '', { cookie: 'key=key-of-free' })
  await ask('PATCH /inventory/3 {"quantity":55}', '')
  for (const request of odd) await ask(request, 'Bearer key-of-business')
  await ask('PATCH /inventory/1 {"quantity":1}', 'Bearer key-of-business', { 'content-type': 'text/plain' })
  await ask(list, 'Bearer key-of-business')
  await ask(list, 'Bearer key-of-business', { 'x-long': 'x'.repeat(3_000) })
  clock.ms = 250_000
  await exhaust('key-of-enterprise', 12)
  for (const windowMs of [310_100, 371_900, 430_300]) {
    clock.ms = windowMs
    await exhaust('key-of-free', 3)
    clock.ms = windowMs + 40_000
    await exhaust('key-of-free', 5)
    await ask('PATCH /inventory/2 {"quantity":99}', 'Bearer key-of-free')
    await ask(list, 'bearer key-of-free')
    for (const path of [`${list}?fresh`, 'GET /%69nventory', 'GET /store/orders', 'PATCH /inventory/2 {"quantity":5}'])
      await ask(path, 'Bearer key-of-free')
    await ask(list, 'Bearer key-of-free', { 'x-forwarded-for': '10.0.0.1' })
    await ask(list, 'Bearer key-of-free', { accept: 'application/*' })
    await Promise.all(Array.from({ length: 12 }, () => ask(list, 'Bearer key-of-pro')))
    await Promise.all(Array.from({ length: 6 }, () => ask(list, 'Bearer key-of-pro')))
    await ask(list, 'Bearer another-key-of-pro')
  }
  for (const windowMs of [490_400, 560_000, 650_000, 800_000]) {
    clock.ms = windowMs
    await exhaust('key-of-free', 8)
  }
  await app.close()
  return lines
}

const inTurn = async (steps: readonly (() => Promise<unknown>)[]) => {
  for (const step of steps) await step()
}
