import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { buildReport } from '../../assembly/build-report.js'
import { type ClientReport, clientReportModel, clientReportVersion } from '../../client-audit/report/model.js'
import { UsageError } from '../../kit/usage-error.js'
import { type Report, reportModel, reportSchemaVersion } from '../../report/model.js'
import { judge } from '../../run/judge.js'
import { toolVersion } from '../../run/package.js'
import { firstLine, savedEvidence } from '../../run/saved-run.js'

const anyVersion = z.object({ schemaVersion: z.number(), tool: z.object({ version: z.string() }).optional() })

const parseJson = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UsageError(`${file} is no JSON: ${error instanceof Error ? error.message : error}`)
  }
}

/** What a report.json, or the one in a folder, holds. Throws a {@link UsageError} where there is none. */
const readFile = (path: string): { readonly file: string; readonly value: unknown } => {
  const file = existsSync(path) && statSync(path).isDirectory() ? join(path, 'report.json') : path
  if (!existsSync(file)) {
    throw new UsageError(`${path} holds no report.json: give the folder of a run, such as reports/latest, or the file`)
  }
  return { file, value: parseJson(file) }
}

/** The value as the model has it. `what`: what it is no report of, where it is not. */
const parsed = <S extends z.ZodObject>(file: string, model: S, value: unknown, what: string): z.infer<S> => {
  const read = model.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new UsageError(`${file} is no report of ${what}: ${issue.path.join('.')}: ${issue.message}`)
}

/**
 * Reads a report from report.json, or from the folder that holds it, of this version or an older one. Throws a
 * {@link UsageError} where there is none, where it is of a newer version, or where a field is not what it should be.
 */
export const readReport = (path: string): Report => {
  const { file, value } = readFile(path)
  const head = anyVersion.safeParse(value)
  if (!head.success) throw new UsageError(`${file} is no report of quotaspec: it has no schemaVersion`)
  const { schemaVersion, tool } = head.data
  if (schemaVersion > reportSchemaVersion) {
    throw new UsageError(
      `${file} has the schema version ${schemaVersion}, written by quotaspec ${tool?.version ?? 'of a newer version'}; this one reads up to ${reportSchemaVersion}: use a newer quotaspec`,
    )
  }
  return parsed(file, reportModel, value, 'quotaspec')
}

const anyAudit = z.object({ kind: z.literal('client'), schemaVersion: z.number() })

/**
 * Reads the report of a client's audit in the same way; undefined where it is another kind of report. Throws a
 * {@link UsageError} as {@link readReport} does.
 */
export const readAuditReport = (path: string): ClientReport | undefined => {
  const { file, value } = readFile(path)
  const head = anyAudit.safeParse(value)
  if (!head.success) return undefined
  if (head.data.schemaVersion > clientReportVersion)
    throw new UsageError(`${file} has the schema version ${head.data.schemaVersion}: use a newer quotaspec`)
  return parsed(file, clientReportModel, value, "a client's audit")
}

const firstRecord = z.object({ id: z.string() })

/** The id of the run that a journal is of; null where its first line can't be read. */
const journalId = (file: string): string | null => {
  try {
    return firstRecord.parse(JSON.parse(firstLine(file))).id
  } catch {
    return null
  }
}

/**
 * The report of a saved run: the one that was written, of this version or an older one, or a new one where the run came
 * to no report. A report that an earlier run left in the folder is not taken for this run's.
 */
export const savedReport = (folder: string, warn: (text: string) => void): Report => {
  const journal = join(folder, 'journal.jsonl')
  const hasJournal = existsSync(journal)
  if (!hasJournal || existsSync(join(folder, 'report.json'))) {
    const written = readReport(folder)
    if (!hasJournal || journalId(journal) === written.run.id) return written
    warn(`${folder}: report.json is of another run than the journal, which is judged instead`)
  }
  const evidence = savedEvidence(folder, warn)
  return buildReport(evidence, judge(evidence), { version: toolVersion, crashed: false })
}
