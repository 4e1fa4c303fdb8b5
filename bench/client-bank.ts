import type { ClauseId } from '../src/contract/clauses.js'

/** A client with known faults, so that the right result of its audit is known. */
export interface KnownClient {
  readonly name: string
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly grade: 'A' | 'B' | 'C' | 'D' | 'F'
  /** Every clause that it breaks. */
  readonly breaks: readonly ClauseId[]
}

const node = (file: string) => ['node', `test/clients/${file}.mjs`]

/** The project's own clients, deliberately bad ones and good ones. */
export const clientBank: readonly KnownClient[] = [
  { name: 'bad: hammers', command: node('bad/hammers'), grade: 'F', breaks: ['CLIENT-1', 'CLIENT-2', 'CLIENT-4'] },
  { name: 'bad: ignores dates', command: node('bad/ignores-dates'), grade: 'D', breaks: ['CLIENT-4'] },
  { name: 'bad: no jitter', command: node('bad/no-jitter'), grade: 'C', breaks: ['CLIENT-3'] },
  {
    name: 'bad: waits once',
    command: node('bad/waits-once'),
    grade: 'F',
    breaks: ['CLIENT-1', 'CLIENT-2', 'CLIENT-3', 'CLIENT-4'],
  },
  {
    name: 'bad: pauses the request, not the key',
    command: node('bad/pauses-request-only'),
    grade: 'F',
    breaks: ['CLIENT-1'],
  },
  {
    name: 'bad: a connection for each of five tries at once',
    command: node('bad/connection-per-try'),
    grade: 'F',
    breaks: ['CLIENT-1', 'CLIENT-2', 'CLIENT-4'],
  },
  { name: 'bad: comes 48 ms early', command: node('bad/early'), grade: 'F', breaks: ['CLIENT-1'] },
  { name: 'bad: gives up on dates', command: node('bad/gives-up-on-dates'), grade: 'D', breaks: ['CLIENT-4'] },
  {
    name: 'bad: reads dates as local time',
    command: node('bad/dates-as-local-time'),
    grade: 'D',
    breaks: ['CLIENT-4'],
  },
  { name: 'bad: equal steps', command: node('bad/linear'), grade: 'D', breaks: ['CLIENT-2'] },
  { name: 'good: ten workers, one pause', command: node('good/ten-workers-one-pause'), grade: 'B', breaks: [] },
  { name: 'good: IMF-fixdate only', command: node('good/fixdate-only'), grade: 'B', breaks: [] },
  { name: 'good: a bare Date.parse', command: node('good/bare-date-parse'), grade: 'B', breaks: [] },
  { name: '`quotaspec/retrying`', command: node('compliant'), grade: 'A', breaks: [] },
]
