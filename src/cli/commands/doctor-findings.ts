import { certificateInWords } from '../../assembly/first-look.js'
import { secondMs } from '../../contract/plans.js'
import { formatDuration } from '../../kit/duration.js'
import { count } from '../../kit/words.js'
import { isLoopbackAddress } from '../../wire/http/pin-address.js'
import type { DoctorFacts, KeyFacts } from './doctor-facts.js'

/** One thing that was looked at: fine, to be known, or in the way of a run; and what to do about it. */
export interface DoctorFinding {
  readonly topic: string
  readonly state: 'fine' | 'note' | 'bad'
  readonly text: string
  readonly advice?: string
}

const dayMs = 86_400_000
/** Whoever renews certificates by hand wants to know two weeks before. */
const soonMs = 14 * dayMs
/** Machines that keep time by NTP are nearer to each other. */
const mostApartMs = 2_000
/** A request that is so late no longer lies where its schedule has it: a window's edge is missed by as much. */
const mostLateMs = 20
/** From here on a run of hundreds of requests, one after the other, takes minutes. */
const slowAnswerMs = 1_000

const aboutAddress = ({ baseUrl, address }: DoctorFacts): DoctorFinding => {
  const { hostname } = new URL(baseUrl)
  if ('error' in address) {
    const advice = 'check the spelling, and that this machine is on the network where that name is known'
    return { topic: 'address', state: 'bad', text: `${hostname} stands for no address: ${address.error}`, advice }
  }
  const is = hostname.includes(address.address) ? address.address : `${hostname} is ${address.address}`
  return isLoopbackAddress(address.address)
    ? { topic: 'address', state: 'fine', text: `${is}, this machine: load may go there` }
    : { topic: 'address', state: 'fine', text: `${is}, another machine: load goes there only with --allow-load` }
}

const aboutTls = ({ baseUrl, tls, address, nowMs }: DoctorFacts): DoctorFinding[] => {
  if (tls === undefined) {
    const isHere = 'address' in address && isLoopbackAddress(address.address)
    if (isHere) return [{ topic: 'TLS', state: 'fine', text: 'none, and none is needed on this machine' }]
    const advice = 'keys go over the network as they are: use an address that begins with https://'
    return [{ topic: 'TLS', state: 'note', text: 'none', advice }]
  }
  const { certificate, isChecked } = tls
  // That nobody answers, or speaks TLS, is said once, where the answers are.
  if (!certificate) return []
  const { names, issuer, validToMs, protocol, distrust } = certificate
  const leftMs = validToMs - nowMs
  const until = `valid until ${new Date(validToMs).toISOString().slice(0, 10)} (${Math.floor(leftMs / dayMs)} days)`
  const text = `${protocol}, ${until}, for ${names.slice(0, 3).join(', ')}, issued by ${issuer}`
  if (distrust !== undefined) {
    const advice = certificateInWords(baseUrl, { code: distrust })
    return [{ topic: 'TLS', state: isChecked ? 'bad' : 'note', text, advice }]
  }
  if (leftMs < soonMs) return [{ topic: 'TLS', state: 'note', text, advice: 'renew it: it is about to expire' }]
  return [{ topic: 'TLS', state: 'fine', text }]
}

const shownLimit = (limit: number | null, left: number | null): string => {
  if (limit === null) return ''
  return `; it shows a limit of ${count(limit)}${left === null ? '' : `, and ${count(left)} left of it`}`
}

const aboutKey = ({ name, variable, status, limit, left, wrongLimit, waitS }: KeyFacts): DoctorFinding => {
  const topic = `key ${name}`
  if (status === 401) {
    return { topic, state: 'bad', text: 'not accepted (401)', advice: `check --key, --key-file or ${variable}` }
  }
  if (status === 403)
    return { topic, state: 'bad', text: 'refused (403): a ban, or no right to this', advice: 'wait, or ask its owner' }
  if (status === 429) {
    const used = limit === null ? '' : `: its limit of ${count(limit)} is used up`
    const wait = waitS === null ? 'for its window' : formatDuration(waitS * secondMs)
    const advice = `somebody else spends it, or a run did before: wait ${wait}, or take another key`
    return { topic, state: 'note', text: `known, and spent at the moment (429)${used}`, advice }
  }
  if (status === null || status >= 500) {
    const text = status === null ? 'no answer' : `answered ${status}`
    return { topic, state: 'bad', text, advice: 'look into the logs of the target' }
  }
  if (status >= 300) {
    const advice = 'are --target and the path of the contract right? then look into the logs of the target'
    return { topic, state: 'note', text: `answered ${status}: that does not say whether it is accepted`, advice }
  }
  if (wrongLimit !== null) {
    const advice = 'is that the key of another plan? name it so: --key PLAN=SECRET; or the limit is wrong'
    return { topic, state: 'note', text: `accepted; ${wrongLimit}`, advice }
  }
  return {
    topic,
    state: 'fine',
    text: `accepted (${status})${shownLimit(limit, left)}`,
  }
}

const aboutKeys = ({ hasKeys, keys, inTheWay }: DoctorFacts): DoctorFinding[] => {
  if (!hasKeys) {
    const advice = 'set QUOTASPEC_KEY_FREE (or _PRO, _BUSINESS, _ENTERPRISE), or add --key free=YOUR-KEY'
    return [{ topic: 'keys', state: 'bad', text: 'none was given', advice }]
  }
  return inTheWay === null ? keys.map(aboutKey) : []
}

const ahead = (ms: number): string => `${formatDuration(Math.abs(ms))} ${ms < 0 ? 'behind' : 'ahead'}`

const aboutClock = ({ clock }: DoctorFacts): DoctorFinding[] => {
  if (clock === null) return []
  const topic = 'clock'
  if (!clock.told) {
    const advice = 'without Date in its answers a Reset can only be held against the clock of this machine'
    return [{ topic, state: 'note', text: 'the target does not say what time it has', advice }]
  }
  const text = `that of the target is between ${ahead(clock.fromMs)} and ${ahead(clock.toMs)} of this machine's`
  if (clock.fromMs <= mostApartMs && clock.toMs >= -mostApartMs) return [{ topic, state: 'fine', text }]
  const advice = 'one of the two is wrong: have both keep time by NTP'
  return [{ topic, state: 'note', text, advice }]
}

const aboutAnswers = ({ inTheWay, answersMs: [first, ...more] }: DoctorFacts): DoctorFinding => {
  const topic = 'answers'
  if (inTheWay !== null) return { topic, state: 'bad', text: inTheWay }
  if (first === undefined) return { topic, state: 'bad', text: 'none came', advice: 'look into the logs of the target' }
  const then = more.length === 0 ? '' : `, the next after ${formatDuration(Math.max(...more))} at most`
  const text = `the first came after ${formatDuration(first)}, with the connection${then}`
  if (Math.min(first, ...more) < slowAnswerMs) return { topic, state: 'fine', text }
  return { topic, state: 'note', text, advice: 'a run takes its time then: quotaspec plan says how much' }
}

const aboutMachine = ({ lateness: { perSecond, ms } }: DoctorFacts): DoctorFinding => {
  const topic = 'machine'
  const busy = 'end what else runs here, or run from a machine that is less busy: uneven loads leave quotas unproven'
  if (ms === null) return { topic, state: 'note', text: 'could not send to itself', advice: busy }
  const text = `sends ${perSecond} a second within ${ms.p50.toFixed(1)} ms of its schedule (p50), ${ms.p99.toFixed(1)} ms (p99)`
  return ms.p99 <= mostLateMs ? { topic, state: 'fine', text } : { topic, state: 'note', text, advice: busy }
}

/** What was found, in the order in which one thing depends on another. */
export const findingsOf = (facts: DoctorFacts): DoctorFinding[] => [
  aboutAddress(facts),
  ...('error' in facts.address
    ? []
    : [...aboutTls(facts), aboutAnswers(facts), ...aboutKeys(facts), ...aboutClock(facts)]),
  aboutMachine(facts),
]
