import { UsageError } from '../kit/usage-error.js'
import { listInWords } from '../kit/words.js'
import { type Card, protocolVersion } from './messages.js'

/** How many agents of a group a run asks for: `eu=2` means two named `eu-…` or `eu`. */
export interface Wanted {
  readonly group: string
  readonly count: number
}

/** More agents than this are a mistake. */
const most = 1_000

/** Reads `eu=2,us=2`. Throws a {@link UsageError} that says what to type instead. */
export const parseWanted = (text: string): Wanted[] => {
  const wanted = text.split(',').map((part): Wanted => {
    const match = /^\s*([\w.-]{1,60})=(\d{1,4})\s*$/.exec(part)
    const count = Number(match?.[2])
    if (!match || count < 1)
      throw new UsageError(`--agents ${text}: "${part}" is not NAME=COUNT; eu=2,us=2 asks for two agents each`)
    return { group: match[1], count }
  })
  const twice = wanted.find(({ group }, i) => wanted.findIndex((each) => each.group === group) !== i)
  if (twice) throw new UsageError(`--agents ${text}: ${twice.group} is given twice; give it once, with the sum of both`)
  if (wanted.reduce((sum, { count }) => sum + count, 0) > most)
    throw new UsageError(`--agents ${text}: a run can use at most ${most} agents`)
  return wanted
}

/** Whether an agent belongs to a group: `eu-1` and `eu` belong to `eu`. */
export const isOf = (name: string, group: string): boolean => name === group || name.startsWith(`${group}-`)

/** The agents that have answered so far, and those that take part. */
export const createGathering = (wanted: readonly Wanted[], ofRun: string) => {
  const cards = new Map<string, Card>()
  const hasJoined = new Set<string>()
  const whyDeclined = new Map<string, string>()

  const whyNot = ({ from, version, runsOn, isBusy }: Card): string | undefined => {
    if (version !== protocolVersion)
      return `it speaks version ${version} of the protocol, and this run version ${protocolVersion}`
    if (runsOn !== ofRun) return `it was started for ${runsOn}, and this run is against ${ofRun}`
    return isBusy ? 'it takes part in another run' : whyDeclined.get(from)
  }

  /** The agents of a group that could take part, at most as many as wanted; of two with one name, the first. */
  const chosen = ({ group, count }: Wanted): Card[] => {
    const names = new Set<string>()
    const able = [...cards.values()].filter((card) => isOf(card.name, group) && whyNot(card) === undefined)
    // Agents that have joined stay.
    const sorted = able.sort((a, b) => Number(hasJoined.has(b.from)) - Number(hasJoined.has(a.from)))
    return sorted
      .filter(({ name }) => !names.has(name) && names.add(name))
      .slice(0, count)
      .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
  }

  const ready = (each: Wanted): Card[] => chosen(each).filter(({ from }) => hasJoined.has(from))

  /** Chosen agents that have not joined yet. */
  const invited = (): Card[] => wanted.flatMap(chosen).filter(({ from }) => !hasJoined.has(from))

  return {
    meet: (card: Card) => void cards.set(card.from, card),
    joined: (instance: string) => void hasJoined.add(instance),
    declined: (instance: string, why: string) => void whyDeclined.set(instance, why),
    invited,
    /** The instances that may have joined. */
    met: (): string[] => [...new Set([...hasJoined, ...invited().map(({ from }) => from)])],
    isComplete: (): boolean => wanted.every((each) => ready(each).length === each.count),
    /** All agents that have joined, each with its group. */
    members: () => wanted.flatMap((each) => ready(each).map((card) => ({ card, group: each.group }))),
    missing(): string {
      const parts = wanted.flatMap((each) => {
        const names = ready(each).map(({ name }) => name)
        if (names.length === each.count) return []
        const there =
          names.length === 0 ? 'none is ready' : `only ${listInWords(names)} ${names.length > 1 ? 'are' : 'is'}`
        return [`${each.count} of ${each.group} ${each.count > 1 ? 'were' : 'was'} asked for, and ${there}`]
      })
      const reasons = [...cards.values()].flatMap((card) => {
        const why = whyNot(card)
        const isWanted = wanted.some(({ group }) => isOf(card.name, group))
        return why === undefined || !isWanted ? [] : [`${card.name}: ${why}`]
      })
      return [...parts, ...reasons].join('; ')
    },
  }
}
