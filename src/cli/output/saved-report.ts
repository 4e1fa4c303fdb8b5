import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type ClientReport, clientReportModel, clientReportVersion } from '../../client-audit/report/model.js'
import { UsageError, whyOf } from '../../kit/usage-error.js'
import { type Report, reportModel, reportSchemaVersion } from '../../report/model.js'

const anyReport = z.object({
  schemaVersion: z.number(),
  kind: z.string().optional(),
  tool: z.object({ version: z.string() }).optional(),
})

/** Reads the common head of a report.json, or of the one in a folder. Throws a {@link UsageError} if there is none. */
const readHead = (path: string) => {
  const file = existsSync(path) && statSync(path).isDirectory() ? join(path, 'report.json') : path
  if (!existsSync(file))
    throw new UsageError(`${path} holds no report.json: give the folder of a run, such as reports/latest, or the file`)
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${whyOf(error)}`)
  }
  const head = anyReport.safeParse(value)
  if (!head.success) throw new UsageError(`${file} is not a quotaspec report: it has no schemaVersion`)
  return { file, value, ...head.data }
}

/** The report in this version's model. `what`: whose report it should be, for errors. */
const parsed = <S extends z.ZodObject>(
  { file, value, schemaVersion, tool }: ReturnType<typeof readHead>,
  model: S,
  newest: number,
  what: string,
): z.infer<S> => {
  if (schemaVersion > newest) {
    throw new UsageError(
      `${file} has the schema version ${schemaVersion}, written by quotaspec ${tool?.version ?? 'of a newer version'}; this one reads up to ${newest}: use a newer quotaspec`,
    )
  }
  const read = model.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new UsageError(`${file} is not a report of ${what}: ${issue.path.join('.')}: ${issue.message}`)
}

/** Reads a report of this version or an older one, from report.json or its folder; throws a {@link UsageError}. */
export const readReport = (path: string): Report =>
  parsed(readHead(path), reportModel, reportSchemaVersion, 'quotaspec')

/** Reads the report of a client's audit in the same way; undefined if it is another kind of report. */
export const readAuditReport = (path: string): ClientReport | undefined => {
  const head = readHead(path)
  return head.kind === 'client' ? parsed(head, clientReportModel, clientReportVersion, "a client's audit") : undefined
}
