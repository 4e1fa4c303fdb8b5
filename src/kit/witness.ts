/** A place in a record: an entry by its id, or a row of a table of many. */
export type Witness = { readonly id: string } | { readonly ledger: string; readonly row: number }

/** As people read it: `x12`, or `burst-free#61`. Also tells two of them apart. */
export const witnessText = (witness: Witness): string =>
  'id' in witness ? witness.id : `${witness.ledger}#${witness.row}`

/** The place that a text of {@link witnessText} names. */
export const witnessFrom = (text: string): Witness => {
  const at = text.lastIndexOf('#')
  return at < 0 ? { id: text } : { ledger: text.slice(0, at), row: Number(text.slice(at + 1)) }
}
