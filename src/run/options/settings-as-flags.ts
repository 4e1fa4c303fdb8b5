import { UsageError } from '../../kit/usage-error.js'
import type { ConfigSection } from './config-schema.js'
import type { Configuration } from './load-config.js'
import { type GivenFlags, usual } from './run-flags.js'

type FlagName = keyof GivenFlags

/** The flags that each field of a configuration stands for. Those of load are settled apart; keys and gates have none. */
const flagsOfField = {
  target: ['target'],
  contract: ['contract'],
  scenario: ['scenario'],
  keys: [],
  quotas: ['quota'],
  out: ['out'],
  gates: [],
  strict: ['strict'],
  only: ['only'],
  skip: ['skip'],
  waivers: ['waivers'],
  allowLoad: ['allow-load'],
  withoutLoad: ['without-load'],
  readOnly: ['read-only'],
  withoutRejectedKeys: ['without-rejected-keys'],
  longWindows: ['long-windows'],
  timeouts: ['connect-timeout', 'head-timeout', 'body-timeout', 'time-limit'],
  ca: ['ca'],
  timeScale: ['time-scale'],
} as const satisfies Readonly<Record<keyof ConfigSection, readonly FlagName[]>>

const fields = Object.keys(flagsOfField) as (keyof ConfigSection)[]

/** What a configuration says, under the names of flags; without the leave for load. */
export const settingsAsFlags = (from: ConfigSection): GivenFlags => ({
  target: from.target,
  contract: from.contract,
  scenario: from.scenario,
  quota: from.quotas?.enterprise && [
    `enterprise=minute:${from.quotas.enterprise.minute},day:${from.quotas.enterprise.day}`,
  ],
  out: from.out,
  strict: from.strict,
  only: from.only,
  skip: from.skip,
  waivers: from.waivers,
  'read-only': from.readOnly,
  'without-rejected-keys': from.withoutRejectedKeys,
  'long-windows': from.longWindows,
  'connect-timeout': from.timeouts?.connect,
  'head-timeout': from.timeouts?.head,
  'body-timeout': from.timeouts?.body,
  'time-limit': from.timeouts?.run,
  ca: from.ca,
  'time-scale': from.timeScale,
})

/** The fields that a run goes by: those that are there, and for which no flag was given. */
export const fieldsTaken = (from: Configuration, given: GivenFlags): string[] =>
  fields.filter((field) => {
    const flags: readonly FlagName[] = flagsOfField[field]
    return from[field] !== undefined && flags.every((flag) => given[flag] === undefined)
  })

/** The flags for which some fields stand in. */
export const flagsOf = (taken: readonly string[]): string[] =>
  fields.filter((field) => taken.includes(field)).flatMap((field) => [...flagsOfField[field]])

const switches = [
  'strict',
  'allowLoad',
  'withoutLoad',
  'readOnly',
  'withoutRejectedKeys',
  'longWindows',
] as const satisfies readonly (keyof ConfigSection)[]

/** What was typed to take back what a configuration says, as it is typed again: where it is left out, the file counts. */
export const takenBack = (from: ConfigSection, given: GivenFlags): string[] => [
  ...switches.flatMap((field) => {
    const [flag] = flagsOfField[field]
    return from[field] === true && given[flag] === false ? [`--no-${flag}`] : []
  }),
  ...(from.timeScale !== undefined && from.timeScale !== usual.timeScale && given['time-scale'] === usual.timeScale
    ? [`--time-scale ${usual.timeScale}`]
    : []),
]

const fieldIn = (message: string): keyof ConfigSection | undefined => {
  const [, flag, kind] = /^(?:--([a-z-]+)\b|there is no (scenario|contract)\b)/.exec(message) ?? []
  const name = flag ?? kind
  return fields.find((field) => (flagsOfField[field] as readonly string[]).includes(name))
}

/** The error of a flag that nobody typed, with the place in the file that says the same. Any other as it is. */
export const withPlace = (error: unknown, from: Configuration | undefined, given: GivenFlags): unknown => {
  if (!from || !(error instanceof UsageError)) return error
  const field = fieldIn(error.message)
  if (field === undefined || !fieldsTaken(from, given).includes(field)) return error
  const place = from.placeOf(field)
  return place === undefined ? error : new UsageError(`${place}: ${field}: ${error.message}`)
}
