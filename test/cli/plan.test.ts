import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { freshFolder, quotaspecEach, quotaspecInTurn, whileServingHere } from './built-program.js'
import { whileListening } from './listening.js'

const secret = 'plan-Rt64Yu75Io86'
const env = { QUOTASPEC_KEY_FREE: secret, QUOTASPEC_KEY_PRO: `${secret}-pro` }

describe('quotaspec plan', { concurrent: true }, () => {
  it('says what a run would send on which key and how long it takes, and sends nothing', async ({ expect }) => {
    let connections = 0
    await whileListening(
      () => {},
      async (target, server) => {
        server.on('connection', () => {
          connections += 1
        })
        const { code, stdout, stderr } = await quotaspecInTurn(['plan', 'release-gate', '--target', target], { env })
        expect(code).toBe(0)
        expect(stderr).toBe('')
        expect(stdout).toMatch(/^ +free +pro\b/m)
        expect(stdout).toMatch(/^burst +\d+ +\d+/m)
        expect(stdout).toMatch(/^time: \d/m)
        expect(stdout).not.toContain(secret)
      },
    )
    expect(connections).toBe(0)
  })

  it('is an upper bound: the run sends no more than its plan said', async ({ expect }) => {
    await whileServingHere(['--time-scale', '100', '--key', `free=${secret}`], async (target) => {
      const flags = ['conformance', '--target', target, '--time-scale', '100']
      const given = { env: { QUOTASPEC_KEY_FREE: secret } }
      const planned = await quotaspecInTurn(['plan', ...flags], given)
      const inAll = /^total(.*)$/m.exec(planned.stdout)?.[1].trim().split(/\s+/).map(Number) ?? []
      const most = inAll.reduce((sum, each) => sum + each, 0)
      const { stdout } = await quotaspecInTurn(['run', ...flags, '--out', freshFolder()], given)
      const [, spent, told] = /requests +([\d,]+) of a budget of ([\d,]+)/.exec(stdout) ?? []
      const number = (text: string) => Number(text.replaceAll(',', ''))
      expect(number(told)).toBe(most)
      expect(number(spent)).toBeGreaterThan(100)
      expect(number(spent)).toBeLessThanOrEqual(most)
    })
  })

  it('says what the most is made of, to the last request', async ({ expect }) => {
    const { stdout } = await quotaspecInTurn(['plan', 'release-gate', '--target', 'http://127.0.0.1:1/v1'], { env })
    const number = (text: string) => Number(text.replaceAll(',', ''))
    const inAll = /^total(.*)$/m.exec(stdout)?.[1].trim().split(/\s+/).map(Number) ?? []
    const [, own = '', most = ''] =
      /^requests: usually at most ([\d,]+), .*; ([\d,]+) in the worst case/m.exec(stdout) ?? []
    const parts = [...stdout.matchAll(/^ {2}([\d,]+) (to repeat probes|to retry|to put pets back)/gm)]
    expect(parts.map(([, , why]) => why)).toEqual(['to repeat probes', 'to retry', 'to put pets back'])
    const sum = (numbers: readonly number[]) => numbers.reduce((left, each) => left + each, 0)
    const rowOf = (name: string) => number(new RegExp(`^${name} +([\\d,]+)$`, 'm').exec(stdout)?.[1] ?? '')
    expect(number(most)).toBe(sum(inAll))
    expect(parts.slice(1).map(([, requests]) => number(requests))).toEqual([
      rowOf('retries after a stray refusal'),
      rowOf('pets put back on another key'),
    ])
    expect(number(own) + sum(parts.map(([, requests]) => number(requests)))).toBe(number(most))
    expect(stdout).toMatch(/The real number is usually lower/)
  })

  it('says what becomes of the load, with leave and without', async ({ expect }) => {
    const elsewhere = 'https://staging.example/v1'
    const here = 'http://127.0.0.1:1/v1'
    const flags = [[elsewhere], [elsewhere, '--allow-load'], [elsewhere, '--without-load'], [here]]
    const lines = [...flags, [elsewhere, '--only', 'SCHEMA-1']].map((each) => ({
      args: ['plan', 'release-gate', '--target', ...each],
      env,
    }))
    const planned = (await quotaspecEach(lines)).map(({ stdout }) => stdout)
    const [without, allowed, left, loopback, noLoad] = planned
    expect(without).toMatch(/^[\d,]+ of these are load, which need --allow-load for staging\.example: without it/m)
    expect(without).toMatch(
      /^--allow-load permits it; --without-load sends only the other [\d,]+, and the run exits with 2$/m,
    )
    expect(allowed).toContain('--allow-load permits it on staging.example')
    expect(left).toContain('--without-load: no load is sent')
    expect(loopback).toMatch(/^time: \d/m)
    expect(loopback).not.toContain('--allow-load')
    expect(noLoad).toMatch(/^time: \d/m)
    expect(noLoad).not.toContain('of these are load')
  })

  it('says whose day is too short for all of it', async ({ expect }) => {
    const { stdout } = await quotaspecInTurn(['plan', 'quota-benchmark', '--target', 'http://127.0.0.1:1/v1'], { env })
    expect(stdout).toMatch(
      /^free allows 1,000 requests a day, and the run may send [\d,]+: whether .*recovery and overload are played depends on what is left by then$/m,
    )
    expect(stdout).not.toMatch(/^pro allows [\d,]+ requests a day/m)
  })

  it('is kept where a day is too short: the profile is left out, and the report says what it would have taken', async ({
    expect,
  }) => {
    const out = mkdtempSync(join(tmpdir(), 'quotaspec-short-day-'))
    const given = ['--time-scale', '100', '--key', `enterprise=${secret}`, '--quota', 'enterprise=minute:10,day:12']
    await whileServingHere(given, async (target) => {
      const only = ['--only', 'throttle.compliant-not-banned']
      await quotaspecInTurn(['run', 'quota-benchmark', '--target', target, '--out', out, ...only, ...given])
    })
    const { notes } = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'))
    rmSync(out, { recursive: true })
    expect(notes.map(({ text }: { text: string }) => text)).toContain(
      'enterprise: compliant-clients was left out: it needs at least 18 requests, and 3 of the 12 requests of its day are left',
    )
  })
})
