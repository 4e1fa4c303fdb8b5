import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { firstLookProbe } from '../evidence/journal.js'
import { probes } from '../run/registry.js'

/** Probes that stand in one file all put loads on keys, or none of them does. */
const sources = ['profiles/', '../petstore/probes/'].flatMap((folder) => {
  const url = new URL(folder, import.meta.url)
  const names = readdirSync(url).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  return names.map((name) => readFileSync(new URL(name, url), 'utf8'))
})

const sourceOf = (id: string): string | undefined =>
  sources.find((text) => text.includes(id === firstLookProbe ? 'id: firstLookProbe,' : `id: '${id}',`))

it.each(probes)(
  '$id says whether it puts a load on a key: else nobody would be asked for leave beforehand',
  (probe) => {
    const source = sourceOf(probe.id)
    expect(source).toBeDefined()
    expect(probe.isLoad ?? false).toBe(/\bload\(\{/.test(source ?? ''))
  },
)
