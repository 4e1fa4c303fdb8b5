import { describe, expect, it } from 'vitest'
import { readPacked, tarballObjections } from './tarball-contents.js'

const paths = [
  'package.json',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'docs/ci.md',
  'docs/report.png',
  'dist/src/cli/main.js',
  'dist/src/wire/http/retrying.d.ts',
  'dist/src/cli/chunks/LICENCES.txt',
  'dist/src/cli/keystone/trial-worker.js',
  'dist/src/library/reference-server.js',
  'scenarios/release-gate.yaml',
  'src/report/html/page.css',
  'src/report/html/page-script.js',
]
const made = { filename: 'quotaspec-1.0.0.tgz', size: 700_000, unpackedSize: 2_300_000 }
const of = (given: readonly string[]) => ({ ...made, files: given.map((path) => ({ path })) })

describe('the contents of a tarball', () => {
  it('are accepted where all is there and nothing else', () => {
    expect(tarballObjections(of(paths))).toEqual([])
  })

  it.each([
    'dist/src/kit/clock.test.js',
    'dist/src/checks/testing/made-ledger.js',
    'src/cli/main.ts',
    'dist/src/cli/main.js.map',
    'dist/bench/soak.js',
    'dist/workshop/release/main.js',
    'reports/latest/report.json',
    'workshop/docs/write-api.mjs',
    'docs/.vitepress/config.mjs',
    '.env',
  ])('are refused with %s', (path) => {
    expect(tarballObjections(of([...paths, path]))).toEqual([`${path} is for development only`])
  })

  it('are refused where the program is missing', () => {
    expect(tarballObjections(of(paths.filter((path) => !path.endsWith('main.js'))))).toEqual([
      'dist/src/cli/main.js is missing',
    ])
  })

  it('are refused where they grew too large', () => {
    expect(tarballObjections({ ...of(paths), size: 2_500_001 })).toEqual(['size is 2500001 bytes, 2500000 at most'])
  })

  it.each([
    ['a list', [of(paths)]],
    ['a record', { quotaspec: of(paths) }],
  ])('are read from %s', (_, printed) => {
    expect(readPacked(JSON.stringify(printed))).toEqual(of(paths))
  })

  it('are not there where npm packed nothing', () => {
    expect(() => readPacked('[]')).toThrow('no tarball')
  })
})
