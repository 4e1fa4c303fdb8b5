import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { headerPresets, presetNames } from '../header-presets.js'
import { modelNames } from '../limiter-models.js'
import { loadContract } from './load-contract.js'

const docs = new URL('../../../docs/reference/', import.meta.url)
const page = readFileSync(new URL('contract-file.md', docs), 'utf8')

describe('the page of the contract file', () => {
  it('has an example that loads', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quotaspec-page-'))
    const file = join(folder, 'acme.yaml')
    writeFileSync(file, /```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? '')
    const { contract } = await loadContract(file)
    rmSync(folder, { recursive: true })
    expect(contract.quotas.map(({ id }) => id)).toEqual(['minute', 'address'])
  })

  it.each(presetNames)('says what the preset %s has', (name) => {
    const fields = headerPresets[name].map(
      (field) => `${field.name} (${[field.is, field.as].filter(Boolean).join(', ')})`,
    )
    const level = headerPresets[name][0]?.level
    expect(page).toContain(`| \`${name}\` | ${fields.join(', ') || 'none'} | ${level ? `${level} ` : ''}|`)
  })

  it.each(modelNames)('names the model %s', (name) => {
    expect(page).toContain(`\`${name}\``)
  })
})
