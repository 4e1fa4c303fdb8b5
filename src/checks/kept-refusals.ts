import type { Evidence } from '../evidence/evidence.js'
import type { HeaderLine, RecordedBody } from '../evidence/exchange.js'

/** A 429 of which everything was kept: a single exchange, or a sample of a load. */
export interface KeptRefusal {
  readonly id: string
  readonly headers: readonly HeaderLine[]
  readonly body: RecordedBody
}

/** The 429s of a run that were kept whole, single exchanges first. */
export const keptRefusals = ({ exchanges, ledgers }: Evidence): KeptRefusal[] => {
  const single = exchanges.map(({ id, response }) => ({ id, response }))
  const sampled = ledgers.flatMap(({ head }) =>
    head.samples.map(({ row, ...response }) => ({ id: `${head.id}#${row}`, response })),
  )
  return [...single, ...sampled].flatMap(({ id, response }) =>
    response?.status === 429 ? [{ id, headers: response.headers, body: response.body }] : [],
  )
}
