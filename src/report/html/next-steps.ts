import { count, formatDuration } from '../../kit/words.js'
import { clip } from '../escape.js'
import { headerOf, planOfKey, storyOf } from '../findings.js'
import type { CheckRow, QuotaRow, Report, WitnessRow } from '../model.js'
import { brokenQuotas } from '../quotas.js'
import { aloneTimeAside, neededInWords } from '../repeating.js'
import { anchor, commandBox, type Html, html } from './markup.js'

/** More simultaneous requests than this do not belong on a shell line. */
const mostRepeated = 300

const longestAdvice = 400

/** How many more than the limit are sent, so that refusals show too. */
const beyond = 5

const plainCurl = 'curl -sS -i '

/** A line that sends enough requests at once to show the limit, and counts the answers by status. */
export const burstLine = (curl: string, { limit }: Pick<QuotaRow, 'limit'>): string | undefined =>
  limit > mostRepeated || !curl.startsWith(plainCurl)
    ? undefined
    : `(for i in $(seq ${limit + beyond}); do curl -sS -o /dev/null -w '%{http_code}\\n' ${curl.slice(plainCurl.length)} & done; wait) | sort | uniq -c`

/** Lines that spend a quota, wait as Retry-After says, and try again; undefined for a large limit or a date. */
export const waitLines = (
  witness: WitnessRow,
  { limit, windowMs }: Pick<QuotaRow, 'limit' | 'windowMs'>,
): string | undefined => {
  const { curl } = witness
  const wait = headerOf(witness, 'retry-after') ?? ''
  if (limit > mostRepeated || curl === null || !curl.startsWith(plainCurl) || !/^\d+$/.test(wait)) return undefined
  return [
    `for i in $(seq ${limit + beyond}); do answer=$(${curl}); case $answer in HTTP/1.?' 429'*|HTTP/2' 429'*) break;; esac; done`,
    `wait=$(printf '%s' "$answer" | grep -i '^retry-after:' | tr -dc 0-9)`,
    `if [ "\${wait:-0}" -gt ${Math.ceil((2 * windowMs) / 1000)} ]; then echo "told to wait $wait s: a longer quota is spent, or the key is banned; take another key"`,
    `else echo "refused; waiting $wait s as told"; sleep "$wait"`,
    `${plainCurl}-o /dev/null -w '%{http_code}\\n' ${curl.slice(plainCurl.length)}`,
    'fi',
  ].join('; ')
}

const burstAgain = (quota: QuotaRow, curl: string): Html | false => {
  const line = burstLine(curl, quota)
  return (
    line !== undefined &&
    html`<li><p>See it yourself: leave the key alone for ${formatDuration(quota.windowMs)}, so that its quota is full. Then run this line, which counts the answers by status. More than ${count(quota.limit)} in front of 200 is the breach${quota.bucket ? ` (${count(quota.bucket.refill)} more for each ${formatDuration(quota.bucket.everyMs)} that it takes are not)` : ''}.</p>${commandBox(line, 'the line that sends the burst again')}</li>`
  )
}

/** Lines that spend the quota, then send three requests in the other spelling; undefined for a large limit. */
export const spellingLines = (
  plain: WitnessRow,
  spelt: WitnessRow,
  quota: Pick<QuotaRow, 'limit'>,
): string | undefined => {
  const spend = plain.curl === null ? undefined : burstLine(plain.curl, quota)
  if (spend === undefined || spelt.curl === null || !spelt.curl.startsWith(plainCurl)) return undefined
  const status = `curl -sS -o /dev/null -w '%{http_code}\\n' ${spelt.curl.slice(plainCurl.length)}`
  return `${spend}; echo 'and in the other spelling:'; for i in 1 2 3; do ${status}; done`
}

const spellingAgain = (report: Report, check: CheckRow, exchanges: readonly WitnessRow[]): Html | false => {
  const [refusal, spelt] = exchanges
  const quota = report.quotas.find(({ plan }) => plan === check.facts.plan)
  if (refusal?.response?.status !== 429 || spelt === undefined || quota === undefined) return false
  const lines = spellingLines(refusal, spelt, quota)
  const writes = !/^(GET|HEAD|OPTIONS)$/.test(spelt.request.method)
  return (
    lines !== undefined &&
    html`<li><p>See it yourself: this spends the quota with the plain request, and then asks three times in the other spelling. Three times ${spelt.response?.status ?? 200} after the 429s is the breach. Let nobody else use the key.${writes && ` It sends a ${spelt.request.method}, which changes what is there: put it back afterwards.`}</p>${commandBox(lines, 'the lines that spend the key and ask in the other spelling')}</li>`
  )
}

const waitAgain = (report: Report, witness: WitnessRow): Html | false => {
  const plans = report.quotas.map(({ plan }) => plan)
  const quota = report.quotas.find(({ plan }) => plan === planOfKey(plans, witness.key ?? ''))
  const lines = quota && waitLines(witness, quota)
  return (
    lines !== undefined &&
    html`<li><p>See it yourself: this spends the quota until it is refused, waits as told, and asks again. A last line of 429 is the breach. A wait may be too short only at some moments, so try it a few times, and let nobody else use the key.</p>${commandBox(lines, 'the lines that wait as told and ask again')}</li>`
  )
}

/** Whether a single request shows it again: not if it takes a burst, a wait, a refusal or several requests. */
const oneRequestShows = (check: CheckRow, witness: WitnessRow): boolean =>
  storyOf(check) === undefined &&
  !/^(QUOTA|THROTTLE)-|^RATE-[346]$/.test(check.clauses[0] ?? '') &&
  witness.step !== 'load' &&
  witness.response?.status !== 429

const again = (report: Report, check: CheckRow, exchanges: readonly WitnessRow[]): Html | false => {
  const witness = exchanges.find(({ curl }) => curl !== null)
  if (!witness?.curl) return false
  if (check.code === 'spelling-opens-quota') return spellingAgain(report, check, exchanges)
  const [quota] = brokenQuotas(report, check)
  // A burst shows over-admission, but not a window that ends too early.
  if (quota && check.clauses[0] === 'QUOTA-1') return quota.breach?.isBurst !== false && burstAgain(quota, witness.curl)
  if (check.code === 'refused-after-waiting') return waitAgain(report, witness)
  return (
    oneRequestShows(check, witness) &&
    html`<li><p>Send the request yourself, with the key in its variable:</p>${commandBox(witness.curl, 'the request that shows it')}</li>`
  )
}

const adviceStep = ({ advice }: CheckRow): Html | false =>
  advice !== null && html`<li><p>${clip(advice, longestAdvice)}</p></li>`

const aloneStep = (check: CheckRow): Html =>
  html`<li><p>Fix it, then run only this check${aloneTimeAside(check)}:</p>${commandBox(check.command, `the command that runs only ${check.id}`)}</li>`

/** What to do about a finding, in short: where to look first, and the command that plays the check alone. */
export const shortSteps = (check: CheckRow): Html =>
  html`<h4>What to do next</h4><ol class="steps">${adviceStep(check)}${aloneStep(check)}</ol>`

/** What to do about a finding: where to look first, the request to repeat, the check's own command, the rule to read. */
export const nextSteps = (report: Report, check: CheckRow, exchanges: readonly WitnessRow[]): Html => {
  const clause = report.clauses.find(({ id }) => id === check.clauses[0])
  return html`<h4>What to do next</h4><p class="quiet">${neededInWords(report)}</p><ol class="steps">
${adviceStep(check)}
${again(report, check, exchanges)}
${aloneStep(check)}
${clause !== undefined && html`<li><p>Read the rule ${clause.id} (${clause.source}): <a href="#${anchor('clause', clause.id)}">${clause.sentence}</a></p></li>`}
</ol>`
}
