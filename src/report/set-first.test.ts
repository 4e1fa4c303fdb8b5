import { expect, it } from 'vitest'
import { neededInWords, setFirstInWords } from './repeating.js'
import { passingReport } from './testing/passing-report.js'

it.each([
  [undefined, undefined],
  [
    ['QUOTASPEC_KEY_FREE'],
    /^Set QUOTASPEC_KEY_FREE before you repeat a command: commands read keys from variables, and this run got that key from a flag or a file\.$/,
  ],
  [
    ['QUOTASPEC_KEY_FREE', 'QUOTASPEC_KEY_PRO'],
    /^Set QUOTASPEC_KEY_FREE and QUOTASPEC_KEY_PRO before you repeat a command: .* those keys /,
  ],
])('what is to be set before a repeat: %j', (setFirst, told) => {
  const words = setFirstInWords({ run: { ...passingReport.run, setFirst } })
  if (told === undefined) expect(words).toBeUndefined()
  else expect(words).toMatch(told)
})

it('says what the commands of a page need', () => {
  const { run, target } = passingReport
  expect(neededInWords({ run: { ...run, timeScale: 1 }, target })).toMatch(
    /^The commands call \S+: it must be running\. They take/,
  )
  expect(neededInWords({ run: { ...run, timeScale: 10 }, target })).toContain('as in this run (--time-scale 10).')
})
