import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { UsageError } from '../../kit/usage-error.js'
import { loadConfig } from '../../run/options/config-file.js'
import { initFiles, refuseWritten, writeInitFiles } from '../commands/init.js'
import type { CiSystem } from '../flags/contracts.js'

const root = mkdtempSync(join(tmpdir(), 'quotaspec-init-files-'))
afterAll(() => rmSync(root, { recursive: true }))
const folder = () => mkdtempSync(join(root, 'folder-'))

const facts = (ci: CiSystem, more: { target?: string; variables?: readonly string[] } = {}) => ({
  target: 'https://staging.acme.example',
  contract: 'quotaspec: 1\n',
  variables: ['ACME_KEY'],
  ci,
  ...more,
})
const fileOf = (path: string, ...args: Parameters<typeof facts>) => initFiles(facts(...args)).get(path) ?? ''

const workflow = '.github/workflows/quotaspec.yml'
const gitlab = 'quotaspec/gitlab-ci.yml'

describe('the files of init', () => {
  it.each<[string, CiSystem]>([
    [workflow, 'github'],
    [gitlab, 'gitlab'],
    ['quotaspec/release-gate.yaml', 'none'],
  ])('have %s as it was agreed', async (path, ci) => {
    await expect(fileOf(path, ci)).toMatchFileSnapshot(`testing/golden/${path.split('/').at(-1)}`)
  })

  it('gives the action only inputs that it has', () => {
    const { inputs } = parse(readFileSync(new URL('../../../action.yml', import.meta.url), 'utf8'))
    const { jobs } = parse(fileOf(workflow, 'github'))
    const { with: given } = jobs['quota-gate'].steps[1]
    expect(Object.keys(given).filter((name) => !(name in inputs))).toEqual([])
    expect(given).toMatchObject({ target: 'https://staging.acme.example', contract: 'quotaspec/contract.yaml' })
  })

  it('gives the gate only variables that it reads', () => {
    const gate = readFileSync(new URL('../../../ci/gate', import.meta.url), 'utf8')
    const { QUOTASPEC_REPOSITORY: repository, ...read } = parse(fileOf(gitlab, 'gitlab')).quotaspec.variables
    expect(Object.keys(read).filter((name) => !gate.includes(`\${${name}:-`))).toEqual([])
    expect(repository).toMatch(/\.git$/)
  })

  it.each<CiSystem>(['github', 'gitlab'])('lets load go to a machine that is not the runner, and says so: %s', (ci) => {
    const path = ci === 'github' ? workflow : gitlab
    expect(fileOf(path, ci)).toMatch(/allow.load: 'true'/i)
    expect(fileOf(path, ci, { target: 'http://127.0.0.1:8080' })).not.toMatch(/allow.load/i)
  })

  it('names no secret where there is none', () => {
    expect(fileOf(workflow, 'github', { variables: [] })).not.toContain('secrets.')
    expect(fileOf(gitlab, 'gitlab', { variables: [] })).not.toContain('undefined')
  })

  it('names a secret as GitHub lets it be named', () => {
    expect(fileOf(workflow, 'github', { variables: ['GITHUB_KEY', 'B'] })).toMatch(
      / GITHUB_KEY: \$\{\{ secrets\.GH_KEY \}\}\n {6}B: /,
    )
  })
})

describe('writing them', () => {
  it('is refused over a file that is there, and not with force', () => {
    const into = folder()
    const { written } = writeInitFiles(into, facts('github'), false)
    expect(written).toHaveLength(4)
    expect(() => refuseWritten(into, 'none', false)).toThrow(UsageError)
    expect(() => refuseWritten(into, 'none', false)).toThrow(/contract\.yaml, .*release-gate\.yaml: they exist/)
    expect(() => writeInitFiles(into, facts('github'), false)).toThrow(/EEXIST/)
    refuseWritten(into, 'github', true)
    expect(writeInitFiles(into, facts('github'), true).written).toEqual(written.slice(0, 3))
  })

  it('leaves a configuration that is there alone, with force too', () => {
    const into = folder()
    writeFileSync(join(into, 'quotaspec.yaml'), 'scenario: smoke\n')
    expect(writeInitFiles(into, facts('none'), true).written).not.toContain(join(into, 'quotaspec.yaml'))
    expect(readFileSync(join(into, 'quotaspec.yaml'), 'utf8')).toBe('scenario: smoke\n')
  })

  it('gives a configuration by which a run needs no flag, and no leave for load', () => {
    const into = folder()
    writeInitFiles(into, facts('none'), false)
    expect(loadConfig(join(into, 'quotaspec.yaml')).values).toMatchObject({
      target: 'https://staging.acme.example',
      contract: join(into, 'quotaspec/contract.yaml'),
      scenario: join(into, 'quotaspec/release-gate.yaml'),
    })
    expect(loadConfig(join(into, 'quotaspec.yaml')).values.allowLoad).toBeUndefined()
  })

  it('is refused where only the file of the pipeline is there', () => {
    const into = folder()
    mkdirSync(join(into, '.github/workflows'), { recursive: true })
    writeFileSync(join(into, workflow), 'mine')
    refuseWritten(into, 'gitlab', false)
    expect(() => refuseWritten(into, 'github', false)).toThrow(
      /quotaspec\.yml: it exists already; use --force to overwrite/,
    )
  })

  it('includes the part of GitLab where there is no pipeline, and leaves one that is there alone, with force too', () => {
    const fresh = folder()
    expect(writeInitFiles(fresh, facts('gitlab'), false).written).toContain(join(fresh, '.gitlab-ci.yml'))
    expect(parse(readFileSync(join(fresh, '.gitlab-ci.yml'), 'utf8'))).toEqual({ include: [{ local: gitlab }] })
    const used = folder()
    writeFileSync(join(used, '.gitlab-ci.yml'), 'mine')
    const { written, remarks } = writeInitFiles(used, facts('gitlab'), true)
    expect(written).not.toContain(join(used, '.gitlab-ci.yml'))
    expect(remarks.join('\n')).toContain('add this to it: include: [{local: quotaspec/gitlab-ci.yml}]')
    expect(readFileSync(join(used, '.gitlab-ci.yml'), 'utf8')).toBe('mine')
  })
})
