import { describe, expect, it } from 'vitest'
import { findProbe, probes } from '../../run/registry.js'
import { probeList, probeReference, probeSection } from './probes.js'

/** What is told of a probe, by its id. */
const told = (id: string): string => {
  const probe = findProbe(id)
  return probe ? probeSection(probe) : ''
}

describe('the reference of probes', () => {
  it('has a section and a line for each', () => {
    const page = probeReference(probes)
    for (const { id } of probes) expect(page).toContain(`### \`${id}\`\n`)
    expect(probeList(probes).trim().split('\n')).toHaveLength(probes.length)
  })

  it.each([
    ['hello', 'It has no settings.'],
    ['hello', '- Requests at most: 3 on free, 3 on pro, 3 on business, 3 on free-2\n'],
    ['no-key', '- Requests at most: 3 on business, 4 without a valid key\n'],
    ['no-key', '- Needs: the Petstore interface\n'],
    ['burst', '- Needs: a quota of any API\n'],
    ['burst', '| `overshoot` | a number from 1.05 to 10 | `1.5` |'],
    ['burst', '- Load: yes: if the target is not this machine, it needs `--allow-load`\n'],
    ['daily', "- Load: yes; it spends its keys' daily quotas on purpose\n"],
    ['other-requests', '- Requests at most: depends on the contract\n'],
    ['same-plan', '- Requests at most: 65 on free, 2 on free-2\n'],
  ])('says of %s: %s', (id, words) => {
    expect(told(id)).toContain(words)
  })
})
