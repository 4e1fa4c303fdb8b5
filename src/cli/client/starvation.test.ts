import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { starvationMeter } from './client-process.js'

const linux = process.platform === 'linux'

it.runIf(linux)('a process that lives is measured, and never falls', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' })
  await once(child, 'spawn')
  try {
    const meter = starvationMeter(child.pid ?? 0)
    const main = String(child.pid)
    const first = meter()?.[main]
    expect(first).toBeGreaterThanOrEqual(0)
    expect(meter()?.[main]).toBeGreaterThanOrEqual(first ?? 0)
  } finally {
    child.kill('SIGKILL')
  }
})

it('a group without a process is not known', () => {
  expect(starvationMeter(2 ** 22 + 1)()).toBeNull()
})
