import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { everyReport, reportNames } from '../../testing/every-report.js'
import { renderBadge } from './render-badge.js'

const missing = spawnSync('xmllint', ['--version']).error !== undefined
// On CI a missing tool is a failure, never a skip that reads green.
const skipped = missing && !process.env.CI
if (skipped) console.warn('\n!!! NOT TESTED: the badge as XML. There is no xmllint (libxml2-utils).\n')

/** What libxml2 finds at a path of the document; its complaint where it is no XML. */
const found = (xml: string, path: string): string => {
  const { stdout, stderr } = spawnSync('xmllint', ['--nonet', '--xpath', path, '-'], { input: xml, encoding: 'utf8' })
  return stderr === '' ? stdout.trim() : stderr
}

const root = "/*[local-name()='svg' and namespace-uri()='http://www.w3.org/2000/svg']"

describe.skipIf(skipped)('the badge, read by libxml2', () => {
  it.each(reportNames)(
    'of a %s run is an image of SVG with a title and two words, and nothing else to load',
    (name) => {
      const svg = renderBadge(everyReport[name])
      expect(found(svg, `string(${root}/@role)`)).toBe('img')
      expect(found(svg, `count(${root}/*[1][local-name()='title'])`)).toBe('1')
      expect(found(svg, "count(//*[local-name()='text'])")).toBe('2')
      expect(
        found(svg, "count(//*[local-name()='script' or local-name()='image' or local-name()='foreignObject'])"),
      ).toBe('0')
      expect(found(svg, "count(//@*[contains(name(), 'href') or starts-with(name(), 'on')])")).toBe('0')
    },
  )

  it.each([
    ['passing', 'kept', 'quotas kept: 2 of 2 proven by release-gate, 2026-11-21'],
    ['failing', 'broken', 'quotas broken: 1 of 2 proven by release-gate, 2026-11-21'],
    ['inconclusive', 'unproven', 'quotas unproven: 0 of 2 proven by release-gate, 2026-11-21'],
    ['contract', 'broken', 'quotas broken: 1 of 2 proven by quota-benchmark, 2026-11-21'],
  ] as const)('of a %s run shows "%s", and its title says when and by what', (name, word, title) => {
    const svg = renderBadge(everyReport[name])
    expect(found(svg, `string(${root}/*[local-name()='title'])`)).toBe(title)
    expect(found(svg, "string(//*[local-name()='text'][1])")).toBe('quotas')
    expect(found(svg, "string(//*[local-name()='text'][2])")).toBe(word)
  })

  it('would be found out where it is no XML', () => {
    expect(found(renderBadge(everyReport.failing).replace('</title>', ''), 'string(/)')).toContain('error')
  })
})
