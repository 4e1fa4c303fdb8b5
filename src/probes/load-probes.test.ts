import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { loadProbes } from './load-probes.js'

it('are those whose source puts a load on a stage: else nobody would be asked for leave beforehand', () => {
  const sources = readdirSync(new URL('.', import.meta.url))
    .filter((name) => /^[\w-]+\.ts$/.test(name))
    .map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'))
  const loading = sources
    .filter((text) => /\bload\(\{/.test(text))
    .flatMap((text) => /defineProbe\(\{\s*id: '([^']+)'/.exec(text)?.[1] ?? [])
  expect([...loadProbes].sort()).toEqual(loading.sort())
})
