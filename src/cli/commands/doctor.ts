import { exitCodes } from '../../assembly/exit-code.js'
import { certificateInWords } from '../../assembly/first-look.js'
import { secondMs } from '../../contract/plans.js'
import { count, formatDuration } from '../../kit/words.js'
import { visible } from '../../report/escape.js'
import { hanging, type Paint, painter } from '../../report/formats/terminal-text.js'
import { isLoopbackAddress } from '../../wire/http/pin-address.js'
import { interruptibly } from '../output/interruption.js'
import { terminalLook } from '../output/summary.js'
import { type ConfiguredArgs, configuredRun } from '../run/configured-run.js'
import { type DoctorFacts, examineTarget, ownLateness } from './doctor-facts.js'

/** One finding: fine, worth knowing, or in the way of a run; and what to do about it. */
type DoctorFinding = ReturnType<ReturnType<typeof finding>>

const finding = (topic: string) => (state: 'fine' | 'note' | 'bad', text: string, advice?: string) => ({
  topic,
  state,
  text,
  ...(advice !== undefined && { advice }),
})

const dayMs = 86_400_000
/** People who renew certificates by hand want to know two weeks before. */
const soonMs = 14 * dayMs
/** Machines with NTP are closer than this. */
const mostApartMs = 2_000
/** A request this late misses its place in the schedule, such as a window's edge. */
const mostLateMs = 20
/** With responses this slow, hundreds of requests in a row take minutes. */
const slowAnswerMs = 1_000

const aboutAddress = ({ baseUrl, address }: DoctorFacts): DoctorFinding => {
  const found = finding('address')
  const { hostname } = new URL(baseUrl)
  if ('error' in address) {
    const advice = 'check the spelling, and whether this machine is on a network that knows the name'
    return found('bad', `${hostname} has no usable address: ${address.error}`, advice)
  }
  const is = hostname.includes(address.address) ? address.address : `${hostname} is ${address.address}`
  return isLoopbackAddress(address.address)
    ? found('fine', `${is}, this machine: load may go there`)
    : found('fine', `${is}, another machine: load goes there only with --allow-load`)
}

const aboutTls = ({ baseUrl, tls, address, nowMs }: DoctorFacts): DoctorFinding[] => {
  const found = finding('TLS')
  if (tls === undefined) {
    const isHere = 'address' in address && isLoopbackAddress(address.address)
    if (isHere) return [found('fine', 'none, and none is needed on this machine')]
    return [found('note', 'none', 'keys travel unencrypted: use an address that begins with https://')]
  }
  const { certificate, isChecked } = tls
  // A missing answer, or missing TLS, is reported once, under the answers.
  if (!certificate) return []
  const { names, issuer, validToMs, protocol, distrust } = certificate
  const leftMs = validToMs - nowMs
  const until = `valid until ${new Date(validToMs).toISOString().slice(0, 10)} (${Math.floor(leftMs / dayMs)} days)`
  const text = `${protocol}, ${until}, for ${names.slice(0, 3).join(', ')}, issued by ${issuer}`
  if (distrust !== undefined)
    return [found(isChecked ? 'bad' : 'note', text, certificateInWords(baseUrl, { code: distrust }))]
  return [leftMs < soonMs ? found('note', text, 'renew it: it is about to expire') : found('fine', text)]
}

const shownLimit = (limit: number | null, left: number | null): string => {
  if (limit === null) return ''
  return `; its limit is ${count(limit)}${left === null ? '' : `, with ${count(left)} left`}`
}

const aboutKey = ({ name, variable, status, limit, left, wrongLimit, waitS }: DoctorFacts['keys'][number]) => {
  const found = finding(`key ${name}`)
  if (status === 401) return found('bad', 'not accepted (401)', `check --key, --key-file or ${variable}`)
  if (status === 403) return found('bad', 'refused (403): a ban, or a missing permission', 'wait, or ask its owner')
  if (status === 429) {
    const used = limit === null ? '' : `: its limit of ${count(limit)} is used up`
    const wait = waitS === null ? 'for its window' : formatDuration(waitS * secondMs)
    const advice = `somebody else is using it, or an earlier run did: wait ${wait}, or use another key`
    return found('note', `accepted, but limited at the moment (429)${used}`, advice)
  }
  if (status === null || status >= 500)
    return found('bad', status === null ? 'no answer' : `answered ${status}`, 'check the logs of the target')
  if (status >= 300) {
    const advice = 'are --target and the path of the contract right? then check the logs of the target'
    return found('note', `answered ${status}: that does not say whether it is accepted`, advice)
  }
  if (wrongLimit !== null) {
    const advice = "if that is another plan's key, pass it as such: --key PLAN=SECRET; otherwise the limit is wrong"
    return found('note', `accepted; ${wrongLimit}`, advice)
  }
  return found('fine', `accepted (${status})${shownLimit(limit, left)}`)
}

const aboutKeys = ({ hasKeys, keys, inTheWay }: DoctorFacts): DoctorFinding[] => {
  if (!hasKeys) {
    const advice = 'set QUOTASPEC_KEY_FREE (or _PRO, _BUSINESS, _ENTERPRISE), or add --key free=YOUR-KEY'
    return [finding('keys')('bad', 'none was given', advice)]
  }
  return inTheWay === null ? keys.map(aboutKey) : []
}

const ahead = (ms: number): string => `${formatDuration(Math.abs(ms))} ${ms < 0 ? 'behind' : 'ahead'}`

const aboutClock = ({ clock }: DoctorFacts): DoctorFinding[] => {
  if (clock === null) return []
  const found = finding('clock')
  if (!clock.told) {
    const advice = "without Date in its answers, Reset can only be compared with this machine's clock"
    return [found('note', 'the answers of the target do not show its time', advice)]
  }
  const text = `the target's clock is between ${ahead(clock.fromMs)} and ${ahead(clock.toMs)} of this machine's`
  if (clock.fromMs <= mostApartMs && clock.toMs >= -mostApartMs) return [found('fine', text)]
  return [found('note', text, 'one of the two is wrong: synchronize both by NTP')]
}

const aboutAnswers = ({ inTheWay, answersMs: [first, ...more] }: DoctorFacts): DoctorFinding => {
  const found = finding('answers')
  if (inTheWay !== null) return found('bad', inTheWay)
  if (first === undefined) return found('bad', 'none came', 'check the logs of the target')
  const then = more.length === 0 ? '' : `, later ones at most ${formatDuration(Math.max(...more))}`
  const text = `the first took ${formatDuration(first)} with the connection${then}`
  if (Math.min(first, ...more) < slowAnswerMs) return found('fine', text)
  return found('note', text, 'runs will be slow: quotaspec plan says how long')
}

const aboutMachine = ({ lateness: { perSecond, ms } }: DoctorFacts): DoctorFinding => {
  const found = finding('machine')
  const busy = 'stop other programs here, or use a less busy machine: uneven loads leave quotas unproven'
  if (ms === null) return found('note', 'could not send to itself', busy)
  const text = `sends ${perSecond} a second within ${ms.p50.toFixed(1)} ms of its schedule (p50), ${ms.p99.toFixed(1)} ms (p99)`
  return ms.p99 <= mostLateMs ? found('fine', text) : found('note', text, busy)
}

/** All findings, each after those it depends on. */
export const findingsOf = (facts: DoctorFacts): DoctorFinding[] => [
  aboutAddress(facts),
  ...('error' in facts.address
    ? []
    : [...aboutTls(facts), aboutAnswers(facts), ...aboutKeys(facts), ...aboutClock(facts)]),
  aboutMachine(facts),
]

const marks = { fine: ['✓', 'green'], note: ['!', 'yellow'], bad: ['✗', 'red'] } as const
const topicWidth = 15

const lines = ({ topic, state, text, advice }: DoctorFinding, width: number, paint: Paint): string[] => {
  const [mark, style] = marks[state]
  const indent = topicWidth + 3
  return [
    ...hanging(text, indent, width, `${paint(style, mark)} ${visible(topic).padEnd(topicWidth)} `),
    ...(advice === undefined ? [] : hanging(`→ ${advice}`, indent, width)),
  ]
}

export const doctorText = (
  found: readonly DoctorFinding[],
  { width, colour }: ReturnType<typeof terminalLook>,
): string => found.flatMap((each) => lines(each, width, painter(colour))).join('\n')

export const examined = async (
  { settled, contract }: Awaited<ReturnType<typeof configuredRun>>,
  signal: AbortSignal,
): Promise<DoctorFinding[]> => {
  const facts = await examineTarget(settled, contract, signal)
  return findingsOf({ ...facts, lateness: await ownLateness(), nowMs: Date.now() })
}

export const doctor = async (args: ConfiguredArgs): Promise<void> => {
  const found = await interruptibly(async (signal) => examined(await configuredRun(args), signal))
  process.stdout.write(`${doctorText(found, terminalLook())}\n`)
  process.exitCode = found.some(({ state }) => state === 'bad') ? exitCodes.inconclusive : exitCodes.pass
}
