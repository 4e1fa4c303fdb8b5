import { scalarText, type YamlFile } from '../../kit/yaml-file.js'
import type { ApiContract, RefusalRule } from '../api-contract.js'
import type { ContractFile } from './contract-file-schema.js'
import type { Refused } from './refused.js'

const isBare = ({ when, body }: RefusalRule): boolean => Object.keys(when).length === 0 && body === undefined

/** Whether every answer that fits the other rule fits this one, too. */
const covers = (rule: RefusalRule, other: RefusalRule): boolean =>
  other.status.every((status) => rule.status.includes(status)) &&
  Object.entries(rule.when).every(([name, value]) => other.when[name] === value) &&
  (rule.body === undefined || (other.body?.includes(rule.body) ?? false))

const servedBy = ({ expect }: ApiContract['requests'][string], status: number): boolean =>
  expect.length === 0 ? status < 300 : expect.includes(status)

/**
 * The rules by which refusals are told. Throws where one takes served answers for refusals, where one never fits because an
 * earlier one does, and where none is a quota's.
 */
export const settleRefusals = (
  place: YamlFile,
  file: ContractFile,
  requests: ApiContract['requests'],
  refused: Refused,
): RefusalRule[] => {
  const rules = file.refusals.map(
    ({ is, status, when, body, lasts }, index): RefusalRule => ({
      is,
      status,
      when: Object.fromEntries(
        Object.keys(when ?? {}).map((name) => [
          name.toLowerCase(),
          scalarText(place, ['refusals', index, 'when', name]),
        ]),
      ),
      ...(body === undefined ? {} : { body }),
      ...(lasts === undefined ? {} : { lastsMs: lasts }),
    }),
  )
  for (const [index, rule] of rules.entries()) {
    const served = Object.entries(requests).find(([, request]) =>
      rule.status.some((status) => servedBy(request, status)),
    )
    if (served && isBare(rule)) {
      throw refused(
        ['refusals', index],
        `fits every answer that serves the request ${served[0]}: say with when or body what a refusal has besides its status`,
      )
    }
    const earlier = rules.slice(0, index).findIndex((each) => covers(each, rule))
    if (earlier !== -1) {
      throw refused(
        ['refusals', index],
        `never fits, for refusals.${earlier} fits all of its answers first: put it before that one`,
      )
    }
  }
  if (!rules.some(({ is }) => is === 'quota')) {
    throw refused(['refusals'], 'has no rule of a quota: add one such as - {is: quota, status: 429}')
  }
  return rules
}
