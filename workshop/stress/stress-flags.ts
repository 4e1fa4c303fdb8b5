import { UsageError } from '../../src/kit/usage-error.js'
import { type ConditionName, conditionNames } from './conditions.js'
import type { Part } from './play-stress.js'

/** The conditions that `--under` names, in the order in which they are played. */
export const conditionsIn = (text: string): ConditionName[] => {
  const named = text.split(',').map((each) => each.trim())
  const unknown = named.find((each) => !(conditionNames as readonly string[]).includes(each))
  if (unknown !== undefined)
    throw new UsageError(
      `--under ${text}: there is no condition ${unknown || "''"}; known are ${conditionNames.join(', ')}`,
    )
  return conditionNames.filter((name) => named.includes(name))
}

/** The part that `--part` names: 1/8 is the first of eight. */
export const partIn = (text: string): Part => {
  const [nth, of] = (/^(\d{1,3})\/(\d{1,3})$/.exec(text)?.slice(1) ?? []).map(Number)
  if (!(nth >= 1 && nth <= of)) throw new UsageError(`--part ${text}: which part of how many, as in 1/8`)
  return { nth, of }
}
