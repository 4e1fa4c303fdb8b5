import type { Evidence } from '../../evidence/evidence.js'
import { ledgerFlags } from '../../evidence/ledger.js'
import type { Witness } from '../../kit/witness.js'
import { refusalOf } from '../../readings/refusals.js'

/** The 429s of a contract's run that none of its rules calls a refusal or a ban; none where a rule takes any 429. */
export const unagreedRefusals = ({ run: { contract }, exchanges, ledgers, view }: Evidence): Witness[] => {
  if (!contract || !view) return []
  const single = exchanges.flatMap(({ id, response }) => {
    if (response?.status !== 429) return []
    const original = view.asAnswered.get(id)
    const { status, headers, body } = original ?? response
    return refusalOf({ status, headers, body: body.content }, contract) === undefined ? [{ id }] : []
  })
  const told = ledgerFlags.refusedByRule | ledgerFlags.bannedByRule
  const loads = ledgers.flatMap(({ head, rows }) => {
    const row = rows.status.findIndex((status, i) => status === 429 && (rows.flags[i] & told) === 0)
    return row < 0 ? [] : [{ ledger: head.id, row }]
  })
  return [...single, ...loads]
}
