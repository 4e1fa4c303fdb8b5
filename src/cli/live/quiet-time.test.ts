import { expect, it } from 'vitest'
import type { LaneState } from '../output/progress-state.js'
import { type LoadKind, quietMs } from './quiet-time.js'

const kinds: Readonly<Record<string, LoadKind>> = { hello: 'none', burst: 'between-waits', cost: 'at-any-time' }

const lane = (probe: string | null, until?: number): LaneState => ({
  probe,
  waiting: until === undefined ? null : { until, why: 'a fresh window' },
  isLoaded: false,
  done: 0,
})

it.each<[string, LaneState[], number]>([
  ['for ever where nothing is played', [lane(null), lane(null)], Number.POSITIVE_INFINITY],
  ['for ever while only single requests are sent', [lane('hello'), lane(null)], Number.POSITIVE_INFINITY],
  ['not at all where a load may be under way', [lane('hello'), lane('burst')], 0],
  ['until a load has waited', [lane('burst', 8_000), lane('hello', 6_000)], 3_000],
  ['until the first of several has', [lane('burst', 8_000), lane('burst', 6_000)], 1_000],
  ['not at all where one of several waits no longer', [lane('burst', 8_000), lane('burst', 4_999)], 0],
  ['not at all where one key waits while another may be loaded', [lane('cost', 8_000)], 0],
])('it is quiet %s', (_, lanes, expected) => {
  const state = { sent: 0, agents: new Map(), lanes: new Map(lanes.map((each, at) => [`key-${at}`, each])) }
  expect(quietMs(state, 5_000, (probe) => kinds[probe] ?? 'none')).toBe(expected)
})
