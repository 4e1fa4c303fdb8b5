import type { z } from 'zod'
import { UsageError } from '../../kit/usage-error.js'
import { present, suggestion } from '../../kit/words.js'
import { innermost, plainWords, telling } from '../../kit/yaml-file.js'
import { mergedGates } from './gates.js'
import { type GivenOptions, type RunOptions, runOptionsSchema, sectionSchema } from './run-options.js'
import { isLoopback } from './target.js'

/** The path to an option: `['timeouts', 'head']`. */
export type OptionPath = readonly PropertyKey[]

/** A place that gives options: flags, a file or a program. */
export interface OptionSource {
  readonly values: GivenOptions
  /** An option's name there, for errors: `--head-timeout`, `quotaspec.yaml:7: timeouts.head`, `options.timeouts.head`. */
  readonly nameOf: (path: OptionPath) => string
  readonly file?: ConfigUse
}

interface ConfigUse {
  /** As `--config` takes it. */
  readonly file: string
  readonly environment?: string
  /** Whether quotaspec found it without `--config`. */
  readonly isFound?: boolean
}

type FileSource = OptionSource & { readonly file: ConfigUse }

export const valueAt = (from: unknown, path: OptionPath): unknown =>
  path.reduce<unknown>((value, step) => (value as Record<PropertyKey, unknown> | undefined)?.[step], from)

const said = <T extends object>(values: T): T =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T

/** Merges entry by entry; the nearer source wins. */
const merged = <T>(far: T | undefined, near: T | undefined): T | undefined =>
  typeof near === 'object' && near !== null ? ({ ...far, ...said(near) } as T) : (near ?? far)

/** Whether the nearer source has another target. Leave for load belongs to a target: staging's is not production's. */
const isForAnother = (far: GivenOptions, near: GivenOptions): boolean =>
  near.target !== undefined && near.target.replace(/\/+$/, '') !== far.target?.replace(/\/+$/, '')

/** `allowLoad` and `withoutLoad` contradict each other: the nearer source wins. */
const leaveOf = (far: GivenOptions, near: GivenOptions): GivenOptions => ({
  allowLoad: near.allowLoad ?? (isForAnother(far, near) || near.withoutLoad ? undefined : far.allowLoad),
  withoutLoad: near.withoutLoad ?? (near.allowLoad ? undefined : far.withoutLoad),
})

/** Merges the options of two sources; the nearer one wins. */
export const mergedOptions = (far: GivenOptions, near: GivenOptions): GivenOptions => ({
  ...far,
  ...said(near),
  keyVariables: merged(far.keyVariables, near.keyVariables),
  quotas: merged(far.quotas, near.quotas),
  timeouts: merged(far.timeouts, near.timeouts),
  gates: mergedGates(far.gates, near.gates),
  ...leaveOf(far, near),
  // `insecure` checks no certificate, so it needs no CA.
  ca: near.ca ?? (near.insecure ? undefined : far.ca),
})

export interface SettledOptions {
  readonly options: RunOptions
  /** An option's name in its source, for errors. */
  readonly nameOf: (...path: OptionPath) => string
  /** The source of an option; undefined for a default. */
  readonly sourceOf: (...path: OptionPath) => OptionSource | undefined
  readonly file?: FileSource
  /** Whether quotaspec was told not to look for a configuration file. */
  readonly withoutFile?: boolean
  /** Notes for the run: which file, which environment, what was taken from it. */
  readonly remarks: readonly string[]
}

const refuse = (error: z.core.$ZodError, schema: z.ZodType, nameOf: SettledOptions['nameOf']): never => {
  const { issue, path, fields } = innermost(telling(error.issues), schema)
  if (issue.code !== 'unrecognized_keys') throw new UsageError(`${nameOf(...path)} ${issue.message}`)
  const [key] = issue.keys
  throw new UsageError(`${nameOf(...path, key)} is not an option: ${suggestion(key, fields)}`)
}

const refuseContradictions = (
  options: Pick<RunOptions, 'allowLoad' | 'withoutLoad' | 'ca' | 'insecure'>,
  nameOf: SettledOptions['nameOf'],
): void => {
  if (options.allowLoad && options.withoutLoad)
    throw new UsageError(
      `${nameOf('allowLoad')} and ${nameOf('withoutLoad')} contradict each other: remove one of them`,
    )
  if (options.ca !== undefined && options.insecure)
    throw new UsageError(
      `${nameOf('ca')} and ${nameOf('insecure')} contradict each other: ${nameOf('insecure')} checks no certificate at all`,
    )
}

/** Fields that are merged entry by entry: a nearer source may give one entry, and the file the others. */
const byEntry: readonly string[] = ['timeouts', 'quotas', 'gates', 'keyVariables']

const remarksOn = (file: FileSource, settled: Omit<SettledOptions, 'remarks'>): string[] => {
  const { options, sourceOf, nameOf } = settled
  const { values } = file
  const isTaken = (field: string): boolean => {
    const value = valueAt(values, [field])
    const entries = byEntry.includes(field) ? Object.keys(value ?? {}).map((entry) => [field, entry]) : [[field]]
    return value !== undefined && entries.some((path) => sourceOf(...path) === file)
  }
  const fields = Object.keys(sectionSchema.shape)
  const taken = fields.filter((field) => isTaken(field === 'keys' ? 'keyVariables' : field))
  const lacksLeave = values.allowLoad && sourceOf('allowLoad') === undefined && !options.withoutLoad
  const { file: name, environment } = file.file
  const where = environment === undefined ? name : `${name}, environment ${environment}`
  return present(
    `settings taken from ${where}: ${taken.join(', ') || 'none'}`,
    lacksLeave &&
      !isLoopback(options.target) &&
      `${file.nameOf(['allowLoad'])} does not apply to ${options.target}, because the file does not name that target beside it: ${nameOf('allowLoad')} allows load there`,
  )
}

/** Settles a run's options from several sources, nearest first. A {@link UsageError} names the option as its source does. */
export const settleOptions = (sources: readonly OptionSource[]): SettledOptions => {
  const given = sources
    .map(({ values }) => values)
    .reduceRight<GivenOptions>((far, near) => mergedOptions(far, near), {})
  const sourceOf = (...path: OptionPath) => {
    if (path.length === 1 && path[0] === 'allowLoad' && given.allowLoad === undefined) return undefined
    return sources.find(({ values }) => valueAt(values, path) !== undefined && valueAt(given, path) !== undefined)
  }
  const nameOf = (...path: OptionPath) => (sourceOf(...path) ?? sources[0]).nameOf(path)
  const parsed = runOptionsSchema.safeParse(given, { error: plainWords })
  if (!parsed.success) return refuse(parsed.error, runOptionsSchema, nameOf)
  const options = parsed.data
  refuseContradictions(options, nameOf)
  const file = sources.find((source): source is FileSource => source.file !== undefined)
  const settled = { options, nameOf, sourceOf, file }
  return { ...settled, remarks: file ? remarksOn(file, settled) : [] }
}

export const programSource = (values: GivenOptions): OptionSource => ({
  values,
  nameOf: (path) => ['options', ...path].map(String).join('.'),
})
