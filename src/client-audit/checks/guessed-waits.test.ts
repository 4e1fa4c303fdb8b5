import { describe, expect, it } from 'vitest'
import { clientEvidence } from '../waits/story.js'
import { simulatedAudit } from '../waits/testing/simulated-audit.js'
import { ownWaitsJittered, waitsGrow } from './own-waits.js'

const workers = 3

/** Three workers where one was asked for, which wait as long as each other, and what the controls were once late by. */
const foundOf = (jitter: number, factor: number, stallMs: number) => {
  let begun = 0
  const audit = simulatedAudit([{ id: 'absent', plays: 10, workers }], ({ attempt }) => {
    if (attempt === 0) begun += 1
    const play = Math.ceil(begun / workers)
    const part = ((play * 10 + attempt) * 0.618) % 1
    return attempt > 4 ? undefined : 1_300 * factor ** attempt * (1 + jitter * part)
  })
  const beats = Array.from({ length: 100 }, (_, at) => ({ type: 'beat' as const, at: at * 200, lateMs: 0 }))
  const evidence = clientEvidence({ ...audit, beats: [...beats, { type: 'beat', at: 5_000, lateMs: stallMs }] })
  return [ownWaitsJittered.judge(evidence), waitsGrow.judge(evidence)].map(({ verdict, code }) => `${verdict}: ${code}`)
}

describe('the waits of several workers, where one was asked for', () => {
  it.each([
    ['are passed on a quiet machine', 0.2, 2, 0, ['pass: jittered', 'pass: grows']],
    ['are not passed where it stalled', 0.2, 2, 400, ['inconclusive: jitter-guessed', 'inconclusive: growth-unclear']],
    ['are passed where it stalled for far less than they last', 0.2, 2, 150, ['pass: jittered', 'pass: grows']],
    ['are not failed at all', 0, 1, 0, ['inconclusive: jitter-guessed', 'inconclusive: growth-unclear']],
  ] as const)('%s', (_name, jitter, factor, stallMs, found) => {
    expect(foundOf(jitter, factor, stallMs)).toEqual(found)
  })
})
