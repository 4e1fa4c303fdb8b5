import { beforeAll, describe, expect, it } from 'vitest'
import { sideBySide } from '../../src/kit/side-by-side.js'
import type { Report } from '../../src/report/model.js'
import type { Verdict } from '../../src/verdict/verdict.js'
import type { Behaviour } from './behaviour.js'
import { behaviours } from './behaviours/all.js'
import { type Played, paces, playBehaviour, type Way } from './play-behaviour.js'

const ways = (behaviour: Behaviour): Way[] => (behaviour.underLoad === false ? ['single'] : ['single', 'load'])

const plays = behaviours.flatMap((behaviour) => ways(behaviour).map((way) => ({ behaviour, way })))

/** What each kind may come to where single requests show it. */
const outcomes: Readonly<Record<Behaviour['kind'], readonly string[]>> = {
  conforming: ['pass'],
  odd: ['pass', 'inconclusive'],
  unproven: ['inconclusive'],
  broken: ['fail'],
  bad: ['fail', 'inconclusive'],
}

/** Nearly all of a play is waiting, so many are played at once. */
const atOnce = 48
/** All of them take half a minute of a processor, of which a busy machine gives little. */
const longestMs = 900_000
const played = new Map<string, Shown | { readonly thrown: unknown }>()

const told = ({ checks }: Report, wanted: Verdict): string[] =>
  checks.filter(({ verdict }) => verdict === wanted).map(({ id, message }) => `${id}: ${message}`)

/** What is looked at, without the reports: all of them would fill the memory, which is then searched again and again. */
const shown = ({ report, ...played }: Played) => ({
  ...played,
  outcome: report.outcome,
  failing: told(report, 'fail'),
  open: told(report, 'inconclusive'),
})
type Shown = ReturnType<typeof shown>

const play = async (behaviour: Behaviour, way: Way): Promise<void> => {
  const result = await playBehaviour(behaviour, way).then(shown, (thrown: unknown) => ({ thrown }))
  played.set(`${behaviour.id} ${way}`, result)
}

describe('the bank of hostile targets', () => {
  beforeAll(async () => {
    await sideBySide(plays, atOnce, ({ behaviour, way }) => play(behaviour, way))
  }, longestMs)

  it('holds at least 40 behaviours, each under a name of its own', () => {
    expect(new Set(behaviours.map(({ id }) => id)).size).toBe(behaviours.length)
    expect(behaviours.length).toBeGreaterThanOrEqual(40)
  })

  for (const { behaviour, way } of plays) {
    const { id, does, kind } = behaviour
    it(`a target that ${does} (${id}, ${way === 'load' ? 'under load' : 'single requests'})`, () => {
      const result = played.get(`${id} ${way}`)
      if (!result || 'thrown' in result) throw result?.thrown ?? new Error('it was not played')
      const { outcome, failing, open } = result
      expect(result.crashes).toEqual([])
      expect(result.leaks).toEqual([])
      expect(result.judgedAgain).toEqual(result.verdicts)
      expect(result.tookMs).toBeLessThan((paces[kind].runLimitS + 40) * 1000)
      if (kind === 'conforming' || kind === 'odd') expect(failing).toEqual([])
      else expect(outcome).not.toBe('pass')
      if (way === 'single') expect(outcomes[kind], [...failing, ...open].join('; ')).toContain(outcome)
    })
  }
})
