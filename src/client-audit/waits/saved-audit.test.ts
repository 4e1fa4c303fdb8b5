import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { arrivalsName, openArrivals, readArrivals } from '../../evidence/arrivals.js'
import { decisiveCases, simulatedAudit } from './testing/simulated-audit.js'

it('an audit is read back as it was written, up to the last whole line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quotaspec-arrivals-'))
  try {
    const audit = simulatedAudit(decisiveCases.slice(0, 2), ({ attempt }) => (attempt < 2 ? 2_000 : undefined))
    const log = openArrivals(folder)
    log.write(audit.head)
    for (const each of [...audit.plays, ...audit.arrivals]) log.write(each)
    log.write({ type: 'end', at: audit.endedAt, interrupted: false })
    log.close()
    appendFileSync(join(folder, arrivalsName), '{"type":"arrival","id":"cut o')
    expect(readArrivals(folder)).toEqual(audit)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
