import { describe, expect, it } from 'vitest'
import { releasedChangelog, sectionOf } from './changelog.js'

const older = '## 0.1.0, 2026-10-01\n\nThe first version.\n'
const withHeading = (heading: string, text: string) => `# Changes\n\nFor users.\n\n${heading}\n\n${text}\n\n${older}`

describe('the changelog of a release', () => {
  it.each([
    ['a bare heading', '## Unreleased'],
    ['one that names a version', '## 0.2.0, unreleased'],
    ['one that names another version', '## 0.1.1, unreleased'],
  ])('gives %s the version and the day, and leaves the rest', (_, heading) => {
    const text = '- A thing.\n\n### Verdicts\n- RATE-4: $& stays as it is.'
    expect(releasedChangelog(withHeading(heading, text), '0.2.0', '2026-11-22')).toBe(
      withHeading('## 0.2.0, 2026-11-22', text),
    )
  })

  it.each([
    ['without an unreleased section', `# Changes\n\n${older}`, 'no section "## Unreleased"'],
    ['with an empty one', withHeading('## Unreleased', ''), 'nothing stands under "## Unreleased"'],
    ['that has the version already', withHeading('## Unreleased', '- A.').replace('0.1.0', '0.2.0'), 'already'],
  ])('refuses one %s', (_, changelog, said) => {
    expect(() => releasedChangelog(changelog, '0.2.0', '2026-11-22')).toThrow(said)
  })

  it('gives the section of a version up to the next one, headings of its own included', () => {
    const changelog = withHeading('## 0.2.0, 2026-11-22', '- A thing.\n\n### Verdicts\n- RATE-4.')
    expect(sectionOf(changelog, '0.2.0')).toBe('- A thing.\n\n### Verdicts\n- RATE-4.')
    expect(sectionOf(changelog, '0.1.0')).toBe('The first version.')
    expect(sectionOf(changelog, '0.3.0')).toBeUndefined()
  })
})
