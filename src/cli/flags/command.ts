import type { InferredOptionTypes, Options, PositionalOptions } from 'yargs'

/** A flag: what yargs takes, and what errors and completion say of it. */
export interface Flag extends Options {
  readonly type?: 'string' | 'number' | 'boolean'
  /** What stands behind it, for help: URL. */
  readonly value?: string
  /** What may be typed behind it, for errors: 8080. */
  readonly sample?: string
  /** Whether `--no-NAME` says that there is none. */
  readonly mayBeOff?: boolean
  /** Whose names may stand behind it, for completion. */
  readonly names?: NameKind
}

/** Things of which a shell can complete the names. */
export type NameKind = 'scenarios' | 'wishes' | 'checks' | 'probes' | 'plans' | 'faults' | 'variations'

/** A word without a flag, as yargs takes it. */
export interface Positional extends PositionalOptions {
  readonly defaultDescription?: string
  readonly names?: NameKind
}

/** A flag as it stands on the command line. */
export interface TypedFlag {
  /** As it is declared, without dashes: `time-scale`, also where `--timeScale` or `--no-strict` was typed. */
  readonly name: string
  /** As it was typed, without a value: `--timeScale`. */
  readonly typed: string
  /** Undefined where nothing stands behind it that could be its value. */
  readonly value: string | undefined
}

/** What a command does once its words are understood; it sets the process's exit code. */
export type Action = (args: never) => void | Promise<void>

/** A command as a user sees it: its words, flags and examples. */
export interface Declared {
  /** Its name, and the words behind it: `run [scenario]`. */
  readonly command: string
  readonly describe: string
  readonly positionals?: Readonly<Record<string, Positional>>
  readonly options?: Readonly<Record<string, Flag>>
  /** Two or so, each with what it does. */
  readonly examples: readonly (readonly [command: string, effect: string])[]
  /** Throws a usage error for what can be seen without loading the command. */
  readonly refuse?: (typed: readonly TypedFlag[]) => void
}

type Inferred<O> = O extends Readonly<Record<string, Options>> ? InferredOptionTypes<O> : unknown

/** What the words and flags of a command come to once yargs has read them, by their names. */
export type ArgsOf<D extends Declared> = Inferred<D['options']> & Inferred<D['positionals']>

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
