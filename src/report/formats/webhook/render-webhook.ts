import { count } from '../../../kit/count.js'
import { formatDuration } from '../../../kit/duration.js'
import { clip } from '../../escape.js'
import type { Report } from '../../model.js'
import {
  brokenGates,
  brokenWaivers,
  clausesPhrase,
  counted,
  failures,
  requestTotals,
  undecided,
} from '../../summary.js'
import { outcomeMark } from '../markdown/markdown-text.js'
import { chatAddress, chatText } from './chat-text.js'

const longestLine = 300

/** The first finding in words, and how many there are besides. */
const foundLine = (report: Report): string[] => {
  const messages = [
    ...failures(report).map(({ clauses, message }) => `${clauses.join(', ')}: ${message}`),
    ...brokenGates(report).map(({ sentence, value, limit }) => `${sentence} ${value}, where ${limit} is the most.`),
    ...brokenWaivers(report).map(({ sentence }) => sentence),
    ...undecided(report).map(({ clauses, message }) => `${clauses.join(', ')} could not be checked: ${message}`),
  ]
  const [first] = messages.filter((message) => !report.headline.includes(message))
  if (first === undefined) return []
  const rest = messages.length - 1
  return [`${chatText(first, longestLine)}${rest > 0 ? ` And ${counted(rest, 'finding')} more.` : ''}`]
}

const numbersLine = (report: Report): string =>
  [
    `Clauses: ${clausesPhrase(report)}`,
    `${count(requestTotals(report).spent)} requests`,
    formatDuration(report.run.durationMs),
  ].join(' · ')

/** The target's address as it is, where it is one. */
const targetOf = ({ target }: Report): string =>
  /^https?:\/\//.test(target.baseUrl) && URL.canParse(target.baseUrl)
    ? chatAddress(clip(new URL(target.baseUrl).href, longestLine))
    : chatText(target.baseUrl, longestLine)

/**
 * A message for a chat's incoming webhook, `{"text": …}`, of five lines at the most: the verdict, what broke or is open,
 * where, the numbers, and where the report is. `reportAt` is an address of the user's own, or a path: it stands as it is.
 */
export const renderWebhook = (report: Report, reportAt: string): string => {
  const lines = [
    `${outcomeMark[report.outcome]}: ${chatText(report.headline, longestLine)}`,
    ...foundLine(report),
    `quotaspec ${chatText(report.run.scenario, longestLine)} against ${targetOf(report)}`,
    numbersLine(report),
    `Report: ${chatAddress(reportAt)}`,
  ]
  return `${JSON.stringify({ text: lines.join('\n') })}\n`
}
