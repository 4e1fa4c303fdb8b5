import type { ExchangePart } from '../../../evidence/testing/made-exchange.js'

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
