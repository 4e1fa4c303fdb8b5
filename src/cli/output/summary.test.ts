import { expect, it } from 'vitest'
import { terminalLook } from './summary.js'

const terminal = { isTTY: true, columns: 90 }

it.each([
  ['in colour on a terminal', terminal, {}, true, 90],
  ['plain where NO_COLOR is set', terminal, { NO_COLOR: '1' }, false, 90],
  ['in colour where NO_COLOR is empty, as its standard has it', terminal, { NO_COLOR: '' }, true, 90],
  ['plain on a terminal that can no colours', terminal, { TERM: 'dumb' }, false, 90],
  ['plain and 100 characters wide on a pipe', {}, {}, false, 100],
  ['no wider than can be read', { ...terminal, columns: 300 }, {}, true, 120],
])('the summary is %s', (_, output, environment, colour, width) => {
  expect(terminalLook(output, environment)).toEqual({ colour, width })
})
