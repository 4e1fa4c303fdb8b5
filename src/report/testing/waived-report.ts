import { headlineOf } from '../headline.js'
import { settle } from '../model/settle.js'
import type { Report } from '../model.js'
import { failingReport } from './failing-report.js'

const { outcome: _, headline: __, rerun: ___, gates: ____, waivers: _____, ...failing } = failingReport

const waiver = (id: string, until: string, line: number) => ({
  subject: 'clause' as const,
  id,
  target: 'http://127.0.0.1:*/v1',
  reason: `${id} is on its way out with the new gateway.`,
  owner: 'team-gateway',
  until,
  place: `waivers.yaml:${line}`,
})

const settled = settle(failing, {
  gates: { level: 'must', overAdmitted: 0, 'latencyMs.admitted.p99': 50, plans: { free: { lost: 0 } } },
  waivers: [
    waiver('QUOTA-1', '2026-12-31', 2),
    waiver('THROTTLE-4', '2026-11-21', 7),
    waiver('RATE-5', '2026-12-31', 12),
    waiver('INV-6', '2026-11-20', 17),
  ],
  plans: ['free', 'pro'],
  isPartial: false,
  rejectedKeys: [],
})

/** A run whose two failures are waived, while one waiver has expired and one is no longer needed. */
export const waivedReport: Report = { ...settled, rerun: null, headline: headlineOf(settled) }
