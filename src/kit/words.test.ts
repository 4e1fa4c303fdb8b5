import { expect, it } from 'vitest'
import { suggestion } from './words.js'

const known = ['overshoot', 'connections', 'amount']

it.each([
  ['overshot', 'did you mean overshoot?'],
  ['amout', 'did you mean amount?'],
  ['amontt', 'did you mean amount?'],
  ['amonttt', 'known are overshoot, connections, amount'],
  ['Connections', 'did you mean connections?'],
  ['conections_', 'did you mean connections?'],
  ['zebra', 'known are overshoot, connections, amount'],
  ['', 'known are overshoot, connections, amount'],
])('for %j it suggests: %s', (word, hint) => {
  expect(suggestion(word, known)).toBe(hint)
})

it('says where nothing is known that nothing is', () => {
  expect(suggestion('zebra', [])).toBe('none is known here')
})

it('suggests what begins with the word, where it lacks the name behind a colon', () => {
  expect(suggestion('quota.limit', ['rate.limit', 'quota.limit:minute', 'quota.limit:day'])).toBe(
    'did you mean quota.limit:minute?',
  )
})
