import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { UsageError } from '../kit/usage-error.js'
import { type Report, reportModel, reportSchemaVersion } from '../report/model.js'

const anyVersion = z.object({ schemaVersion: z.number(), tool: z.object({ version: z.string() }).optional() })

const parseJson = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UsageError(`${file} is no JSON: ${error instanceof Error ? error.message : error}`)
  }
}

/**
 * Reads a report from report.json, or from the folder that holds it, of this version or an older one. Throws a
 * {@link UsageError} where there is none, where it is of a newer version, or where a field is not what it should be.
 */
export const readReport = (path: string): Report => {
  const file = existsSync(path) && statSync(path).isDirectory() ? join(path, 'report.json') : path
  if (!existsSync(file)) {
    throw new UsageError(`${path} holds no report.json: give the folder of a run, such as reports/latest, or the file`)
  }
  const value = parseJson(file)
  const head = anyVersion.safeParse(value)
  if (!head.success) throw new UsageError(`${file} is no report of quotaspec: it has no schemaVersion`)
  const { schemaVersion, tool } = head.data
  if (schemaVersion > reportSchemaVersion) {
    throw new UsageError(
      `${file} has the schema version ${schemaVersion}, written by quotaspec ${tool?.version ?? 'of a newer version'}; this one reads up to ${reportSchemaVersion}: use a newer quotaspec`,
    )
  }
  const parsed = reportModel.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new UsageError(`${file} is no report of quotaspec: ${issue.path.join('.')}: ${issue.message}`)
}
