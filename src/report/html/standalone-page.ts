import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { packageFile } from '../../kit/package-file.js'
import { Html, html, iconShapes } from './markup.js'

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** What a page that stands alone is made of. */
interface PageParts {
  readonly title: string
  readonly style: string
  /** The one script of the page; without it none runs at all. */
  readonly script?: string
  /** Whether that script may ask the server that the page came from. */
  readonly connects?: boolean
  readonly body: Html
}

/** A page that nothing may load, submit or run in, save the style and the script that stand in the page itself, nor connect, unless it says so. */
export const standalonePage = ({ title, style, script, connects = false, body }: PageParts): string => {
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
${body}
${script !== undefined && new Html(`<script>${script}</script>\n`)}</body>
</html>
`.markup
}

/** The last line of every page. */
export const pageFooter = (version: string): Html =>
  html`<footer><p>Written by quotaspec ${version}. This page loads nothing and sends nothing.</p></footer>`

/** A style or a script that stands in a page. Its line ends become those that a page's parser hands on, since the policy hashes that text. */
const textOf = (...path: readonly string[]): string =>
  readFileSync(packageFile('src', ...path), 'utf8').replaceAll('\r\n', '\n')

/** A style of the pages, by the path of its file below `src`. */
export const styleFile = textOf

/** A script of the pages, by the path of its file below `src`, in a scope of its own. */
export const scriptFile = (...path: readonly string[]): string => `(() => {\n'use strict'\n${textOf(...path)}})()`

/** The style that all pages share: light and dark, 360 to 1,920 pixels, print. */
export const pageStyle: string = styleFile('report/html/page.css')

const style = `${pageStyle}${styleFile('report/html/still-page.css')}`

/** A page in the report's style that stands alone and has no script at all. */
export const stillPage = (title: string, version: string, content: Html): string =>
  standalonePage({
    title,
    style,
    body: html`${iconShapes}
<main id="main" tabindex="-1">
${content}
</main>
${pageFooter(version)}`,
  })
