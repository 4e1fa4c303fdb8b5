/** Characters that are invisible, break a line, move a cursor or reverse text: controls, bidirectional marks, surrogates, … */
const unseen =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is for
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff]|[\u17b4\u17b5]|[\u180b-\u180d\u180f]|[\ufe00-\ufe0f]|[\u{e0000}-\u{e0fff}]|\p{Surrogate}/gu

const picture = (found: string): string => {
  const code = found.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  if (code === 0x7f) return '\u2421'
  return `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`
}

/** The text on one line, with everything visible that a reader could not see, or that would act on a terminal. */
export const visible = (text: string): string => text.replace(unseen, picture)

/** The same, but keeps line feeds and tabs: for a body shown over several lines. CR LF counts as one. */
const visibleLines = (text: string): string =>
  text.replace(/\r\n/g, '\n').replace(unseen, (found) => (found === '\n' || found === '\t' ? found : picture(found)))

/** A notice about omitted text takes space itself: fewer characters than this are shown instead of counted. */
const leastLeftOut = 80

/** About `most` characters (without splitting code points), and how many were left out; everything if that is only a few. */
export const clip = (text: string, most: number): string => {
  if (text.length < most + leastLeftOut) return text
  const high = text.charCodeAt(most - 1)
  const kept = text.slice(0, high >= 0xd800 && high <= 0xdbff ? most - 1 : most)
  return `${kept}… (${(text.length - kept.length).toLocaleString('en-US')} more characters)`
}

const markup: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeMarkup = (text: string): string => text.replace(/[&<>"']/g, (found) => markup[found] ?? found)

/** Text for an element or a quoted attribute of HTML or XML 1.0, on one line. */
export const markupText = (text: string): string => escapeMarkup(visible(text))

/** The same, but keeps line feeds and tabs. */
export const markupLines = (text: string): string => escapeMarkup(visibleLines(text))

/** Text as a Markdown code span, whatever backticks it contains; also for tables. */
export const markdownCode = (text: string): string => {
  const line = visible(text).replace(/\|/g, '\u2502')
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return `${fence}${pad}${line}${pad}${fence}`
}
