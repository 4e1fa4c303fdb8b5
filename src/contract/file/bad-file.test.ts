import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadContract } from './load-contract.js'
import { from, good, refusalTable } from './testing/spoiled-contracts.js'

it('the contract that is spoiled here is a good one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quotaspec-good-'))
  const file = join(folder, 'acme.yaml')
  writeFileSync(file, good)
  expect((await loadContract(file)).contract.name).toBe('acme')
  rmSync(folder, { recursive: true })
})

describe('a contract file is refused, in one sentence and with its line, for', () => {
  refusalTable([
    [
      'no version',
      'quotaspec: 1\n',
      '',
      'acme.yaml:1: quotaspec: is missing: it must be 1, the version of the file: write quotaspec: 1',
    ],
    [
      'another version',
      'quotaspec: 1',
      'quotaspec: 2',
      'acme.yaml:1: quotaspec: must be 1, the version of the file: write quotaspec: 1',
    ],
    [
      'no name',
      'name: acme\n',
      '',
      'acme.yaml:1: name: is missing: it must be a name of lower-case letters, digits and hyphens that begins with a letter',
    ],
    [
      'a name of several words',
      'name: acme',
      'name: Acme Shop',
      'acme.yaml:2: name: must be a name of lower-case letters, digits and hyphens that begins with a letter',
    ],
    [
      'a field that there is not',
      'name: acme',
      'name: acme\nquota: []',
      'acme.yaml:3: quota is not a field of a contract: did you mean quotas?',
    ],
    ['no quotas', from('quotas:'), '', 'acme.yaml:1: quotas: is missing: it must be a list'],
    ['an empty list of quotas', from('quotas:'), 'quotas: []\n', 'acme.yaml:17: quotas: needs at least one quota'],
    [
      'a broken line',
      'name: acme',
      'name: [acme',
      'acme.yaml:3: Flow sequence in block collection must be sufficiently indented and end with a ]',
    ],
    [
      'a field said twice',
      'name: acme',
      'name: acme\nname: shop',
      'acme.yaml:3: this field appears twice: remove one of them',
    ],
    ['a tab', '  free: {', '\tfree: {', 'acme.yaml:4: this line begins with a tab: indent it with spaces'],
  ])
})
