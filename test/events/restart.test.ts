import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, it } from 'vitest'
import type { Report } from '../../src/report/model.js'
import { freshFolder, quotaspec } from '../cli/built-program.js'

const secret = 'events-free-Qa91Ws82Ed73'
const program = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url))
const scaled = ['--time-scale', '20']

/** Starts the reference server as a process of its own, which counts in its memory; resolves once it serves. */
const served = async () => {
  const args = ['serve', '--port', '0', ...scaled, '--key', `free=${secret}`]
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
  const said: Buffer = await new Promise((resolve) => child.stdout.once('data', resolve))
  return { child, port: Number(/:(\d+)\/v1/.exec(`${said}`)?.[1]) }
}

/** A port that leads to whichever server serves, and the connections to it. */
const doorTo = (serving: () => number) => {
  const open = new Set<Socket>()
  const door = createServer((client) => {
    const server = connect(serving(), '127.0.0.1')
    for (const each of [client, server]) each.on('error', () => {})
    open.add(client.on('close', () => open.delete(client)).on('close', () => server.destroy()))
    // Ended, not destroyed: it is closed only once the other side has seen it.
    server.on('close', () => client.end())
    client.pipe(server, { end: false })
    server.pipe(client, { end: false })
  })
  return { door, open }
}

/**
 * Plays a burst in the middle of which a command is run. Where it kills the server, another takes its place, which is up already:
 * however long a program takes to start here, the window goes on. What the command reads comes once that is so.
 */
const play = async (at: number, command: (server: number, told: string) => string) => {
  const [first, second] = await Promise.all([served(), served()])
  let { port } = first
  const { door, open } = doorTo(() => port)
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
  const out = freshFolder()
  const told = join(out, 'told')
  execFileSync('mkfifo', [told])
  first.child.once('exit', async (_, signal) => {
    port = second.port
    await Promise.all([...open].map((each) => new Promise((resolve) => each.once('close', resolve))))
    if (signal === 'SIGKILL') await writeFile(told, '')
  })
  const scenario = join(out, 'scenario.yaml')
  const run = ['sh', '-c', command(first.child.pid ?? Number.NaN, told)]
  const events = [{ during: 'burst', at, name: 'restart', run }]
  writeFileSync(scenario, JSON.stringify({ name: 'restarted', description: 'x', probes: [{ probe: 'burst' }], events }))
  try {
    const address = `http://127.0.0.1:${(door.address() as AddressInfo).port}/v1`
    const target = ['--target', address, ...scaled, '--key', `free=${secret}`]
    const { code, stdout } = await quotaspec(['run', scenario, ...target, '--out', join(out, 'run')])
    const report: Report = JSON.parse(readFileSync(join(out, 'run', 'report.json'), 'utf8'))
    return { code, stdout, report }
  } finally {
    for (const { child } of [first, second]) child.kill()
    door.close()
  }
}

describe('a restart in the middle of a burst', { concurrent: true }, () => {
  it('is told with what it did to the count, and breaks no clause by itself', async ({ expect }) => {
    const { report, stdout } = await play(0.5, (server, told) => `kill -9 ${server}; cat ${told}`)
    expect(report.clauses.filter(({ verdict }) => verdict === 'fail')).toEqual([])
    // 1 + 44 before it, 45 after it, of 60: those that were admitted later in the window come on top.
    const [event] = report.events
    expect(event?.effects[0]?.most).toBeGreaterThanOrEqual(30)
    expect(event?.effects[0]?.most).toBeLessThanOrEqual(60)
    expect(stdout).toContain('more were admitted (Free)')
  })

  it('ends the run with 2 where its command fails', async ({ expect }) => {
    const { code, report } = await play(0.5, () => 'exit 3')
    expect([code, report.run.exitCode]).toEqual([2, 2])
    expect(report.headline).toContain('The command of an event failed')
    expect(report.notes.map(({ text }) => text)).toContain('the command of restart ended with 3, so the run was ended')
  })
})
