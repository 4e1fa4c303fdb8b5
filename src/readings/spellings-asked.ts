import { spellingKinds } from '../contract/request-spellings.js'
import { type Evidence, exchangesOf } from '../evidence/evidence.js'
import { type Exchange, headerValues } from '../evidence/exchange.js'
import { isAdmitted } from '../evidence/steady-share.js'

export const spellingProbes = ['burst', 'while-refused'] as const

export const isServed = ({ response }: Exchange): boolean => response !== null && isAdmitted(response.status)

/** If any key is served, one in another letter case is another client's, and rightly has its own quota. */
const servesAnyKey = (evidence: Evidence): boolean =>
  spellingProbes
    .flatMap((probe) => exchangesOf(evidence, probe, 'unknown-key'))
    .some((x) => x.response === null || isServed(x))

const mediaTypeOf = ({ response }: Exchange): string | undefined =>
  headerValues(response?.headers ?? [], 'Content-Type')[0]
    ?.split(';')[0]
    .trim()
    .toLowerCase()

/** Whether a path in another spelling was served as something else: many web servers send one page for all unknown paths. */
const asksForSomethingElse = ({ exchanges }: Evidence) => {
  const plain = exchanges.filter((x) => x.intent.spelling === undefined && isServed(x))
  const types = new Set(plain.map(mediaTypeOf))
  return (x: Exchange): boolean =>
    types.size > 0 && isServed(x) && spellingKinds([x.intent.spelling]).includes('path') && !types.has(mediaTypeOf(x))
}

/** The requests in another spelling on a key that was refused. */
export const spellingsAsked = (evidence: Evidence): Exchange[] => {
  const isOfOthers = servesAnyKey(evidence)
  const isElse = asksForSomethingElse(evidence)
  return spellingProbes
    .flatMap((probe) => exchangesOf(evidence, probe, 'spelling'))
    .filter((x) => !(isOfOthers && x.credential === 'key-in-other-case') && !isElse(x))
}
