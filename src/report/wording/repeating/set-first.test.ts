import { expect, it } from 'vitest'
import { passingReport } from '../../testing/passing-report.js'
import { setFirstInWords } from './set-first.js'

it.each([
  [undefined, undefined],
  [['QUOTASPEC_KEY_FREE'], /Set QUOTASPEC_KEY_FREE first: the run got that key from a flag or a file\.$/],
  [['QUOTASPEC_KEY_FREE', 'QUOTASPEC_KEY_PRO'], /Set QUOTASPEC_KEY_FREE and QUOTASPEC_KEY_PRO first: .* those keys /],
])('what is to be set before a repeat: %j', (setFirst, told) => {
  const words = setFirstInWords({ run: { ...passingReport.run, setFirst } })
  if (told === undefined) expect(words).toBeUndefined()
  else expect(words).toMatch(told)
})
