import { UsageError } from '../kit/usage-error.js'
import { listInWords } from '../kit/words.js'
import { type Card, protocolVersion } from './messages.js'

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
      throw new UsageError(`--agents ${text}: "${part}" is not NAME=COUNT; eu=2,us=2 asks for two agents each`)
    return { group: match[1], count }
  })
  const twice = wanted.find(({ group }, i) => wanted.findIndex((each) => each.group === group) !== i)
  if (twice) throw new UsageError(`--agents ${text}: ${twice.group} is given twice; give it once, with the sum of both`)
  if (wanted.reduce((sum, { count }) => sum + count, 0) > most)
    throw new UsageError(`--agents ${text}: a run can use at most ${most} agents`)
  return wanted
}

/** Whether an agent's name is one of a group's: `eu-1` and `eu` are of `eu`. */
export const isOf = (name: string, group: string): boolean => name === group || name.startsWith(`${group}-`)

/** Who has answered so far, and who of them takes part. */
export class Gathering {
  readonly #cards = new Map<string, Card>()
  readonly #joined = new Set<string>()
  readonly #declined = new Map<string, string>()

  constructor(
    readonly wanted: readonly Wanted[],
    readonly runsOn: string,
  ) {}

  meet(card: Card): void {
    this.#cards.set(card.from, card)
  }

  /** The instances that may have joined. */
  met(): string[] {
    return [...new Set([...this.#joined, ...this.invited().map(({ from }) => from)])]
  }

  joined(instance: string): void {
    this.#joined.add(instance)
  }

  declined(instance: string, why: string): void {
    this.#declined.set(instance, why)
  }

  /** The agents of a group that could take part, as many as are wanted; of two of one name the one that came first. */
  chosen({ group, count }: Wanted): Card[] {
    const names = new Set<string>()
    const able = [...this.#cards.values()].filter((card) => isOf(card.name, group) && this.#whyNot(card) === undefined)
    // Who has joined stays.
    const sorted = able.sort((a, b) => Number(this.#joined.has(b.from)) - Number(this.#joined.has(a.from)))
    return sorted
      .filter(({ name }) => !names.has(name) && names.add(name))
      .slice(0, count)
      .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
  }

  /** Those that were chosen and have not joined yet. */
  invited(): Card[] {
    return this.wanted.flatMap((each) => this.chosen(each)).filter(({ from }) => !this.#joined.has(from))
  }

  isComplete(): boolean {
    return this.wanted.every((each) => this.#ready(each).length === each.count)
  }

  /** All that have joined, each with the group that it was asked for as. */
  members(): { readonly card: Card; readonly group: string }[] {
    return this.wanted.flatMap((each) => this.#ready(each).map((card) => ({ card, group: each.group })))
  }

  missing(): string {
    const parts = this.wanted.flatMap((each) => {
      const ready = this.#ready(each)
      if (ready.length === each.count) return []
      const names = ready.map(({ name }) => name)
      const there =
        names.length === 0 ? 'none is ready' : `only ${listInWords(names)} ${names.length > 1 ? 'are' : 'is'}`
      return [`${each.count} of ${each.group} ${each.count > 1 ? 'were' : 'was'} asked for, and ${there}`]
    })
    const reasons = [...this.#cards.values()].flatMap((card) => {
      const why = this.#whyNot(card)
      const isWanted = this.wanted.some(({ group }) => isOf(card.name, group))
      return why === undefined || !isWanted ? [] : [`${card.name}: ${why}`]
    })
    return [...parts, ...reasons].join('; ')
  }

  #ready(each: Wanted): Card[] {
    return this.chosen(each).filter(({ from }) => this.#joined.has(from))
  }

  #whyNot({ from, version, runsOn, isBusy }: Card): string | undefined {
    if (version !== protocolVersion) return `it speaks version ${version} of the protocol, and this ${protocolVersion}`
    if (runsOn !== this.runsOn) return `it was started for ${runsOn}, and this run is against ${this.runsOn}`
    if (isBusy) return 'it takes part in another run'
    return this.#declined.get(from)
  }
}
