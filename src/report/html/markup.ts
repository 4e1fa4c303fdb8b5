import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { packageFile } from '../../kit/package-file.js'
import { count } from '../../kit/words.js'
import type { Verdict } from '../../verdict/verdict.js'
import { markupLines, markupText } from '../escape.js'
import type { Report } from '../model.js'

/** Safe markup: only {@link html} makes it, so that no text of a target ever becomes markup. */
export class Html {
  constructor(readonly markup: string) {}
}

type Child = Html | string | number | null | false | readonly Child[]

const markupOf = (child: Child): string => {
  if (child === null || child === false) return ''
  if (child instanceof Html) return child.markup
  if (typeof child === 'string') return markupText(child)
  if (typeof child === 'number') return String(child)
  return child.map(markupOf).join('')
}

/** Markup from a template. Each value is escaped as text unless it is markup already; attributes are quoted. */
export const html = (parts: TemplateStringsArray, ...children: readonly Child[]): Html =>
  new Html(parts.map((part, at) => part + (at < children.length ? markupOf(children[at] ?? null) : '')).join(''))

/** Text that keeps line feeds and tabs: for a `pre`. */
export const lines = (text: string): Html => new Html(markupLines(text))

/** The URL fragment of a thing: clause ids stay readable, every other special character is encoded. */
export const anchor = (kind: 'check' | 'exchange' | 'plan' | 'chart' | 'clause', id: string): string => {
  const safe = id.replace(/[^A-Za-z0-9._-]/g, (found) => `_${(found.codePointAt(0) ?? 0).toString(16)}`)
  return kind === 'clause' ? safe : `${kind}-${safe}`
}

/** Each mark's word: a verdict, or a failure that only warns or is waived. The shape says the same, so colour is not needed. */
export const markWords = {
  pass: 'Passed',
  fail: 'Failed',
  inconclusive: 'Inconclusive',
  observed: 'Observed',
  'not-tested': 'Not tested',
  warning: 'Warning',
  waived: 'Waived',
} as const satisfies Readonly<Record<Verdict | 'warning' | 'waived', string>>

export type Mark = keyof typeof markWords

/** A mark as shape and word; the shape alone if its word is next to it. */
export const badge = (mark: Mark, isAlone = false): Html =>
  html`<span class="badge ${mark}"><svg class="icon" aria-hidden="true" viewBox="0 0 16 16"><use href="#icon-${mark}"/></svg>${!isAlone && markWords[mark]}</span>`

export const outcomeWords = { pass: 'Pass', fail: 'Fail', inconclusive: 'Inconclusive' } as const

export const outcomeMark = (outcome: Report['outcome']): Html =>
  html`<svg class="outcome-mark" aria-hidden="true" viewBox="0 0 16 16"><use href="#icon-${outcome}"/></svg>`

const iconShapes = html`<svg class="shapes" aria-hidden="true"><defs>
<symbol id="icon-pass" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7.5" fill="currentColor"/><path class="cut" d="M4.6 8.3l2.4 2.4 4.5-5"/></symbol>
<symbol id="icon-fail" viewBox="0 0 16 16"><path d="M5 .5h6L15.5 5v6L11 15.5H5L.5 11V5z" fill="currentColor"/><path class="cut" d="M5.2 5.2l5.6 5.6m0-5.6l-5.6 5.6"/></symbol>
<symbol id="icon-inconclusive" viewBox="0 0 16 16"><rect x=".7" y=".7" width="14.6" height="14.6" rx="2.6" fill="currentColor"/><path class="cut" d="M5.4 6.1a2.6 2.6 0 1 1 3.9 2.3C8.4 8.9 8 9.3 8 10.2"/><circle class="cut-dot" cx="8" cy="12.7" r="1.1"/></symbol>
<symbol id="icon-observed" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6.7" fill="none" stroke="currentColor" stroke-width="1.6"/><circle cx="8" cy="4.8" r="1" fill="currentColor"/><path d="M8 7.2v4.2" stroke="currentColor" stroke-width="1.7" stroke-linecap="round"/></symbol>
<symbol id="icon-not-tested" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6.7" fill="none" stroke="currentColor" stroke-width="1.6" stroke-dasharray="2.6 1.6"/><path d="M5 8h6" stroke="currentColor" stroke-width="1.7" stroke-linecap="round"/></symbol>
<symbol id="icon-waived" viewBox="0 0 16 16"><rect x="1.2" y="1.2" width="13.6" height="13.6" rx="3" fill="none" stroke="currentColor" stroke-width="1.6"/><path d="M6.2 4.8v6.4m3.6-6.4v6.4" stroke="currentColor" stroke-width="1.7" stroke-linecap="round"/></symbol>
<symbol id="icon-warning" viewBox="0 0 16 16"><path d="M8 .8l7.6 13.9H.4z" fill="currentColor" stroke="currentColor" stroke-linejoin="round"/><path class="cut" d="M8 5.8v4.2"/><circle class="cut-dot" cx="8" cy="12.4" r=".9"/></symbol>
</defs></svg>`

/** A word up to this length fits on a line of the narrowest page. */
const longestWhole = 30

/** A command whose short words, above all flags, are not wrapped: `--quota` never becomes `--` and `quota`. */
const wholeWords = (command: string): Html =>
  html`${command.split(/(\s+)/).map((word) => (word.includes('-') && word.length <= longestWhole ? html`<span class="id">${word}</span>` : word))}`

/** A command, wrapped only by the page, with a button that copies it; the button shows only if scripts run. */
export const commandBox = (command: string, what: string): Html =>
  html`<div class="command"><pre tabindex="0" role="group" aria-label="${what}"><code>${wholeWords(command)}</code></pre><button type="button" class="copy needs-script" hidden aria-label="Copy: ${what}">Copy</button></div>`

/** A table that scrolls sideways, also by keyboard, if the page is too narrow for it. */
export const scrollingTable = (caption: string, table: Html): Html =>
  html`<div class="scroll" role="group" aria-label="${caption}" tabindex="0">${table}</div>`

/** The head of a table, whose columns from `numbersFrom` on hold numbers, all but the last `textsAtEnd`. */
export const tableHead = (names: readonly string[], numbersFrom = names.length, textsAtEnd = 0): Html =>
  html`<thead><tr>${names.map((name, at) => html`<th scope="col"${at >= numbersFrom && at < names.length - textsAtEnd && html` class="number"`}>${name}</th>`)}</tr></thead>`

/** A row's number cells: rounded to a tenth, a dash for none. */
export const numberCells = (values: readonly (string | number | null | undefined)[]): Html =>
  html`${values.map((value) => html`<td class="number">${typeof value === 'number' ? count(Math.round(value * 10) / 10) : (value ?? '–')}</td>`)}`

/** A text that keeps clause ids, dates and flags on one line. */
export const unbrokenIds = (text: string): Html =>
  html`${text.split(/(\b[A-Z]{3,8}-\d{1,2}\b|\b\d{4}-\d\d-\d\d\b|--[a-z]+(?:-[a-z]+)*)/).map((part, at) => (at % 2 === 1 ? html`<span class="id">${part}</span>` : part))}`

export const fact = (label: string, value: string): Html => html`<div><dt>${label}</dt><dd>${value}</dd></div>`

export const section = (id: string, title: string, content: Html): Html =>
  html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>${content}</section>`

/** A drawing's figures as a table, for those who prefer it; `shown` says how many there are. */
export const tableBehind = (what: 'chart' | 'figure', shown: string | false, caption: string, table: Html): Html =>
  html`<details class="behind"><summary>Table behind this ${what}${shown && ` (${shown})`}</summary>${scrollingTable(caption, table)}</details>`

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The parts of a page; `skip` is the link past its navigation, and `footer` its last line. */
interface PageParts {
  readonly title: string
  /** In addition to the style that all pages share. */
  readonly style?: string
  readonly script?: string
  readonly connects?: boolean
  readonly skip?: string
  readonly navigation?: Html
  readonly main: Html
  readonly footer: string
}

/** A page that loads and submits nothing, and runs only its own script; it connects only if `connects` is set. */
export const standalonePage = (page: PageParts): string => {
  const { title, script, connects, skip, navigation, main, footer } = page
  const style = `${sharedStyle}${page.style ?? ''}`
  const scripts = script === undefined ? '' : `script-src ${hash(script)}; `
  const connections = connects ? "connect-src 'self'; " : ''
  const policy = `default-src 'none'; style-src ${hash(style)}; ${scripts}${connections}base-uri 'none'; form-action 'none'`
  return html`<!doctype html>
<html lang="en" id="top">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
${skip !== undefined && html`<a class="skip" href="#main">${skip}</a>\n`}${iconShapes}
${navigation !== undefined && html`${navigation}\n`}<main id="main" tabindex="-1">
${main}
</main>
<footer><p>${footer}</p></footer>
${script !== undefined && new Html(`<script>${script}</script>\n`)}</body>
</html>
`.markup
}

/** The last line of a self-contained page. */
export const writtenBy = (version: string): string =>
  `Written by quotaspec ${version}. This page loads nothing and sends nothing.`

/** An inline style or script. Line ends become those that a parser produces, since the policy hashes that text. */
export const styleFile = (...path: readonly string[]): string =>
  readFileSync(packageFile('src', ...path), 'utf8').replaceAll('\r\n', '\n')

/** A script of the pages, by the path of its file below `src`, in a scope of its own. */
export const scriptFile = (...path: readonly string[]): string => `(() => {\n'use strict'\n${styleFile(...path)}})()`

/** The style that all pages share: light and dark, 360 to 1,920 pixels, print. */
const sharedStyle = styleFile('report/html/page.css')
const stillStyle = styleFile('report/html/still-page.css')

/** A self-contained page in the report's style without any script. */
export const stillPage = (title: string, version: string, main: Html): string =>
  standalonePage({ title, style: stillStyle, main, footer: writtenBy(version) })
