import type { ClientReport } from './model.js'

/** The report as JSON, its shape that of the schema. */
export const renderClientJson = (report: ClientReport): string => `${JSON.stringify(report, null, 2)}\n`
