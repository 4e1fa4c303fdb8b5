import { z } from 'zod'
import { reportModel } from '../model.js'

/** A report, of a run or of an audit, as `report.json`: indented, with a line feed at its end, reading back as the same report. */
export const renderJson = (report: object): string => `${JSON.stringify(report, null, 2)}\n`

/** JSON Schema (draft 2020-12) of `report.json`. It allows fields that a later version adds. */
export const reportJsonSchema = (): Record<string, unknown> => ({
  $id: 'urn:quotaspec:report:1',
  title: 'quotaspec report',
  ...z.toJSONSchema(reportModel, { io: 'input' }),
})

/** The JSON Schema as it is published: indented, with a line feed at its end. */
export const renderJsonSchema = (): string => `${JSON.stringify(reportJsonSchema(), null, 2)}\n`
