import type { ApiContract } from '../../../src/contract/api-contract.js'
import { type Answer, jsonAnswer } from '../../http/answer.js'
import { algorithms } from '../../limiters/algorithms.js'
import { nearestToExhaustion } from '../../metering/ruling.js'
import { serverTime } from '../../server-time.js'
import { decideJointly } from '../charging/joint-ruling.js'
import { quotaCharges, quotaLimiters } from '../charging/quota-charges.js'
import type { ContractSettings } from '../contract-options.js'
import { momentText } from '../fields/moment-text.js'
import { quotaFields } from '../fields/quota-fields.js'
import { refusalAnswers } from '../refusal-answers.js'
import type { ContractBehaviour, ContractCall } from './contract-behaviour.js'

/** The contract as it is written. `self` gives the behaviour with all departures made. */
export const keptContract = (
  contract: ApiContract,
  settings: ContractSettings,
  self: () => ContractBehaviour,
): ContractBehaviour => {
  const write = quotaFields(contract)
  const limiters = quotaLimiters(contract, settings)
  return {
    nowMs: serverTime(settings.clock),
    chargesOf: quotaCharges(contract, settings),
    openMeter: (window, nowMs) => algorithms[limiters.get(window.name) ?? 'fixed-window'](window, nowMs),
    decide: decideJointly,
    served: servedAnswers(contract),
    refusal: refusalAnswers(contract),
    shown: ({ windows }) => windows,
    fields(all, { ruling, nowMs }) {
      if (all.length === 0) return {}
      const nearest = nearestToExhaustion({ ...ruling, windows: all })
      return write({ all, nearest, moment: (unit, atMs) => self().momentText(unit, atMs, nowMs) })
    },
    momentText,
    finish: undefined,
  }
}

/** A small body for each probe, and the first of the statuses that stand for service. */
const servedAnswers = ({ requests }: ApiContract) => {
  const answers = new Map<string, Answer>()
  for (const [
    name,
    {
      expect: [status = 200],
    },
  ] of Object.entries(requests)) {
    answers.set(
      name,
      status === 204 || status === 304 ? { status, headers: {}, body: '' } : jsonAnswer(status, { probe: name }),
    )
  }
  return ({ probe }: ContractCall): Answer => answers.get(probe) ?? jsonAnswer(200, { probe })
}
