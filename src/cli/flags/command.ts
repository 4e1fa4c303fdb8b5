import { shellWord } from '../../kit/words.js'

/** A flag, or a word that needs none: what the reader of words, help, errors and completion know of it. */
export interface Flag {
  readonly type: 'string' | 'number' | 'boolean'
  readonly describe: string
  /** What stands behind it, for help: URL. */
  readonly value?: string
  /** What may be typed behind it, for errors: 8080. */
  readonly sample?: string
  readonly choices?: readonly string[]
  /** Whether it may be given again, and comes to a list. */
  readonly array?: boolean
  /** What a number has to be, and that in words. */
  readonly within?: { readonly words: string; readonly least: number; readonly most?: number; readonly isWhole?: true }
  readonly default?: string | number | boolean | readonly string[]
  /** What help says of that, where something else stands in for it later. */
  readonly defaultDescription?: string
  readonly demandOption?: boolean
  /** Whether `--no-NAME` says that there is none. */
  readonly mayBeOff?: boolean
  /** Whose names may stand behind it, for completion. */
  readonly names?: NameKind
}

type More = Partial<Flag>
type Nothing = Record<never, never>

/** A flag that takes a text: what help calls that, and what it means. */
export const text = <const M extends More = Nothing>(value: string | undefined, describe: string, more?: M) =>
  ({ type: 'string', ...(value && { value }), describe, ...(more as M) }) as const

/** A flag that takes texts, one each time. */
export const texts = <const M extends More = Nothing>(value: string | undefined, describe: string, more?: M) =>
  text(value, describe, { array: true, default: [], ...(more as M) })

/** A flag that takes a number, such as that one. */
export const number = <const M extends More = Nothing>(sample: string, describe: string, more?: M) =>
  ({ type: 'number', sample, describe, ...(more as M) }) as const

/** A flag that takes one of those. */
export const oneOf = <const C extends string, const M extends More = Nothing>(
  choices: readonly C[],
  describe: string,
  more?: M,
) => ({ type: 'string', choices, describe, ...(more as M) }) as const

/** A flag that is typed alone. Where it is not, nothing is said. */
export const said = (describe: string) => ({ type: 'boolean', describe }) as const

/** The same, off where it is not typed. */
export const toggle = (describe: string) => ({ type: 'boolean', describe, default: false }) as const

/** Things of which a shell can complete the names. */
export type NameKind = 'scenarios' | 'wishes' | 'checks' | 'probes' | 'plans' | 'faults' | 'variations'

/** What a command does once its words are understood; it sets the process's exit code. */
type Action = (args: never) => void | Promise<void>

/** Flags, or words, by their names. */
export type Flags = Readonly<Record<string, Flag>>

/** A command as a user sees it: its words, flags and examples. */
export interface Declared {
  readonly command: string
  readonly describe: string
  readonly positionals?: Flags
  readonly options?: Flags
  /** Two or so, each with what it does. */
  readonly examples: readonly (readonly [command: string, effect: string])[]
  /** Throws a usage error for what can be seen without loading the command. */
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

/** What flags or words come to once they are read, by their names. */
export type ValuesOf<O> = { readonly [K in keyof O]: O[K] extends Sure ? Meant<O[K]> : Meant<O[K]> | undefined }

/** What the words and flags of a command come to. */
export type ArgsOf<D extends Declared> = ValuesOf<D['options']> & ValuesOf<D['positionals']>

/** A command, and what it does: that is loaded when it is run, so that help and refusals come at once. */
export interface Surface extends Declared {
  readonly load: () => Promise<Action>
}

/** The name of a command, without the words behind it. */
export const nameOf = ({ command }: Pick<Surface, 'command'>): string => command.split(' ')[0]

/** What stands behind a flag, with a blank before it: ` URL`. */
export const placeOf = ({ type, value, choices }: Flag): string => {
  if (type === 'boolean') return ''
  return ` ${value ?? choices?.join('|') ?? (type === 'number' ? 'N' : 'TEXT')}`
}

/** These flags as they are typed, in that order; one that is as usual is left out. */
export const wordsOf = (flags: Flags, args: Readonly<Record<string, unknown>>, names: readonly string[]): string[] =>
  names.flatMap((name) => {
    const value = args[name]
    if (value === undefined || value === false || value === flags[name].default) return []
    if (value === true) return [`--${name}`]
    return [value].flat().map((each) => `--${name} ${shellWord(String(each))}`)
  })
