import { describe, expect, it } from 'vitest'
import { type ExchangePart, madeExchange } from '../../evidence/testing/made-exchange.js'
import { lookFirst } from './first-look.js'

type LookedAt = Parameters<typeof lookFirst>[0]

const hello = (part: ExchangePart): ExchangePart => ({
  probe: 'hello',
  step: 'list',
  operation: 'listInventory',
  ...part,
})
const failed = (code: string): ExchangePart =>
  hello({ status: null, error: { phase: 'connect', code, message: `${code} it says` } } as ExchangePart)

const look = (parts: readonly ExchangePart[], more: Partial<LookedAt> = {}) =>
  lookFirst({
    hellos: parts.map((part, at) => madeExchange({ id: `x${at + 1}`, ...part })),
    forbiddenLoads: [],
    without: { rejectedKeys: false, load: false },
    ...more,
  })

const without = (rejectedKeys: boolean, load: boolean) => ({ without: { rejectedKeys, load } })
const free = (status: number | null) => hello({ key: 'free', status })
const pro = (status: number | null) => hello({ key: 'pro', status })
const withV1 = (status: number) => ({ probe: 'hello', step: 'with-v1', operation: null, key: 'free', status }) as const

describe('the first look', () => {
  it.each<[string, readonly ExchangePart[], Partial<LookedAt>, readonly string[], boolean]>([
    ['every key is accepted', [free(200), pro(200)], {}, [], false],
    ['a key is refused by a limit or a ban', [free(429), pro(403)], {}, [], false],
    ['one key is rejected', [free(200), pro(401)], {}, ['key-rejected x2'], true],
    [
      'one key is rejected, and may be done without',
      [free(200), pro(401)],
      without(true, false),
      ['key-rejected x2'],
      false,
    ],
    [
      'every key is rejected, though one may be done without',
      [free(401)],
      without(true, false),
      ['key-rejected x1'],
      true,
    ],
    ['a key was rejected at first alone', [free(401), { ...free(200), step: 'list-again' }], {}, [], false],
    [
      'a key is rejected again',
      [free(401), { ...free(401), step: 'list-again' }, pro(200)],
      {},
      ['key-rejected x2'],
      true,
    ],
    ['nobody answers', [free(null), pro(null)], {}, ['unreachable x1'], true],
    ['one question was lost', [free(null), pro(200)], {}, [], false],
    ['the list is below /v1', [free(404), withV1(200)], {}, ['other-base x2'], true],
    ['the key is known below /v1 alone', [free(401), withV1(200)], {}, ['other-base x2'], true],
    ['there is nothing below /v1 either', [free(404), withV1(404)], {}, ['no-inventory x1'], false],
    ['one key alone finds the list', [free(404), pro(200)], {}, [], false],
    ['what else was asked for is answered 404', [{ ...free(404), operation: 'getPet' }], {}, [], false],
    ['the target is down', [free(503)], {}, ['server-error x1'], false],
    ['a load may not go there', [free(200)], { forbiddenLoads: ['burst'] }, ['load-not-allowed burst'], true],
    [
      'a load may not go there, and may be done without',
      [free(200)],
      { forbiddenLoads: ['burst'], ...without(false, true) },
      ['load-not-allowed burst'],
      false,
    ],
    [
      'more than one thing is missing',
      [free(401), pro(200)],
      { forbiddenLoads: ['burst', 'split'] },
      ['key-rejected x1', 'load-not-allowed burst,split'],
      true,
    ],
    ['nothing was asked', [], {}, [], false],
  ])('where %s, says so, and ends the run where it has to', (_, parts, more, obstacles, ended) => {
    const seen = look(parts, more)
    expect(seen.obstacles.map((each) => `${each.kind} ${'exchange' in each ? each.exchange : each.probes}`)).toEqual(
      obstacles,
    )
    expect(seen.ended).toBe(ended)
  })

  it.each([
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'CERT_HAS_EXPIRED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ])('takes %s for a certificate that is not trusted', (code) => {
    expect(look([failed(code)])).toEqual({ obstacles: [{ kind: 'untrusted', exchange: 'x1' }], ended: true })
  })

  it.each(['ECONNREFUSED', 'ENOTFOUND', 'UND_ERR_CONNECT_TIMEOUT', 'ERR_SSL_WRONG_VERSION_NUMBER'])(
    'takes %s for nobody',
    (code) => {
      expect(look([failed(code)]).obstacles).toEqual([{ kind: 'unreachable', exchange: 'x1' }])
    },
  )
})
