import { expect, it } from 'vitest'
import { playCounter } from './run-audit.js'

const written = (isTTY: boolean, environment = {}): string => {
  let text = ''
  const counter = playCounter(2, { isTTY, write: (more) => (text += more) }, environment)
  counter.count()
  counter.count()
  counter.end()
  return text
}

it('the plays that are done are counted on a terminal, in a line that is written over and taken away', () => {
  const text = written(true)
  expect([...text.matchAll(/\d of \d plays done/g)].map(([line]) => line)).toEqual([
    '0 of 2 plays done',
    '1 of 2 plays done',
    '2 of 2 plays done',
  ])
  expect(text.endsWith('\u001b[1A\r\u001b[J')).toBe(true)
})

it.each([
  ['in a pipe', false, {}],
  ['on a terminal that can not go back', true, { TERM: 'dumb' }],
])('they are not counted %s', (_name, isTTY, environment) => {
  expect(written(isTTY, environment)).toBe('')
})
