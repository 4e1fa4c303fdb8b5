import { type Report, reportModel } from '../model.js'
import { failingReport } from './failing-report.js'

/** What a hostile target could send: markup, scripts, links, escapes, text-reversing marks, table and fence breakers. */
const attack = [
  '</script><script>window.attacked=1</script>',
  '<img src=x onerror="window.attacked=1">',
  '"><svg onload=window.attacked=1>',
  "javascript:window.attacked=1//'",
  '\u001b[2J\u001b]0;title\u0007\u009b31m',
  '\u202egnp.exe\u2066\u200b\u2028\u2029\ud800\u0000\ufffe',
  '| a | ```` ]]> --> @everyone #1 https://evil.example/ [x](javascript:alert(1)) *b*',
  '\r\n## heading\r\n- list',
].join(' ')

/** Fields whose values the model fixes: they never come from the target. */
const fixed = new Set([
  ...['name', 'version', 'level', 'verdict', 'outcome', 'window', 'behaviour', 'schemaVersion'],
  ...['kind', 'end', 'atBest', 'state', 'letter', 'best', 'worst', 'pauses'],
])

/** Data in which every free string is an attack. */
export const poison = (value: unknown, field = ''): unknown => {
  if (typeof value === 'string') return fixed.has(field) ? value : `${value.slice(0, 12)} ${attack}`
  if (Array.isArray(value))
    return field === 'points' || field === 'answers' ? value : value.map((each) => poison(each, field))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      field === 'facts' ? `${name}${attack}` : name,
      field === 'models' ? each : poison(each, name),
    ]),
  )
}

/** The failing report with every free string an attack: on the page, the terminal, the XML and the Markdown. */
export const attackReport: Report = reportModel.parse(poison(failingReport))

/** The report with a body of that many characters, as a target may send it. */
export const withLongBody = (report: Report, characters: number): Report => ({
  ...report,
  exchanges: report.exchanges.map((x) =>
    x.response === null
      ? x
      : { ...x, response: { ...x.response, body: '<b>'.repeat(characters / 3), bodyBytes: characters } },
  ),
})
