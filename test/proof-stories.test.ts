import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { sharedSentences } from '../src/checks/framework/shared-sentences.js'
import { breachFirst, failures, stories } from '../src/report/findings.js'
import type { Report } from '../src/report/model.js'
import { allChecks } from '../src/run/registry.js'

const codes = new Set([sharedSentences, ...allChecks.map(({ sentences = {} }) => sentences)].flatMap(Object.keys))

it.each(Object.keys(stories))('the proof of %s is told of a code that a check gives', (code) => {
  expect([...codes]).toContain(code)
})

const sample: Report = JSON.parse(readFileSync(new URL('../reports/sample/report.json', import.meta.url), 'utf8'))

it('shows of each failure of the sample first an exchange of which its message speaks', () => {
  const failed = failures(sample)
  expect(failed.length).toBeGreaterThan(1)
  for (const check of failed) {
    const shown = sample.exchanges.find(({ id }) => id === breachFirst(check)[0])
    const [method] = /\b(GET|PATCH)\b/.exec(check.message) ?? ['GET']
    expect(shown?.request.method, check.id).toBe(method)
  }
})

it('shows of a proof that is too long to be told as a story first what the rest led up to', () => {
  const ids = ['x1', 'x2', 'x3', 'x4', 'x5', 'x6']
  const [failed] = failures(sample).map((check) => ({ ...check, code: 'walk-disagrees', witnessesLeftOut: 0 }))
  expect(breachFirst({ ...failed, witnesses: ids })[0]).toBe('x6')
  expect(breachFirst({ ...failed, witnesses: ids.slice(0, 5) })[0]).toBe('x1')
})

it('leaves the order where there is no such proof, or part of it is in the saved run only', () => {
  const ids = ['x1', 'x2', 'x3', 'x4', 'x5', 'x6']
  const [failed] = failures(sample).map((check) => ({ ...check, code: 'walk-disagrees', witnesses: ids }))
  for (const other of [{ witnessesLeftOut: 3 }, { witnessesLeftOut: 0, code: 'status-disagrees' }])
    expect(breachFirst({ ...failed, ...other })).toEqual(ids)
})
