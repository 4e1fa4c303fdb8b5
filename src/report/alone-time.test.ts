import { expect, it } from 'vitest'
import { aloneTimeInWords } from './repeating.js'

it.each([
  [8_250, 'usually up to 9 s'],
  [120, 'usually up to 1 s'],
  [485_000, 'usually up to 8 min 5 s'],
  [undefined, undefined],
])('a check that is planned to take %s ms alone takes %s', (commandMs, told) => {
  expect(aloneTimeInWords({ commandMs })).toBe(told)
})
