import { expect, it } from 'vitest'
import { checks } from '../src/checks/all.js'
import { sharedSentences } from '../src/checks/law/shared-sentences.js'
import { checksOfAnyQuota } from '../src/checks/of-contract.js'
import { stories } from '../src/report/wording/proof-stories.js'

const codes = new Set(
  [sharedSentences, ...[...checks, ...checksOfAnyQuota].map(({ sentences = {} }) => sentences)].flatMap(Object.keys),
)

it.each(Object.keys(stories))('the proof of %s is told of a code that a check gives', (code) => {
  expect([...codes]).toContain(code)
})
