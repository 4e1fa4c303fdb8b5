import { shellWord } from '../../kit/words.js'

/** A flag, or a positional word, for the parser, help, errors and completion. */
export interface Flag {
  readonly type: 'string' | 'number' | 'boolean'
  readonly describe: string
  /** The name of its value in help: URL. */
  readonly value?: string
  /** An example value for errors: 8080. */
  readonly sample?: string
  readonly choices?: readonly string[]
  /** Whether it may be repeated, and gives a list. */
  readonly array?: boolean
  readonly within?: { readonly words: string; readonly least: number; readonly most?: number; readonly isWhole?: true }
  readonly default?: string | number | boolean | readonly string[]
  /** The default that help shows, if it is filled in only later. */
  readonly defaultDescription?: string
  readonly demandOption?: boolean
  /** Whether `--no-NAME` is allowed, for none. */
  readonly mayBeOff?: boolean
  readonly names?: NameKind
}

type More = Partial<Flag>
type Nothing = Record<never, never>

/** A flag that takes a text: its value's name in help, and what it means. */
export const text = <const M extends More = Nothing>(value: string | undefined, describe: string, more?: M) =>
  ({ type: 'string', ...(value && { value }), describe, ...(more as M) }) as const

export const texts = <const M extends More = Nothing>(value: string | undefined, describe: string, more?: M) =>
  text(value, describe, { array: true, default: [], ...(more as M) })

/** A flag that takes a number, such as `sample`. */
export const number = <const M extends More = Nothing>(sample: string, describe: string, more?: M) =>
  ({ type: 'number', sample, describe, ...(more as M) }) as const

export const oneOf = <const C extends string, const M extends More = Nothing>(
  choices: readonly C[],
  describe: string,
  more?: M,
) => ({ type: 'string', choices, describe, ...(more as M) }) as const

/** A flag without a value; undefined if not typed. */
export const said = (describe: string) => ({ type: 'boolean', describe }) as const

/** A flag without a value; false if not typed. */
export const toggle = (describe: string) => ({ type: 'boolean', describe, default: false }) as const

export type NameKind = 'scenarios' | 'wishes' | 'checks' | 'probes' | 'plans' | 'faults' | 'variations'

/** What a command does once its words are understood; it sets the process's exit code. */
type Action = (args: never) => void | Promise<void>

export type Flags = Readonly<Record<string, Flag>>

/** A command as a user sees it: its words, flags and examples. */
export interface Declared {
  readonly command: string
  readonly describe: string
  readonly positionals?: Flags
  readonly options?: Flags
  /** About two, each with its effect. */
  readonly examples: readonly (readonly [command: string, effect: string])[]
  /** Throws a usage error for mistakes that are visible without loading the command. */
  readonly refuse?: (args: Readonly<Record<string, unknown>>) => void
}

type One<F> = F extends { readonly choices: readonly (infer C)[] }
  ? C
  : F extends { readonly type: 'number' }
    ? number
    : F extends { readonly type: 'boolean' }
      ? boolean
      : string
type Meant<F> = F extends { readonly array: true } ? string[] : One<F>
type Sure = { readonly default: unknown } | { readonly demandOption: true }

/** The parsed values of flags or words, by name. */
export type ValuesOf<O> = { readonly [K in keyof O]: O[K] extends Sure ? Meant<O[K]> : Meant<O[K]> | undefined }

export type ArgsOf<D extends Declared> = ValuesOf<D['options']> & ValuesOf<D['positionals']>

/** A command with its action, which is loaded only when run, so that help and refusals come at once. */
export interface Surface extends Declared {
  readonly load: () => Promise<Action>
}

/** The name of a command, without its positional words. */
export const nameOf = ({ command }: Pick<Surface, 'command'>): string => command.split(' ')[0]

/** The placeholder of a flag's value, with a blank before it: ` URL`. */
export const placeOf = ({ type, value, choices }: Flag): string => {
  if (type === 'boolean') return ''
  return ` ${value ?? choices?.join('|') ?? (type === 'number' ? 'N' : 'TEXT')}`
}

/** The first of these flags that was typed, if any was; for flags without a default. */
export const givenOf = (flags: Flags, args: Readonly<Record<string, unknown>>): string | undefined =>
  Object.keys(flags).find((name) => {
    const given = args[name]
    return given !== undefined && given !== false && !(Array.isArray(given) && given.length === 0)
  })

/** The named flags as typed, in order; defaults are left out. */
export const wordsOf = (flags: Flags, args: Readonly<Record<string, unknown>>, names: readonly string[]): string[] =>
  names.flatMap((name) => {
    const value = args[name]
    if (value === undefined || value === false || value === flags[name].default) return []
    if (value === true) return [`--${name}`]
    return [value].flat().map((each) => `--${name} ${shellWord(String(each))}`)
  })
