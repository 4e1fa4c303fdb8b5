import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { loadContract } from './load-contract.js'

const folder = fileURLToPath(new URL('../../../contracts/', import.meta.url))

/** What is told apart about each: what it is counted by, its windows in seconds, and what its refusals are. */
const examples = {
  cloudflare: { by: ['credential'], windows: [300], refused: [429] },
  discord: { by: ['credential+request'], windows: [5], refused: [429, 403] },
  github: { by: ['credential', 'address'], windows: [60, 3_600], refused: [403, 429] },
  jira: { by: ['credential+request'], windows: [4], refused: [429] },
  okta: { by: ['credential'], windows: [60], refused: [429] },
  openai: { by: ['credential'], windows: [60], refused: [429] },
  shopify: { by: ['credential'], windows: [1], refused: [429] },
  slack: { by: ['credential+request'], windows: [60], refused: [429, 200] },
  stripe: { by: ['credential'], windows: [4], refused: [429] },
  x: { by: ['credential+request'], windows: [900], refused: [429] },
} as const

describe('the examples of contracts', () => {
  it('are those that are described here', () => {
    expect(readdirSync(folder).sort()).toEqual(Object.keys(examples).map((name) => `${name}.yaml`))
  })

  it.each(Object.entries(examples))('load: %s', async (name, { by, windows, refused }) => {
    const { contract, notes } = await loadContract(`${folder}${name}.yaml`)
    expect(contract.name).toBe(name)
    expect(notes).toEqual([])
    expect([...new Set(contract.quotas.map((quota) => quota.by))]).toEqual(by)
    expect([...new Set(contract.quotas.map(({ windowMs }) => windowMs / 1_000))]).toEqual(windows)
    expect([...new Set(contract.refusals.flatMap(({ status }) => status))]).toEqual(refused)
  })

  it.each(Object.keys(examples))('never name a host: %s', (name) => {
    const text = readFileSync(`${folder}${name}.yaml`, 'utf8')
    expect(text).not.toMatch(/https?:|\.(com|io|org|net)\b/)
  })
})
