import { afterAll, describe, expect, it } from 'vitest'
import { freshFolder, removeFolders, whileServing } from '../cli/built-program.js'
import { withAgent } from './agent.js'

afterAll(removeFolders)

const secret = 'Wq4-free-secret-83'
const timeScale = 10

/** The clauses that a run says are to be explained next. */
const brokenIn = (text: string): string[] => [...text.matchAll(/^explain (\S+) next/gm)].map(([, id]) => id)

/** What an agent does about a limiter: it looks, plays the rules of quotas, and has explained what is broken. */
const explanationsOf = (fault: string): Promise<string> => {
  const served = ['--key', `free=${secret}`, '--fault', fault, '--time-scale', String(timeScale)]
  return whileServing(served, (target) =>
    withAgent({ env: { QUOTASPEC_KEY_FREE: secret }, cwd: freshFolder() }, async ({ call, calls, messages }) => {
      const given = { target, timeScale }
      expect((await call('doctor', given)).text).toContain('accepted')
      const asked = { ...given, only: ['QUOTA-1', 'QUOTA-2', 'QUOTA-6'] }
      expect((await call('plan', asked)).text).toContain('burst')
      const explained: string[] = []
      for (const finding of brokenIn((await call('run', asked)).text))
        explained.push((await call('explain', { finding })).text)
      expect(calls()).toBeLessThanOrEqual(10)
      for (const each of messages) expect(each).not.toContain(secret)
      return explained.join('\n')
    }),
  )
}

const planted: readonly (readonly [fault: string, cause: RegExp])[] = [
  ['limit-plus-one', /limit-higher-by-one.*\n.*comparison with the limit/],
  ['limit-minus-one', /limit-lower-by-one.*\n.*comparison with the limit/],
  ['check-then-increment', /check-apart-from-count.*\n.*one atomic step/],
  ['nodes-count-alone', /nodes-count-alone.*\n.*store that all share/],
  ['requests-count-twice', /requests-count-twice.*\n.*the limiter runs twice/],
  ['refused-requests-count', /refusals-count.*\n.*before the decision/],
  ['scheme-case-opens-bucket', /spelling-opens-quota.*\n.*as it was sent/],
]

/** Two are played side by side: more of them would take the time from each other that their verdicts rest on. */
const isUsual = ([fault]: (typeof planted)[number]) =>
  fault === 'limit-plus-one' || fault === 'scheme-case-opens-bucket'
/** All of them are played one after the other: it takes five minutes. */
const playsAll = process.env.QUOTASPEC_PLANTED === 'all'

describe('an agent finds in at most 10 calls', () => {
  const played = playsAll ? it : it.concurrent
  played.each(playsAll ? planted : planted.filter(isUsual))('%s, and no message holds a key', async (fault, cause) => {
    const explained = await explanationsOf(fault)
    expect(explained).toMatch(cause)
    expect(explained).toMatch(/^evidence\n.* -> \d{3}/m)
  })
})
