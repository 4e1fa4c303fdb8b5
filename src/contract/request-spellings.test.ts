import { describe, expect, it } from 'vitest'
import { openedInWords } from './request-spellings.js'

describe('spellings that open a quota', () => {
  it.each<[readonly string[], string]>([
    [['a PATCH of another pet'], 'a PATCH of another pet has a quota of its own'],
    [['a PATCH of another pet', 'a third operation', 'another operation'], 'another operation has a quota of its own'],
    [['a query string', 'another query string'], 'a query string opens a fresh quota'],
    [['X-Forwarded-For', 'another X-Forwarded-For'], 'another X-Forwarded-For opens a fresh quota'],
    [['scheme in lower case'], 'another letter case of the scheme opens a fresh quota'],
    [['a percent-encoded letter'], 'a percent-encoded letter opens a fresh quota'],
    [['a capital letter', 'a doubled slash'], 'another spelling of the path opens a fresh quota'],
    [['another Accept', 'another User-Agent'], 'another Accept and another User-Agent open fresh quotas'],
    [['X-Real-IP', 'a query string'], 'another X-Real-IP and a query string open fresh quotas'],
    [
      ['Forwarded', 'X-Real-IP', 'a query string', 'another Accept', 'a capital letter'],
      'another Forwarded, another X-Real-IP, a query string and 2 more open fresh quotas',
    ],
    [['the request search'], 'the request search has a quota of its own'],
    [['the probe search'], 'the probe search has a quota of its own'],
    [['the credential b'], 'the credential b has a quota of its own'],
    [['a PATCH with a long body'], 'a PATCH with a long body opens a fresh quota'],
    [['constructor'], 'constructor opens a fresh quota'],
  ])('%j: %s', (spellings, words) => {
    expect(openedInWords(spellings)).toBe(words)
  })
})
