import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { untilPlayed } from '../cli/built-program.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const app = fileURLToPath(new URL('gated-app', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'quotaspec-packed-'))

interface Ended {
  readonly code: number
  readonly output: string
}

/** Runs a program in the folder of the project. */
const inProject = (command: string, args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const options = { cwd: folder, env: { PATH: process.env.PATH, NO_COLOR: '1' }, maxBuffer: 2 ** 24 }
    execFile(command, args, options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? -1) : 0, output: stdout + stderr })
    })
  })

const installed = (path: string): string => join(folder, 'node_modules', path)

/** Puts the package into the project as it is published, and what else there is to install beside it. */
const install = async (): Promise<void> => {
  const packed = await inProject('npm', ['pack', root, '--silent', '--ignore-scripts', '--pack-destination', folder])
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))
  if (tarball === undefined) throw new Error(packed.output)
  await inProject('tar', ['xzf', tarball])
  mkdirSync(installed(''))
  for (const name of readdirSync(join(root, 'node_modules')).filter((each) => each !== 'quotaspec'))
    symlinkSync(join(root, 'node_modules', name), installed(name))
  renameSync(join(folder, 'package'), installed('quotaspec'))
}

const compilerOptions = { strict: true, noEmit: true, target: 'es2023', types: ['node'], skipLibCheck: false }

beforeAll(async () => {
  await install()
  cpSync(app, folder, { recursive: true })
  const gate = readFileSync(join(folder, 'gate.ts'), 'utf8')
  renameSync(join(folder, 'gate.ts'), join(folder, 'gate.test.ts'))
  writeFileSync(join(folder, 'wrong.test.ts'), gate.replace('{ app }', '{ oneTooMany as app }'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'gated-app', private: true, type: 'module' }))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.concurrent('the package, installed from its tarball into a project of its own', () => {
  it.each([
    ['nodenext', { module: 'nodenext' }],
    ['bundler', { module: 'esnext', moduleResolution: 'bundler' }],
  ])('has the types that a program needs, under %s, with every declaration looked at', async (name, options) => {
    const file = `tsconfig.${name}.json`
    const config = { compilerOptions: { ...compilerOptions, ...options }, include: ['*.ts'] }
    writeFileSync(join(folder, file), JSON.stringify(config))
    expect(await inProject(join(root, 'node_modules/.bin/tsc'), ['-p', file, '--singleThreaded'])).toEqual({
      code: 0,
      output: '',
    })
  })

  it('gates an Express app that keeps its quota, and one that admits one too many, in the words of the report', async () => {
    const gate = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder]
    const { code, output } = await untilPlayed(
      () => inProject(process.execPath, gate),
      (ended) => ended.output.includes('? INCONCLUSIVE'),
      (ended) => /\? INCONCLUSIVE.*/.exec(ended.output)?.[0] ?? '',
    )
    expect(output).toContain('1 failed | 1 passed')
    expect(output).toContain('FAIL  wrong.test.ts')
    expect(output).toContain('Error: ✗ FAIL  Free admits one request too many in 5.0 s (QUOTA-1).')
    expect(output).toContain('looks like a limit')
    expect(code).toBe(1)
  })
})
