import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** A published file. Its line ends become those that a page's parser hands on, since the policy hashes that text. */
const published = (path: string): string => readFileSync(path, 'utf8').replaceAll('\r\n', '\n')

/** uPlot's own script (it defines `uPlot`) and its style; read once. */
export const uplotScript: string = published(require.resolve('uplot/dist/uPlot.iife.min.js'))
export const uplotStyle: string = published(require.resolve('uplot/dist/uPlot.min.css'))
