import { expect, it } from 'vitest'
import { aloneTimeInWords } from './alone-time.js'

it.each([
  [8_250, 'about 8.0 s'],
  [120, 'about 1.0 s'],
  [485_000, 'about 8 min 5 s'],
  [undefined, undefined],
])('a check that is planned to take %s ms alone takes %s', (commandMs, told) => {
  expect(aloneTimeInWords({ commandMs })).toBe(told)
})
