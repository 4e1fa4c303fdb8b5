import { describe, expect, it } from 'vitest'
import { findingsOf } from './doctor.js'
import type { DoctorFacts } from './doctor-facts.js'

const nowMs = Date.UTC(2026, 10, 22)
const day = 86_400_000
const key: DoctorFacts['keys'][number] = {
  name: 'free',
  variable: 'QUOTASPEC_KEY_FREE',
  status: 200,
  wrongLimit: null,
  limit: 60,
  left: 59,
  waitS: null,
}
const certificate = {
  names: ['api.example'],
  issuer: 'Some CA',
  validToMs: nowMs + 40 * day,
  protocol: 'TLSv1.3',
} as const

const healthy: DoctorFacts = {
  baseUrl: 'https://api.example/v1',
  address: { address: '203.0.113.7' },
  tls: { certificate, isChecked: true },
  inTheWay: null,
  hasKeys: true,
  keys: [key],
  clock: { fromMs: -300, toMs: 800, told: true },
  answersMs: [80, 20],
  lateness: { perSecond: 200, ms: { p50: 0.1, p99: 1.2, max: 30 } },
  nowMs,
}

describe('what the doctor finds', () => {
  it('is fine where all is', () => {
    expect(findingsOf(healthy).map(({ topic, state, text }) => [topic, state, text])).toEqual([
      ['address', 'fine', 'api.example is 203.0.113.7, another machine: load goes there only with --allow-load'],
      ['TLS', 'fine', 'TLSv1.3, valid until 2027-01-01 (40 days), for api.example, issued by Some CA'],
      ['answers', 'fine', 'the first took 80 ms with the connection, later ones at most 20 ms'],
      ['key free', 'fine', 'accepted (200); its limit is 60, with 59 left'],
      ['clock', 'fine', "the target's clock is between 300 ms behind and 800 ms ahead of this machine's"],
      ['machine', 'fine', 'sends 200 a second within 0.1 ms of its schedule (p50), 1.2 ms (p99)'],
    ])
  })

  const cases: readonly (readonly [string, Partial<DoctorFacts>, string, 'fine' | 'note' | 'bad', string])[] = [
    ['a name of nothing', { address: { error: 'ENOTFOUND' } }, 'address', 'bad', 'check the spelling'],
    ['this machine', { address: { address: '127.0.0.1' } }, 'address', 'fine', 'this machine: load may go there'],
    ['no TLS to another machine', { tls: undefined }, 'TLS', 'note', 'keys travel unencrypted'],
    [
      'no TLS on this machine',
      { tls: undefined, address: { address: '::1' } },
      'TLS',
      'fine',
      'none is needed on this machine',
    ],
    [
      'a certificate that is about to expire',
      { tls: { certificate: { ...certificate, validToMs: nowMs + 5 * day }, isChecked: true } },
      'TLS',
      'note',
      'renew it',
    ],
    [
      'a certificate that nobody trusts',
      { tls: { certificate: { ...certificate, distrust: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, isChecked: true } },
      'TLS',
      'bad',
      'is self-signed',
    ],
    [
      'the same with --insecure',
      { tls: { certificate: { ...certificate, distrust: 'CERT_HAS_EXPIRED' }, isChecked: false } },
      'TLS',
      'note',
      'has expired',
    ],
    ['nobody there', { inTheWay: 'Nothing answered at it.' }, 'answers', 'bad', 'Nothing answered at it.'],
    ['no answer', { answersMs: [] }, 'answers', 'bad', 'none came'],
    ['slow answers', { answersMs: [2_000, 1_500] }, 'answers', 'note', 'quotaspec plan says how long'],
    ['no key', { hasKeys: false }, 'keys', 'bad', 'set QUOTASPEC_KEY_FREE'],
    ['a rejected key', { keys: [{ ...key, status: 401 }] }, 'key free', 'bad', '--key-file or QUOTASPEC_KEY_FREE'],
    ['a banned key', { keys: [{ ...key, status: 403 }] }, 'key free', 'bad', 'a ban, or a missing permission'],
    ['a spent key', { keys: [{ ...key, status: 429 }] }, 'key free', 'note', 'wait for its window'],
    [
      'a key whose day is spent',
      { keys: [{ ...key, status: 429, limit: 1_000, waitS: 720 }] },
      'key free',
      'note',
      'its limit of 1,000 is used up somebody else is using it, or an earlier run did: wait 12 min,',
    ],
    ['a key that breaks it', { keys: [{ ...key, status: 503 }] }, 'key free', 'bad', 'answered 503'],
    ['a key of which nothing is said', { keys: [{ ...key, status: 404 }] }, 'key free', 'note', 'answered 404: that'],
    ['a large limit', { keys: [{ ...key, limit: 5_000 }] }, 'key free', 'fine', 'its limit is 5,000'],
    ['what is left of it', { keys: [{ ...key, left: 53 }] }, 'key free', 'fine', 'its limit is 60, with 53 left'],
    ['no word of what is left', { keys: [{ ...key, left: null }] }, 'key free', 'fine', 'its limit is 60'],
    ['a key that gets nothing', { keys: [{ ...key, status: null }] }, 'key free', 'bad', 'no answer'],
    [
      'a key of another plan',
      { keys: [{ ...key, wrongLimit: 'its limit is 300' }] },
      'key free',
      'note',
      'its limit is 300',
    ],
    ['no Date', { clock: { fromMs: 0, toMs: 0, told: false } }, 'clock', 'note', 'do not show its time'],
    ['a clock that is ahead', { clock: { fromMs: 5_000, toMs: 6_000, told: true } }, 'clock', 'note', 'by NTP'],
    [
      'a clock that is behind',
      { clock: { fromMs: -6_000, toMs: -5_000, told: true } },
      'clock',
      'note',
      '5.0 s behind',
    ],
    [
      'a busy machine',
      { lateness: { perSecond: 200, ms: { p50: 3, p99: 90, max: 30 } } },
      'machine',
      'note',
      'stop other programs',
    ],
    ['a machine that can not send', { lateness: { perSecond: 200, ms: null } }, 'machine', 'note', 'could not send'],
  ]

  it.each(cases)('says of %s what it means, and what to do', (_, facts, topic, state, told) => {
    const found = findingsOf({ ...healthy, ...facts }).find((each) => each.topic === topic)
    expect(found?.state).toBe(state)
    expect(`${found?.text} ${found?.advice ?? ''}`).toContain(told)
  })

  it('says nothing of keys and TLS where nobody could be asked, and always something of this machine', () => {
    const topics = (facts: Partial<DoctorFacts>) => findingsOf({ ...healthy, ...facts }).map(({ topic }) => topic)
    expect(topics({ address: { error: 'ENOTFOUND' } })).toEqual(['address', 'machine'])
    expect(topics({ tls: { certificate: undefined, isChecked: true }, inTheWay: 'x', clock: null })).toEqual([
      'address',
      'answers',
      'machine',
    ])
  })
})
