import type { CheckRow, QuotaRow, Report, WitnessRow } from '../../model.js'
import { count } from '../../summary.js'
import { brokenPlansOf } from '../../wording/quota-breach.js'
import { commandBox } from '../marks.js'
import { anchor, type Html, html } from '../tag.js'

/** More requests at once than this are no line to paste into a shell. */
const mostRepeated = 300

/** Sent beyond the limit, so that refusals show too. */
const beyond = 5

const plainCurl = 'curl -sS -i '

/** A line that sends a request so often at once that its limit has to show, and counts the answers by status. */
export const burstLine = (curl: string, { limit }: Pick<QuotaRow, 'limit'>): string | undefined =>
  limit > mostRepeated || !curl.startsWith(plainCurl)
    ? undefined
    : `(for i in $(seq ${limit + beyond}); do curl -sS -o /dev/null -w '%{http_code}\\n' ${curl.slice(plainCurl.length)} & done; wait) | sort | uniq -c`

/** The quota with the smallest limit that a finding says is broken: it takes the fewest requests to show. */
const smallestBroken = (report: Report, check: CheckRow): QuotaRow | undefined => {
  if (!/^QUOTA-[12]$/.test(check.clauses[0] ?? '')) return undefined
  const plans = new Set(brokenPlansOf(check).map(({ plan }) => plan))
  return report.quotas.filter(({ plan }) => plans.has(plan)).toSorted((a, b) => a.limit - b.limit)[0]
}

const again = (report: Report, check: CheckRow, witness: WitnessRow | undefined): Html | false => {
  if (!witness?.curl) return false
  const quota = smallestBroken(report, check)
  const line = quota && burstLine(witness.curl, quota)
  if (quota && line !== undefined && check.clauses[0] === 'QUOTA-1')
    return html`<li><p>See it yourself: with a quota that is whole, this counts the answers by status. More than ${count(quota.limit)} times 200 is the breach.</p>${commandBox(line, 'the line that sends the burst again')}</li>`
  return html`<li><p>Send the request yourself, with the key in its variable:</p>${commandBox(witness.curl, 'the request that shows it')}</li>`
}

/** What to do about a finding: the request to repeat, the command that plays the check alone, the rule to read. */
export const nextSteps = (report: Report, check: CheckRow, witness: WitnessRow | undefined): Html => {
  const clause = report.clauses.find(({ id }) => id === check.clauses[0])
  return html`<h4>What to do next</h4><ol class="steps">
${again(report, check, witness)}
<li><p>Mend it, and play this check alone:</p>${commandBox(check.command, `the command that plays ${check.id} alone`)}</li>
${clause !== undefined && html`<li><p>Read the rule: <a href="#${anchor('clause', clause.id)}">${clause.id}</a>, ${clause.source}: ${clause.sentence}</p></li>`}
</ol>`
}
