/** A place in a record: an entry by its id, or a row of a table of many. */
export type Witness = { readonly id: string } | { readonly ledger: string; readonly row: number }

/** A witness as people read it: `x12`, or `burst-free#61`. Unique for each. */
export const witnessText = (witness: Witness): string =>
  'id' in witness ? witness.id : `${witness.ledger}#${witness.row}`
