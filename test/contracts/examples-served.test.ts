import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { contractFaults } from '../../reference-server/faults/catalogue.js'
import { askContract, type Seen } from '../../reference-server/testing/ask-contract.js'
import type { QuotaSpec } from '../../src/contract/api-contract.js'
import { loadContract } from '../../src/contract/file/load-contract.js'
import { countsAgainst } from '../../src/contract/partitions.js'

const folder = fileURLToPath(new URL('../../contracts/', import.meta.url))
const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'))

/** Whether an answer serves a probe, and shows every field. */
const isServed = ({ status, headers }: Seen, fields: readonly { readonly name: string }[]) =>
  status < 300 && fields.every(({ name }) => headers[name.toLowerCase()] !== undefined)

/** The most requests at once that a quota admits. */
const mostOf = ({ limit, burst, cost }: QuotaSpec, credential: string, probe: string) =>
  Math.floor((burst ?? limit[credential]) / (cost[probe] ?? 1))

describe('the reference server', () => {
  it.each(files)('keeps %s: each quota admits what it should of each credential, and no more', async (file) => {
    const { contract } = await loadContract(`${folder}${file}`)
    for (const { requests, limit } of contract.quotas) {
      const [request] = requests
      for (const credential of Object.keys(limit)) {
        const counted = contract.quotas.filter((quota) => countsAgainst(quota, credential, request))
        const most = Math.min(...counted.map((quota) => mostOf(quota, credential, request)))
        const answers = await askContract(contract).times(most + 3, request, credential)
        const served = answers.filter((answer) => isServed(answer, contract.headers))
        expect(served.length, `${credential} ${request}`).toBe(most)
      }
    }
  })

  it.each(files)('has faults to break %s with', async (file) => {
    const { contract } = await loadContract(`${folder}${file}`)
    const ids = contractFaults.filter(({ appliesTo }) => appliesTo(contract)).map(({ id }) => id)
    expect(ids.length).toBeGreaterThan(10)
    for (const id of ids) expect((await askContract(contract, { faults: [id] }).ask()).status, id).toBeLessThan(300)
  })
})
