import type { Evidence } from '../../evidence/evidence.js'
import { ledgerFlags } from '../../evidence/ledger.js'
import { listInWords } from '../../kit/list-in-words.js'
import type { Witness } from '../../kit/witness.js'
import { refusalOf } from '../../readings/refusals.js'
import { spendingProbes } from '../framework/asking-probes.js'
import { defineCheck } from '../framework/check.js'
import { fail } from '../framework/finding.js'
import { concluded, tellingCases } from '../framework/needs.js'
import { spentAgain } from '../framework/spent-again.js'

const needs = { cases: 'refusals', least: 1 }

/** Every refusal of the view, as the contract tells them. */
function* refusalsIn({ exchanges, ledgers }: Evidence): Generator<Witness> {
  for (const { id, response } of exchanges) if (response?.status === 429) yield { id }
  for (const { head, rows } of ledgers) {
    for (let row = 0; row < rows.length; row += 1) if (rows.status[row] === 429) yield { ledger: head.id, row }
  }
}

/** The 429s that none of the contract's rules calls a refusal or a ban; none where a rule takes any 429. */
const unagreedRefusals = ({ run: { contract }, exchanges, ledgers, view }: Evidence): Witness[] => {
  if (!contract || !view) return []
  const refused = new Set(exchanges.flatMap(({ id, response }) => (response?.status === 429 ? [id] : [])))
  const single = view.whole.exchanges.flatMap(({ id, response }) => {
    if (!response || !refused.has(id)) return []
    const { status, headers, body } = response
    return refusalOf({ status, headers, body: body.content }, contract) === undefined ? [{ id }] : []
  })
  const told = ledgerFlags.refusedByRule | ledgerFlags.bannedByRule
  const loads = ledgers.flatMap(({ head, rows }) => {
    const row = rows.status.findIndex((status, i) => status === 429 && (rows.flags[i] & told) === 0)
    return row < 0 ? [] : [{ ledger: head.id, row }]
  })
  return [...single, ...loads]
}

/** A 429 is a refusal by its own meaning (RFC 6585 §4): one that the contract's rules do not know was not agreed. */
export const refusedAsAgreed = defineCheck({
  id: 'throttle.refused-as-agreed',
  promise: 'What is refused is refused with the status, the headers and the body that were agreed.',
  clauses: ['THROTTLE-1'],
  of: 'contract-file',
  advice: 'Look at what builds a refusal, a gateway perhaps: status, headers and body as in the contract.',
  reads: spendingProbes,
  needs,
  again: spentAgain,
  judge(evidence) {
    const [unagreed] = unagreedRefusals(evidence)
    const agreed = (evidence.run.contract?.refusals ?? []).flatMap(({ is, status }) => (is === 'quota' ? status : []))
    if (unagreed) return fail('refused-otherwise', { agreed: [...new Set(agreed)].map(String) }, unagreed)
    const telling = tellingCases()
    for (const each of refusalsIn(evidence)) telling.add(each)
    return concluded(evidence, needs, telling)
  },
  sentences: {
    'refused-otherwise': ({ agreed }) =>
      `a request was answered 429, and no rule of the contract calls that a refusal: agreed is ${listInWords(agreed)} with what the rule asks for`,
  },
})
