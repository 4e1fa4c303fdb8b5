import { markupLines, markupText } from '../../escape.js'

/** Markup that is safe to send: made by {@link html} alone, so that no text of a target ever becomes one. */
export class Html {
  constructor(readonly markup: string) {}
}

export type Child = Html | string | number | null | false | readonly Child[]

const markupOf = (child: Child): string => {
  if (child === null || child === false) return ''
  if (child instanceof Html) return child.markup
  if (typeof child === 'string') return markupText(child)
  if (typeof child === 'number') return String(child)
  return child.map(markupOf).join('')
}

/** Markup from a template. Each value is escaped as text, save what is markup already; attributes stand in quotes. */
export const html = (parts: TemplateStringsArray, ...children: readonly Child[]): Html =>
  new Html(parts.map((part, at) => part + (at < children.length ? markupOf(children[at] ?? null) : '')).join(''))

/** Text whose line feeds and tabs are kept: for a `pre`. */
export const lines = (text: string): Html => new Html(markupLines(text))

/** The fragment that leads to a thing: ids of clauses stay readable, every other character is spelled out. */
export const anchor = (kind: 'check' | 'exchange' | 'plan' | 'chart' | 'clause', id: string): string => {
  const safe = id.replace(/[^A-Za-z0-9._-]/g, (found) => `_${(found.codePointAt(0) ?? 0).toString(16)}`)
  return kind === 'clause' ? safe : `${kind}-${safe}`
}
