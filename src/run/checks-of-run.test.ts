import { describe, expect, it } from 'vitest'
import type { ApiContract, QuotaSpec } from '../contract/api-contract.js'
import { modelNames } from '../contract/limiter-models.js'
import { madeContract, madeQuota } from '../readings/testing/made-contract.js'
import { checksOf } from './registry.js'

const idsOf = (quota: Partial<QuotaSpec> = {}, contract: Partial<ApiContract> = {}): string[] => {
  const probes = ['items', 'search']
  const quotas = [madeQuota({ models: [...modelNames], requests: probes, ...quota })]
  const given = madeContract(['X-Left remaining'], { quotas, ...contract })
  return checksOf({ contract: given }).map(({ id }) => id)
}

describe('the checks of a contract', () => {
  it.each<[string, Partial<QuotaSpec>, string[]]>([
    ['all cost one', {}, ['rate.remaining-falls:core', 'rate.remaining-in-burst:core', 'rate.remaining-kept:core']],
    [
      'another probe costs more than the first',
      { cost: { search: 5 } },
      ['rate.remaining-falls:core', 'rate.remaining-in-burst:core'],
    ],
    ['the first costs more', { cost: { items: 5 } }, []],
    ['each probe is counted alone, and one costs more', { cost: { search: 5 }, by: 'credential+request' }, []],
  ])('judge how Remaining falls where %s', (_, quota, judging) => {
    expect(idsOf(quota).filter((id) => /falls|burst|kept/.test(id))).toEqual(judging)
  })

  it('judge how long a block lasts where every refusal of a quota says the same', () => {
    const refusing = (...lasting: (number | undefined)[]): ApiContract['refusals'] =>
      lasting.map((lastsMs, i) => ({ is: 'quota', status: [429 + i], when: {}, lastsMs }))
    const judges = (refusals: ApiContract['refusals']) =>
      idsOf({}, { refusals }).includes('throttle.block-as-agreed:core')
    expect(
      [refusing(9), refusing(9, 9), refusing(9, 8), refusing(9, undefined), refusing(undefined), []].map(judges),
    ).toEqual([true, true, false, false, false, false])
  })
})
