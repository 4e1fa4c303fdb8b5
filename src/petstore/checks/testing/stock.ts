import type { HeaderLine } from '../../../evidence/exchange.js'
import type { Ledger } from '../../../evidence/ledger.js'
import { madeEvidence } from '../../../evidence/testing/made-evidence.js'
import type { ExchangePart } from '../../../evidence/testing/made-exchange.js'
import { madeLedger } from '../../../evidence/testing/made-ledger.js'

/** Pets by id, with their quantities. */
export type Stock = Readonly<Record<string, string | number>>

/** A pet as JSON, its digits as given. */
export const entry = (petId: string, quantity: string | number) =>
  `{"petId":${petId},"quantity":${quantity},"status":"sold"}`

/** The list as JSON. */
export const listing = (stock: Stock) =>
  `[${Object.entries(stock)
    .map(([petId, quantity]) => entry(petId, quantity))
    .join(',')}]`

/** A reading of the list. */
export const read = (probe: string, step: string, stock: Stock, part: ExchangePart = {}): ExchangePart => ({
  probe,
  step,
  body: listing(stock),
  ...part,
})

/** An update that is answered with what it set. */
export const patch = (
  probe: string,
  step: string,
  petId: string,
  quantity: string | number,
  part: ExchangePart = {},
): ExchangePart => ({
  probe,
  step,
  operation: 'updateInventory',
  body: entry(petId, quantity),
  intent: { petId, quantity: String(quantity) },
  ...part,
})

/** What makes an exchange a refusal with this status. */
export const refusal = (status: number): ExchangePart => ({ status, body: {} })

/** Readings of the list, one after the other. */
export const lists = (...stocks: readonly Stock[]) => stocks.map((stock) => read('hello', 'list', stock))
export const [whole, without1, without2] = [
  { 1: 5, 2: 7, 3: 9 },
  { 2: 7, 3: 9 },
  { 1: 5, 3: 9 },
]

/** A load between the nth list and the next, whose lists were kept whole. */
export const loadAt = (nth: number, ...bodies: readonly string[]) => loadWith([], nth, ...bodies)

export const loadWith = (headers: HeaderLine[], nth: number, ...bodies: readonly string[]) =>
  madeLedger(
    bodies.map((_, i) => ({ sentMs: nth * 100 + 10 + i })),
    {
      id: `load-${nth}`,
      samples: bodies.map((content, row) => ({
        row,
        status: 200,
        reason: '',
        headers,
        body: { encoding: 'utf8', content, bytes: content.length, truncated: false },
      })),
    },
  )

/** The whole list, read five times, with loads between. */
export const besideLoads = (...ledgers: readonly Ledger[]) =>
  madeEvidence(lists(whole, whole, whole, whole, whole), { ledgers })
