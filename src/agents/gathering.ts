import { listInWords } from '../kit/list-in-words.js'
import { type Card, protocolVersion } from './messages.js'
import { isOf, type Wanted } from './wanted.js'

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

  /** Who is missing, in a sentence. */
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
