import type { z } from 'zod'
import { UsageError } from '../../kit/usage-error.js'
import { present, suggestion } from '../../kit/words.js'
import { innermost, plainWords, telling } from '../../kit/yaml-file.js'
import { mergedGates } from './gates.js'
import { type GivenOptions, type RunOptions, runOptionsSchema, sectionSchema } from './run-options.js'
import { isLoopback } from './target.js'

/** The steps that lead to an option: `['timeouts', 'head']`. */
export type OptionPath = readonly PropertyKey[]

/** One place where options are said. */
export interface OptionSource {
  readonly values: GivenOptions
  /** What an option is called there, for errors: `--head-timeout`, `quotaspec.yaml:7: timeouts.head`, `options.timeouts.head`. */
  readonly nameOf: (path: OptionPath) => string
  readonly file?: ConfigUse
}

interface ConfigUse {
  /** As `--config` takes it. */
  readonly file: string
  readonly environment?: string
  /** Whether it was found by itself, so that nothing has to name it. */
  readonly isFound?: boolean
}

type FileSource = OptionSource & { readonly file: ConfigUse }

/** What stands at the end of a path; undefined where it leads nowhere. */
export const valueAt = (from: unknown, path: OptionPath): unknown =>
  path.reduce<unknown>((value, step) => (value as Record<PropertyKey, unknown> | undefined)?.[step], from)

const said = <T extends object>(values: T): T =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T

/** Entry by entry: those of the nearer part go before the same ones of the farther. */
const merged = <T>(far: T | undefined, near: T | undefined): T | undefined =>
  typeof near === 'object' && near !== null ? ({ ...far, ...said(near) } as T) : (near ?? far)

/** Leave for load belongs to a target: what was written for staging lets no load go to production. */
const isForAnother = (far: GivenOptions, near: GivenOptions): boolean =>
  near.target !== undefined && near.target.replace(/\/+$/, '') !== far.target?.replace(/\/+$/, '')

/** Whoever allows load and whoever does without it say the opposite: the nearer word counts. */
const leaveOf = (far: GivenOptions, near: GivenOptions): GivenOptions => ({
  allowLoad: near.allowLoad ?? (isForAnother(far, near) || near.withoutLoad ? undefined : far.allowLoad),
  withoutLoad: near.withoutLoad ?? (near.allowLoad ? undefined : far.withoutLoad),
})

/** Options with what is said farther away besides. What both say is said by the nearer. */
export const mergedOptions = (far: GivenOptions, near: GivenOptions): GivenOptions => ({
  ...far,
  ...said(near),
  keyVariables: merged(far.keyVariables, near.keyVariables),
  quotas: merged(far.quotas, near.quotas),
  timeouts: merged(far.timeouts, near.timeouts),
  gates: mergedGates(far.gates, near.gates),
  ...leaveOf(far, near),
  // Who checks no certificate needs none to check by.
  ca: near.ca ?? (near.insecure ? undefined : far.ca),
})

/** The options of a run, with where each was said. */
export interface SettledOptions {
  readonly options: RunOptions
  /** What an option is called where it was said, for errors. */
  readonly nameOf: (...path: OptionPath) => string
  /** The place that said an option; undefined where it is as usual. */
  readonly sourceOf: (...path: OptionPath) => OptionSource | undefined
  readonly file?: FileSource
  /** Whether no configuration file was to be looked for. */
  readonly withoutFile?: boolean
  /** What is to be noted in the run: which file, which environment, what was taken from it. */
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

/** Fields of which a nearer source may say one entry, and the file the others. */
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
      `${file.nameOf(['allowLoad'])} is not for ${options.target}, which the file does not name beside it: ${nameOf('allowLoad')} lets load go there`,
  )
}

/** Settles what several places say of a run, the nearest first. Throws a {@link UsageError} in their names. */
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

/** What a program says of a run. */
export const programSource = (values: GivenOptions): OptionSource => ({
  values,
  nameOf: (path) => ['options', ...path].map(String).join('.'),
})
