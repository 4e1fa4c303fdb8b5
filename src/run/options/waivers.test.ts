import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { loadWaivers } from './waivers.js'

const folder = mkdtempSync(join(tmpdir(), 'quotaspec-waivers-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const load = (text: string) => {
  const file = join(folder, 'waivers.yaml')
  writeFileSync(file, text)
  return loadWaivers(file, ['throttle.retry-after-honest'])
}

const entry = (lines: string): string => `waivers:
  - ${lines.trim().split('\n').join('\n    ')}
    target: https://staging.example.com/v1
    reason: the gateway cuts seconds off
    owner: team-gateway
`

describe('a file of waivers', () => {
  it('gives each known failure with its place', () => {
    const text = `# what we know\n${entry('clause: THROTTLE-4\nuntil: 2026-12-31')}`
    expect(load(text)).toEqual([
      {
        subject: 'clause',
        id: 'THROTTLE-4',
        target: 'https://staging.example.com/v1',
        reason: 'the gateway cuts seconds off',
        owner: 'team-gateway',
        until: '2026-12-31',
        place: 'waivers.yaml:3',
      },
    ])
  })

  it.each([
    ['check: throttle.retry-after-honest', 'check'],
    ['gate: overAdmitted', 'gate'],
    ['gate: free.latencyMs.admitted.p99', 'gate'],
  ])('names %s', (line, subject) => {
    expect(load(entry(`${line}\nuntil: 2026-12-31`))[0]?.subject).toBe(subject)
  })

  it.each([
    [
      'an unknown clause',
      entry('clause: THROTTLE-44\nuntil: 2026-12-31'),
      /:2: waivers\.0\.clause: there is no clause THROTTLE-44: did you mean THROTTLE-4\?/,
    ],
    [
      'an unknown check',
      entry('check: throttle.retry-after-honset\nuntil: 2026-12-31'),
      /did you mean throttle\.retry-after-honest\?/,
    ],
    ['an unknown gate', entry('gate: overAdmited\nuntil: 2026-12-31'), /did you mean overAdmitted\?/],
    ['a clause that cannot fail', entry('clause: QUOTA-8\nuntil: 2026-12-31'), /QUOTA-8 is only observed/],
    ['no such day', entry('clause: THROTTLE-4\nuntil: 2026-02-30'), /:3: waivers\.0\.until: must be a day such as/],
    ['no day', entry('clause: THROTTLE-4'), /waivers\.0\.until: is missing/],
    [
      'two subjects',
      entry('clause: THROTTLE-4\ngate: lost\nuntil: 2026-12-31'),
      /must name exactly one of clause, check and gate/,
    ],
    [
      'a misspelt field',
      entry('clause: THROTTLE-4\nuntill: 2026-12-31\nuntil: 2026-12-31'),
      /:3: waivers\.0\.untill is not a field of a waiver: did you mean until\?/,
    ],
    [
      'an empty reason',
      entry('clause: THROTTLE-4\nuntil: 2026-12-31').replace('the gateway cuts seconds off', "''"),
      /:5: waivers\.0\.reason: must not be empty/,
    ],
    [
      'one thing waived twice',
      `${entry('clause: THROTTLE-4\nuntil: 2026-12-31')}${entry('clause: THROTTLE-4\nuntil: 2027-12-31').replace('waivers:\n', '')}`,
      /waivers\.1\.clause: THROTTLE-4 is waived twice/,
    ],
  ])('refuses %s', (_, text, message) => {
    expect(() => load(text)).toThrow(message)
  })

  it('refuses a file that is not there', () => {
    expect(() => loadWaivers(join(folder, 'none.yaml'), [])).toThrow(/there is no such file/)
  })
})
