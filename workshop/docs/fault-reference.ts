import type { Fault, Variation } from '../../reference-server/faults/fault.js'
import { type Area, areas } from '../../src/contract/clauses.js'
import { tableCell } from '../../src/kit/words.js'

const section = (area: Area, faults: readonly Fault[]): string =>
  [
    `## ${areas[area]}`,
    '',
    '| fault | breaks | what the server does |',
    '|---|---|---|',
    ...faults.map(({ id, breaks, sentence }) => `| \`${id}\` | ${breaks.join(', ')} | ${tableCell(sentence)} |`),
    '',
  ].join('\n')

/** The reference server's faults, by area, and its variations, in Markdown. */
export const faultReference = (faults: readonly Fault[], variations: readonly Variation[]): string =>
  [
    ...(Object.keys(areas) as Area[])
      .map((area) => ({ area, own: faults.filter((fault) => fault.area === area) }))
      .filter(({ own }) => own.length > 0)
      .map(({ area, own }) => section(area, own)),
    '## Conforming variations',
    '',
    'Unusual, and within the interface: no check may fail on one.',
    '',
    '| variation | what the server does |',
    '|---|---|',
    ...variations.map(({ id, sentence }) => `| \`${id}\` | ${tableCell(sentence)} |`),
    '',
  ].join('\n')
