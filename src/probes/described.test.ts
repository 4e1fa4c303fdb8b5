import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { probeCatalogue } from '../contract/probe-catalogue.js'
import { probes } from '../run/registry.js'

/** `burst.overshoot`, with its schema. */
const settings = probes.flatMap(({ id, settings: { shape } }) =>
  Object.entries(shape).map(([name, field]): [string, z.ZodType] => [`${id}.${name}`, field as z.ZodType]),
)

describe('whoever writes a scenario reads', () => {
  it.each(probes)('what $id does, in plain sentences', ({ summary }) => {
    expect(summary).toMatch(/^[A-Z].*[.?]$/)
    expect(summary.length).toBeLessThan(170)
  })

  it.each(settings)('what the setting %s means', (_, field) => {
    // As the published schema has it: a default or an optional setting has the sentence of what it holds.
    expect(z.toJSONSchema(field, { io: 'input' }).description).toMatch(/^[A-Z].*\.$/)
  })

  it.each(settings)('what %s is where nobody sets it: a default, or nothing', (_, field) => {
    expect(z.object({ field }).safeParse({}).success).toBe(true)
  })
})

it('the catalogue names the probes that there are, and no other', () => {
  expect(Object.keys(probeCatalogue).sort()).toEqual(probes.map(({ id }) => id).sort())
})
