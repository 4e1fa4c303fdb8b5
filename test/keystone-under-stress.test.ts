import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { freshFolder, launch, quotaspec } from './cli/built-program.js'

const keystone = { program: 'workshop/keystone/main.js' }

const under = (condition: string, results: string, ...more: string[]) => [
  ...['--under', condition, '--results', results],
  ...more,
]

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Resolves with those that are still there after a while: none, mostly at once. */
const outliving = async (pids: readonly number[], ms: number): Promise<number[]> => {
  const until = performance.now() + ms
  while (pids.some(isAlive) && performance.now() < until) await delay(50)
  return pids.filter(isAlive)
}

describe('the keystone under stress', () => {
  it('shows a fault of a slow target, keeps what it played, and does not play it again', async () => {
    const folder = freshFolder()
    const [results, page] = [join(folder, 'stress.jsonl'), join(folder, 'stress.md')]
    const play = under('slow', results, '--id', 'string-quantity-accepted', '--write-stress', page)
    const first = await quotaspec(play, keystone)
    expect(first.stdout).toMatch(/^slow exact {9}fault string-quantity-accepted: INV-5 \d+ s$/m)
    expect(first.code).toBe(0)
    const [kept, told] = [readFileSync(results, 'utf8'), readFileSync(page, 'utf8')]
    expect(told).toContain('| slow | 1 | 1 | 0 | 0 | **0** | 100.0 % | 0 | 0 | 0 | **0** | 0 |')
    const again = await quotaspec(play, keystone)
    expect([again.stdout, again.code]).toEqual(['slow: 1 faults, 0 variations\n', 0])
    expect(readFileSync(results, 'utf8')).toBe(kept)
    expect(readFileSync(page, 'utf8')).toBe(told)
  })

  it('leaves no busy process behind, even where it is killed', async () => {
    const results = join(freshFolder(), 'stress.jsonl')
    const { child, ended, untilWritten } = launch(under('crowded', results, '--id', 'list-wrapped'), keystone)
    const line = /busy processes (.+)\n/.exec(await untilWritten('stdout', '\n'))?.[1] ?? ''
    const pids = line.split(', ').map(Number)
    expect(pids.length).toBeGreaterThanOrEqual(3)
    expect(pids.every(isAlive)).toBe(true)
    child.kill('SIGKILL')
    await ended
    expect(await outliving(pids, 20_000)).toEqual([])
  })
})
