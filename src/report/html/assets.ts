import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const resolve = createRequire(import.meta.url).resolve

/** A published file of uPlot. Its line ends become those that a page's parser hands on, since the policy hashes that text. */
const published = (file: string): string => readFileSync(resolve(`uplot/dist/${file}`), 'utf8').replaceAll('\r\n', '\n')

/** uPlot's own script (it defines `uPlot`) and its style; read once. */
export const uplotScript: string = published('uPlot.iife.min.js')
export const uplotStyle: string = published('uPlot.min.css')
