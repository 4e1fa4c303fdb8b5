import { expect, it } from 'vitest'
import { renderClientAnnotations } from './client-formats.js'
import {
  goodClient,
  hammeringClient,
  hostileClient,
  onceClient,
  unjitteredClient,
} from './testing/sample-client-reports.js'

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '')

it('a clause that fails the audit is an error, one that only costs the grade a warning', () => {
  const [first] = lines(renderClientAnnotations(hammeringClient))
  expect(first).toMatch(/^::error title=CLIENT-1 .*::it came /)
  expect(lines(renderClientAnnotations(unjitteredClient))).toEqual([
    expect.stringMatching(/^::warning title=CLIENT-3 .*::its own waits have no jitter/),
  ])
  const strict = { ...unjitteredClient, run: { ...unjitteredClient.run, strict: true } }
  expect(renderClientAnnotations(strict)).toMatch(/^::error title=CLIENT-3 /)
})

it('where all is well there is none', () => {
  expect(renderClientAnnotations(goodClient)).toBe('')
})

it('where no clause says why, the headline does', () => {
  const asked = { ...goodClient, outcome: 'fail' as const, headline: 'Asked for at least A. Grade B: who knows' }
  expect(renderClientAnnotations(asked)).toBe(
    '::error title=quotaspec client::Asked for at least A. Grade B: who knows\n',
  )
  expect(renderClientAnnotations(onceClient)).toMatch(/^::error title=quotaspec client::No grade: it never tries again/)
})

it('a client gives no command and ends no line', () => {
  for (const line of lines(renderClientAnnotations(hostileClient)))
    expect(line).toMatch(/^::(error|warning) title=[^:,]*::/)
})
