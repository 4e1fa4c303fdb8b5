import { readFileSync } from 'node:fs'
import { packageFile } from '../../kit/package-file.js'

/** A style or a script that stands in a page. Its line ends become those that a page's parser hands on, since the policy hashes that text. */
const textOf = (...path: readonly string[]): string =>
  readFileSync(packageFile('src', ...path), 'utf8').replaceAll('\r\n', '\n')

/** A style of the pages, by the path of its file below `src`. */
export const styleFile = textOf

/** A script of the pages, by the path of its file below `src`, in a scope of its own. */
export const scriptFile = (...path: readonly string[]): string => `(() => {\n'use strict'\n${textOf(...path)}})()`

/** The style that all pages share: light and dark, 360 to 1,920 pixels, print. */
export const pageStyle: string = styleFile('report/html/page.css')
