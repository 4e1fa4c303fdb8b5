import { describe, expect, it } from 'vitest'
import { UsageError } from '../kit/usage-error.js'
import { startReferenceServer } from './reference-server.js'
import { type Plan, plan, run } from './run.js'

const good = { target: 'http://127.0.0.1:1/v1', keys: { free: 'a-free-key' }, scenario: 'smoke' }

const contract = {
  quotaspec: 1 as const,
  name: 'shop',
  credentials: { free: { scheme: 'bearer' as const, env: 'SHOP_KEY' } },
  requests: { items: { path: '/items', expect: 200 } },
  quotas: [{ id: 'items', limit: 10, window: '2s', requests: ['items'] }],
}

/** Why a plan is refused. What is given is what no compiler let through. */
const refusal = async (given: unknown): Promise<string> => {
  try {
    await plan(given as typeof good)
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError)
    return (error as UsageError).message
  }
  throw new Error('it was not refused')
}

describe('options that can not be used', () => {
  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'options.target is missing: give the base address, such as http://127.0.0.1:8080/v1'],
    ['a misspelt one', { ...good, targt: 'x' }, 'options.targt is not an option: did you mean target?'],
    [
      'no target',
      { ...good, target: undefined },
      'options.target is missing: give the base address, such as http://127.0.0.1:8080/v1',
    ],
    ['another scheme', { ...good, target: 'ftp://x' }, 'options.target must begin with http:// or https://'],
    ['a type', { ...good, timeouts: { connect: 'soon' } }, 'options.timeouts.connect must be a number'],
    ['a seed', { ...good, seed: -1 }, 'options.seed must be a whole number from 0 to 2147483647'],
    [
      'a clause',
      { ...good, only: ['RATTE-5'] },
      'options.only RATTE-5: no clause, area or check has that name; did you mean RATE-5?',
    ],
    [
      'two that contradict each other',
      { ...good, allowLoad: true, withoutLoad: true },
      'options.allowLoad and options.withoutLoad contradict each other: remove one of them',
    ],
    ['a file that is not there', { ...good, waivers: 'none.yaml' }, 'options.waivers none.yaml: there is no such file'],
    [
      'no key',
      { ...good, keys: {} },
      "no key was given: add keys: { free: 'SECRET' }; a plan is one of free, pro, business and enterprise",
    ],
    [
      'a key of no plan',
      { ...good, keys: { fre: 'a-free-key' } },
      'options.keys: one of its names is not a plan: did you mean free?',
    ],
    [
      'a short key',
      { ...good, keys: { free: 'abc' } },
      'the free key is shorter than 5 characters, too short to be kept out of the report',
    ],
    [
      'an Enterprise key alone',
      { ...good, keys: { enterprise: 'an-enterprise-key' } },
      'an Enterprise key needs its agreed limits: add quotas: { enterprise: { minute: 300, day: 5000 } }, with your numbers',
    ],
    [
      'a field of a contract',
      { ...good, contract: { ...contract, quotas: [{ id: 'items', limit: 0, window: '2s', requests: ['items'] }] } },
      'contract: quotas.0.limit: must be at least 1',
    ],
    [
      'no key of a contract',
      { ...good, keys: undefined, contract },
      "no key was given: add keys: { free: 'SECRET' }; a credential of shop is one of free",
    ],
    [
      'two secrets of a credential',
      { ...good, keys: { free: ['a-free-key', 'another-key'] }, contract },
      'options.keys.free: a credential has one secret; name another credential in the contract',
    ],
  ])('are refused with a sentence: %s', async (_name, given, sentence) => {
    expect(await refusal(given)).toBe(sentence)
  })

  it.each([
    ['where a secret stands in the place of its plan', { 'top-secret-key': 'free' }],
    ['where a secret is too short', { free: 'sec' }],
    ['where a secret is a number', { free: 31_415 }],
  ])('never bring a secret into the sentence: %s', async (_name, keys) => {
    const said = await refusal({ ...good, keys })
    for (const secret of ['top-secret-key', "'sec'", '31415']) expect(said).not.toContain(secret)
  })

  it('are refused by run in the same way, before anything is sent', async () => {
    const signal = 1 as unknown as AbortSignal
    await expect(run({ ...good, signal })).rejects.toEqual(new UsageError('options.signal must be an AbortSignal'))
    await expect(run({ ...good, seed: 0.5 })).rejects.toEqual(
      new UsageError('options.seed must be a whole number from 0 to 2147483647'),
    )
  })

  it.each<[string, object, string]>([
    [
      'a fault',
      { faults: ['limit-plus-on'] },
      'options.faults limit-plus-on: there is no such fault; did you mean limit-plus-one?',
    ],
    ['a plan', { keys: { fre: 'x' } }, 'options.keys: one of its names is not a plan: did you mean free?'],
    ['a time scale', { timeScale: 0 }, 'options.timeScale must be a number above 0: 10 makes a minute last 6 s'],
    ['a missing key', { contract }, 'options.keys.free is missing: the contract has that credential'],
    [
      'quotas beside a contract',
      { contract, keys: { free: 'x' }, quotas: {} },
      'options.quotas belongs to petstore: the limits of a contract are its own',
    ],
  ])('are refused by startReferenceServer too: %s', async (_name, options, sentence) => {
    await expect(startReferenceServer({ keys: {}, ...options })).rejects.toEqual(new UsageError(sentence))
  })
})

describe('a plan', () => {
  const sum = ({ requests }: Plan): number => requests.reduce((all, each) => all + each.requests, 0)

  it('says what would be sent on which key, and sends nothing', async () => {
    const { scenario, target, requests, durationMs } = await plan(good)
    expect({ scenario, target }).toEqual({ scenario: 'smoke', target: good.target })
    expect(requests).toContainEqual({ key: 'free', probe: 'hello', requests: 3 })
    expect(durationMs).toBeGreaterThan(0)
  })

  it('takes a contract by its value, and one of the examples by its name', async () => {
    const given = await plan({ ...good, scenario: 'release-gate', contract })
    expect(sum(given)).toBeGreaterThan(10)
    const example = await plan({
      ...good,
      keys: { user: 'a-user-key' },
      scenario: 'release-gate',
      contract: 'cloudflare',
      longWindows: true,
    })
    expect(example.requests.map(({ key }) => key)).toContain('user')
  })

  it('takes several keys of a plan', async () => {
    const two = await plan({ ...good, keys: { free: ['a-free-key', 'another-free-key'] } })
    expect(new Set(two.requests.map(({ key }) => key))).toContain('free-2')
  })
})
