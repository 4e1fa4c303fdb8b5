import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { probes } from '../run/plan/probe-registry.js'

const sourceOf = (id: string): string | undefined => {
  for (const folder of ['profiles', 'requests', '../petstore/probes']) {
    try {
      return readFileSync(new URL(`${folder}/${id}.ts`, import.meta.url), 'utf8')
    } catch {}
  }
  return undefined
}

it.each(probes)(
  '$id says whether it puts a load on a key: else nobody would be asked for leave beforehand',
  (probe) => {
    const source = sourceOf(probe.id)
    expect(source).toBeDefined()
    expect(probe.isLoad ?? false).toBe(/\bload\(\{/.test(source ?? ''))
  },
)
