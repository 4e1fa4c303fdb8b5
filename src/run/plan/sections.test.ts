import { describe, expect, it } from 'vitest'
import { modelNames } from '../../contract/limiter-models.js'
import { madeKey } from '../../evidence/testing/made-evidence.js'
import { madeContract, madeQuota } from '../../readings/testing/made-contract.js'
import { findProbe } from '../registry.js'
import { sectionsOf } from './planning.js'

const hello = findProbe('hello')
if (!hello) throw new Error('there is no probe hello')

const quota = (id: string, windowMs: number, probes: readonly string[] = ['items']) =>
  madeQuota({ id, windowMs, requests: [...probes], models: [...modelNames] })
const key = { name: 'free', plan: 'free', quota: { limit: 60, longer: 1 } }

describe('the sections of a run', () => {
  it('are one for the bundled contract', () => {
    const scheduled = [{ probe: hello, settings: {} }]
    const [section, ...others] = sectionsOf({ keys: [madeKey('free')], timeScale: 10 }, scheduled)
    expect(others).toEqual([])
    expect(section).toMatchObject({ keys: [madeKey('free')], scheduled, windowMs: 6_000, hasInventory: true })
    expect([section.quota.id, section.name]).toEqual(['minute', undefined])
  })

  it('are one for each quota of a contract file, the longest window first, each with its own probes', () => {
    const contract = madeContract([], {
      quotas: [quota('second', 1_000), quota('hour', 3_600_000), quota('minute', 60_000)],
    })
    const scheduled = ['second', 'minute', 'hour'].map((id) => ({ probe: hello, settings: {}, quota: id }))
    const sections = sectionsOf({ contract, keys: [key], timeScale: 10 }, scheduled)
    expect(sections.map(({ quota: spec, windowMs, scheduled: own }) => [spec?.id, windowMs, own.length])).toEqual([
      ['hour', 360_000, 1],
      ['minute', 6_000, 1],
      ['second', 100, 1],
    ])
  })

  it('tell each key what a shorter quota beside allows it in a window, by its own limit there', () => {
    const limit = { free: 10, pro: 15 }
    const contract = (by: 'credential' | 'address') =>
      madeContract([], {
        quotas: [
          { ...quota('sustained', 12_000), limit },
          { ...quota('burst', 2_000), limit, by },
        ],
      })
    const scheduled = ['sustained', 'burst'].map((id) => ({ probe: hello, settings: {}, quota: id }))
    const paces = (by: 'credential' | 'address') =>
      sectionsOf({ contract: contract(by), keys: [key, { ...key, name: 'pro' }], timeScale: 10 }, scheduled).map(
        ({ keys }) => keys.map(({ mostPerWindow }) => mostPerWindow),
      )
    expect(paces('credential')).toEqual([
      [54, 81],
      [undefined, undefined],
    ])
    expect(paces('address')[0]).toEqual([54, 54])
  })

  it('spend in groups what a pace below a shorter quota would hardly spend in a window, and tell what the longer one has', () => {
    const contract = madeContract([], {
      quotas: [
        { ...quota('long', 6_000), limit: { free: 10 } },
        { ...quota('short', 3_000), limit: { free: 6 } },
      ],
    })
    const small = { ...key, quota: { limit: 10, longer: 1 } }
    const scheduled = ['long', 'short'].map((id) => ({ probe: hello, settings: {}, quota: id }))
    const [[long], [short]] = sectionsOf({ contract, keys: [small], timeScale: 1 }, scheduled).map(({ keys }) => keys)
    expect(long).toMatchObject({ mostPerWindow: 12, isSpentInGroups: true })
    expect(long.longerBeside).toBeUndefined()
    expect(short.longerBeside).toEqual([{ most: 10, windows: 2 }])
  })

  it('leave out a quota of which no credential is at hand, and one that nothing is played for', () => {
    const contract = madeContract([], { quotas: [quota('minute', 60_000), quota('second', 1_000)] })
    const scheduled = [{ probe: hello, settings: {}, quota: 'minute' }]
    expect(sectionsOf({ contract, keys: [{ ...key, name: 'nobody' }], timeScale: 1 }, scheduled)).toEqual([])
    expect(sectionsOf({ contract, keys: [key], timeScale: 1 }, scheduled)).toHaveLength(1)
  })
})
