import type { Report } from '../model.js'
import { attackReport } from './attack-report.js'
import { contractReport } from './contract-report.js'
import { failingReport } from './failing-report.js'
import { inconclusiveReport } from './inconclusive-report.js'
import { passingReport } from './passing-report.js'
import { waivedReport } from './waived-report.js'

/** A report of every kind by name, including that of a hostile target. */
export const everyReport = {
  passing: passingReport,
  failing: failingReport,
  inconclusive: inconclusiveReport,
  waived: waivedReport,
  contract: contractReport,
  attacking: attackReport,
} satisfies Record<string, Report>

export type ReportName = keyof typeof everyReport

export const reportNames = Object.keys(everyReport) as ReportName[]
