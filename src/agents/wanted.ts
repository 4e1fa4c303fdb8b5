import { UsageError } from '../kit/usage-error.js'

/** How many agents of which name a run asks for: `eu=2` are two whose names begin with `eu-`, or one that is called so. */
export interface Wanted {
  readonly group: string
  readonly count: number
}

/** More agents than that are a mistake. */
const most = 1_000

/** Reads `eu=2,us=2`. Throws a {@link UsageError} that says what to type instead. */
export const parseWanted = (text: string): Wanted[] => {
  const wanted = text.split(',').map((part): Wanted => {
    const match = /^\s*([\w.-]{1,60})=(\d{1,4})\s*$/.exec(part)
    const count = Number(match?.[2])
    if (!match || count < 1)
      throw new UsageError(`--agents ${text}: "${part}" is no NAME=COUNT; eu=2,us=2 asks for two agents each`)
    return { group: match[1], count }
  })
  const twice = wanted.find(({ group }, i) => wanted.findIndex((each) => each.group === group) !== i)
  if (twice) throw new UsageError(`--agents ${text}: ${twice.group} comes twice; write it once, with both together`)
  if (wanted.reduce((sum, { count }) => sum + count, 0) > most)
    throw new UsageError(`--agents ${text}: more than ${most} agents`)
  return wanted
}

/** Whether an agent's name is one of a group's: `eu-1` and `eu` are of `eu`. */
export const isOf = (name: string, group: string): boolean => name === group || name.startsWith(`${group}-`)
