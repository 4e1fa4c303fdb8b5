const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1)
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]
}

/**
 * The known word closest to a misspelt one; undefined if none is near. A word that starts with it and a colon counts: a
 * contract check ends with the quota that it judges, as in `quota.spellings:minute`.
 */
export const nearest = (word: string, known: readonly string[]): string | undefined => {
  const whole = known.find((each) => word !== '' && each.startsWith(`${word}:`))
  if (whole !== undefined) return whole
  const [first] = known.map((each) => ({ each, edits: distance(word, each) })).sort((a, b) => a.edits - b.edits)
  return first && first.edits <= Math.max(2, word.length / 3) ? first.each : undefined
}

/** "did you mean …" if a known word is near, else the list of them. */
export const suggestion = (word: string, known: readonly string[]): string => {
  if (known.length === 0) return 'none is known here'
  const meant = nearest(word, known)
  return meant === undefined ? `known are ${known.join(', ')}` : `did you mean ${meant}?`
}

const units = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
] as const

/** A duration as a contract file writes it, in its largest whole unit: `90s`, `1m`, `1h`. */
export const spanText = (ms: number): string => {
  for (const [unit, letter] of units) if (ms % unit === 0) return `${ms / unit}${letter}`
  return `${Math.round(ms / 1000)}s`
}

/** More hours than this are shown in days, and more days than that without hours. */
const mostHours = 96
const mostDays = 60
const longestYears = 1_000

/** Hours in days: `5 days 4 h`, `365 days`; not counted beyond a thousand years. */
const formatDays = (hours: number): string => {
  const days = mostDays * 24 < hours ? Math.round(hours / 24) : Math.floor(hours / 24)
  if (!(days < longestYears * 365)) return `more than ${longestYears.toLocaleString('en-US')} years`
  const left = days > mostDays ? 0 : hours % 24
  return `${days.toLocaleString('en-US')} days${left > 0 ? ` ${left} h` : ''}`
}

/** A duration for people: `850 ms`, `4.0 s`, `2 min 5 s`, `3 h 20 min`, `5 days 4 h`. */
export const formatDuration = (ms: number): string => {
  if (Math.round(ms) < 1000) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600)
    return seconds % 60 === 0 ? `${seconds / 60} min` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  const minutes = Math.round(seconds / 60)
  if (minutes > mostHours * 60) return formatDays(Math.round(minutes / 60))
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** If rounding to a tenth of a second is off by more than this, hundredths are shown. */
const tellingMs = 5

/** The same with hundredths of a second if they matter: `5.97 s` next to `6.0 s`. */
export const formatClosely = (ms: number): string => {
  const isRounded = Math.abs(ms - 100 * Math.round(ms / 100)) > tellingMs
  return isRounded && ms >= 1000 && ms < 60_000 ? `${(ms / 1000).toFixed(2)} s` : formatDuration(ms)
}

/** The same in whole seconds, rounded up, for upper bounds: `9 s`, `2 min 5 s`. */
export const formatWholeSeconds = (ms: number): string => {
  const seconds = Math.ceil(ms / 1000)
  return seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1000)
}

/** How many entries of a list are shown; the rest adds nothing new. */
const told = 6

/** The first six of a list, and the total if there are more: `1 s, 2 s, … (9 in all)`. */
export const firstFew = (words: readonly string[]): string =>
  words.length <= told ? words.join(', ') : `${words.slice(0, told).join(', ')}, … (${words.length} in all)`

/** `a, b and c`, or with `or`; `none` for an empty list. */
export const listInWords = (items: readonly string[], joint: 'and' | 'or' = 'and'): string =>
  items.length < 2 ? (items[0] ?? 'none') : `${items.slice(0, -1).join(', ')} ${joint} ${items[items.length - 1]}`

/** At most so many of the words, and how many more there are: `a`, `b`, `3 more`. */
export const fewOf = (words: readonly string[], most: number): string[] =>
  words.length <= most ? [...words] : [...words.slice(0, most), `${count(words.length - most)} more`]

/** A word for a shell: quoted if it may have a special meaning. */
export const shellWord = (word: string): string =>
  /^[\w./:@=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

/** A text as a regular expression that matches it literally. */
export const asPattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** A count for people: `12,345`. */
export const count = (value: number): string => value.toLocaleString('en-US')

/** Text for a Markdown table cell: escapes bars, which would end the cell. */
export const tableCell = (text: string): string => text.replaceAll('|', '\\|')

/** A count with its noun: `1 clause`, `3 clauses`. */
export const counted = (value: number, noun: string): string => `${count(value)} ${noun}${value === 1 ? '' : 's'}`

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The texts that are present: `present(count > 0 && 'some')`. */
export const present = (...texts: readonly (string | false | null | undefined)[]): string[] =>
  texts.filter((each) => typeof each === 'string')
