import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, it } from 'vitest'
import type { Report } from '../../src/report/model.js'
import { freshFolder, quotaspec } from '../cli/built-program.js'

const secret = 'events-free-Qa91Ws82Ed73'
const program = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url))
const scaled = ['--time-scale', '20']

const listening = async (server: ReturnType<typeof createServer>): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** A port that was free a moment ago. */
const freePort = async (): Promise<number> => {
  const server = createServer()
  const port = await listening(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Starts the reference server as a process of its own, which counts in its memory; resolves once it serves. */
const served = async (port: number) => {
  const args = ['serve', '--port', `${port}`, ...scaled, '--key', `free=${secret}`]
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
  await new Promise((resolve) => child.stdout.once('data', resolve))
  return child
}

/** Plays a burst in the middle of which a command is run; `restarts`: while it asks, the server is killed and started anew. */
const play = async (at: number, command: (control: string) => readonly string[]) => {
  const port = await freePort()
  let server = await served(port)
  const control = createServer(async (_, response) => {
    const gone = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGKILL')
    await gone
    server = await served(port)
    response.end()
  })
  const out = freshFolder()
  const scenario = join(out, 'scenario.yaml')
  const run = command(`http://127.0.0.1:${await listening(control)}`)
  const events = [{ during: 'burst', at, name: 'restart', run }]
  writeFileSync(scenario, JSON.stringify({ name: 'restarted', description: 'x', probes: [{ probe: 'burst' }], events }))
  try {
    const target = ['--target', `http://127.0.0.1:${port}/v1`, ...scaled, '--key', `free=${secret}`]
    const { code, stdout } = await quotaspec(['run', scenario, ...target, '--out', join(out, 'run')])
    const report: Report = JSON.parse(readFileSync(join(out, 'run', 'report.json'), 'utf8'))
    return { code, stdout, report }
  } finally {
    server.kill('SIGKILL')
    control.close()
  }
}

const asks = (control: string) => [
  process.execPath,
  '-e',
  `fetch('${control}').then(({ ok }) => process.exit(ok ? 0 : 1))`,
]

describe('a restart in the middle of a burst', { concurrent: true }, () => {
  it('is told with what it did to the count, and breaks no clause by itself', async ({ expect }) => {
    const { report, stdout } = await play(0.5, asks)
    expect(report.clauses.filter(({ verdict }) => verdict === 'fail')).toEqual([])
    // 1 + 44 before it, 45 after it, of 60: those that were admitted later in the window come on top.
    const [event] = report.events
    expect(event?.effects[0]?.most).toBeGreaterThanOrEqual(30)
    expect(event?.effects[0]?.most).toBeLessThanOrEqual(60)
    expect(stdout).toContain('more were admitted (Free)')
  })

  it('ends the run with 2 where its command fails', async ({ expect }) => {
    const { code, report } = await play(0.5, () => [process.execPath, '-e', 'process.exit(3)'])
    expect([code, report.run.exitCode]).toEqual([2, 2])
    expect(report.headline).toContain('The command of an event failed')
    expect(report.notes.map(({ text }) => text)).toContain('the command of restart ended with 3, so the run was ended')
  })
})
