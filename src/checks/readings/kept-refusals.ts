import type { Evidence } from '../../evidence/evidence.js'
import type { HeaderLine, RecordedBody } from '../../evidence/exchange.js'
import type { Witness } from '../../kit/witness.js'

/** A 429 of which everything was kept: a single exchange, or a sample of a load. */
export interface KeptRefusal {
  readonly witness: Witness
  readonly headers: readonly HeaderLine[]
  readonly body: RecordedBody
}

/** The 429s of a run that were kept whole, single exchanges first. */
export const keptRefusals = ({ exchanges, ledgers }: Evidence): KeptRefusal[] => {
  const single = exchanges.map(({ id, response }) => ({ witness: { id }, response }))
  const sampled = ledgers.flatMap(({ head }) =>
    head.samples.map(({ row, ...response }) => ({ witness: { ledger: head.id, row }, response })),
  )
  return [...single, ...sampled].flatMap(({ witness, response }) =>
    response?.status === 429 ? [{ witness, headers: response.headers, body: response.body }] : [],
  )
}
