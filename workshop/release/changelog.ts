const unreleased = /^## (?:\d+\.\d+\.\d+\S*, )?unreleased$/im

const headingOf = (version: string): string => `## ${version},`

/** The text of a version's section, without its heading; undefined where the changelog has no such section. */
export const sectionOf = (changelog: string, version: string): string | undefined => {
  const lines = changelog.split('\n')
  const start = lines.findIndex((line) => line.startsWith(headingOf(version)))
  if (start === -1) return undefined
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith('## '))
  const end = length === -1 ? lines.length : start + 1 + length
  return lines
    .slice(start + 1, end)
    .join('\n')
    .trim()
}

/**
 * Turns a changelog's unreleased section into that of a version, released on a day (`2026-11-22`). Throws if there is no
 * such section, if it is empty, or if the version already has one.
 */
export const releasedChangelog = (changelog: string, version: string, day: string): string => {
  const heading = unreleased.exec(changelog)?.[0]
  if (heading === undefined)
    throw new Error('CHANGELOG.md has no section "## Unreleased": write what changes under that heading, at the top')
  const written = changelog.replace(heading, `${headingOf(version)} ${day}`)
  if (written.split('\n').filter((line) => line.startsWith(headingOf(version))).length > 1)
    throw new Error(`CHANGELOG.md has a section of ${version} already: choose a later version`)
  if (!sectionOf(written, version)) throw new Error(`nothing stands under "${heading}" in CHANGELOG.md`)
  return written
}
