import { formatDuration } from '../../../../kit/duration.js'
import type { BackoffRow, Report } from '../../../model.js'
import { anchor } from '../tag.js'
import type { Chart } from './chart.js'
import { outcomeBars } from './outcome-bars.js'

/** What the page calls the clients of each behaviour. */
export const clientWords = { compliant: 'Clients that wait as told', hammering: 'Clients that hammer' } as const

const chart = ({ plan, probe, behaviour, startedAt, stretchMs, attempts }: BackoffRow): Chart => ({
  id: anchor('chart', `${plan}-${probe}-${behaviour}`),
  title: `Attempts on ${plan}: ${clientWords[behaviour].toLowerCase()}`,
  how: `Each bar counts the attempts within ${formatDuration(stretchMs)}: those that were served stand upwards, those that were refused hang downwards and are wasted. Clients that back off leave a gap after a refusal; clients that hammer leave none.`,
  ...outcomeBars({ from: startedAt, stretchMs, counts: attempts, words: ['Served', 'Refused', 'Anything else'] }),
  moments: [],
})

/** The charts of the clients, in the order of their rows. */
export const backoffCharts = (report: Report): Chart[] => report.backoff.map(chart)
