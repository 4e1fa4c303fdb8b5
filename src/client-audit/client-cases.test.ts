import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadClientCases } from './client-cases.js'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quotaspec-cases-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** The message of the usage error, without the folder. */
const refusal = (text: string): string => {
  const file = join(folder, 'mine.yaml')
  writeFileSync(file, text)
  try {
    loadClientCases(file, folder)
  } catch (error) {
    return (error as Error).message.replace(`${folder}/`, '')
  }
  throw new Error('nothing was thrown')
}

const head = 'name: mine\ndescription: mine\n'
const oneCase = (rest: string) => `${head}cases:\n  - id: one\n    title: One\n${rest}`
const answer = (rest: string) => oneCase(`    answers:\n      - status: 429\n        ${rest}\n`)

describe('a file of cases', () => {
  it.each([
    ['in the file', `${head}case: []\n`, 'mine.yaml:3: case is not a field of a case: did you mean cases?'],
    [
      'in a case',
      oneCase('    wachSeconds: 3\n    patience: { seconds: 2 }\n'),
      'mine.yaml:6: cases.0.wachSeconds is not a field of a case: did you mean watchSeconds?',
    ],
    [
      'in its work',
      oneCase('    work:\n      worker: 3\n    patience: { seconds: 2 }\n'),
      'mine.yaml:7: cases.0.work.worker is not a field of a case: did you mean workers?',
    ],
    [
      'in an answer',
      answer('delay: 3'),
      'mine.yaml:8: cases.0.answers.0.delay is not a field of a case: did you mean delayMs?',
    ],
  ])('in which a field is misspelt %s is refused with what may have been meant', (_, text, message) => {
    expect(refusal(text)).toContain(message)
  })

  it.each([
    [
      'a Retry-After of no form',
      answer('retryAfter: { second: 3 }'),
      'mine.yaml:8: cases.0.answers.0.retryAfter: must be {seconds: 2}',
    ],
    ['no answers at all', oneCase(''), 'mine.yaml:4: cases.0: needs one of answers, quota and patience'],
    ['a tag that nobody knows', `${head}cases: !these []\n`, 'mine.yaml:3: Unresolved tag: !these'],
  ])('with %s is refused, its line named', (_, text, message) => {
    expect(refusal(text)).toContain(message)
  })

  it('that is not there is refused with the names of those that come along', () => {
    writeFileSync(join(folder, 'backoff.yaml'), '')
    expect(() => loadClientCases('bakoff', folder)).toThrow(
      'there is no file of cases bakoff: give the path of a YAML file, or one of backoff',
    )
  })
})
