import { expect, it } from 'vitest'
import { modelNames } from '../../contract/limiter-models.js'
import { madeEvidence } from '../../evidence/testing/made-evidence.js'
import { quotaView } from '../../readings/quota-views.js'
import { madeContract, madeQuota } from '../../readings/testing/made-contract.js'
import { otherUnit } from './reset-is-timestamp.js'

const now = 1_768_478_400

/** What a number is taken for where this unit is agreed, and the window is a minute. */
const takenFor = (agreed: string, at: number) => {
  const contract = madeContract([`x-reset reset ${agreed}`], { quotas: [madeQuota({ models: [...modelNames] })] })
  const view = quotaView(madeEvidence([], { run: { contract, keys: [] } }), 'core')
  const found = otherUnit(view, at, now)
  return found && `${found.text} is ${found.seems}`
}

it.each([
  ['epoch-s', (now + 37) * 1_000, `${(now + 37) * 1_000} is milliseconds since 1970`],
  ['epoch-s', 37, '37 is seconds from now'],
  ['epoch-ms', (now + 37) / 1_000, `${now + 37} is seconds since 1970`],
  ['delta-s', now + now + 37, `${now + 37} is seconds since 1970`],
  ['delta-s', now + 37_000, '37000 is milliseconds from now'],
  ['delta-ms', now + 0.037, '37 is seconds from now'],
  ['epoch-s', now + 500, undefined],
  ['iso-8601', now + 500, undefined],
] as const)('where %s is agreed, %d s are found to be: %s', (agreed, at, expected) => {
  expect(takenFor(agreed, at)).toBe(expected)
})
