import type { ResetUnit } from '../../../src/contract/api-contract.js'

const wholeSeconds = (ms: number) => Math.ceil(ms / 1000)

/** `6m0s`, `1h0m2.5s`, `0.02s`: hours and minutes only where there are some. */
const durationText = (ms: number): string => {
  const whole = Math.ceil(ms)
  const hours = Math.floor(whole / 3_600_000)
  const minutes = Math.floor(whole / 60_000) % 60
  const seconds = `${(whole % 60_000) / 1000}s`
  if (hours > 0) return `${hours}h${minutes}m${seconds}`
  return minutes > 0 ? `${minutes}m${seconds}` : seconds
}

const writers: Readonly<Record<ResetUnit, (atMs: number, nowMs: number) => string>> = {
  'epoch-s': (atMs) => String(wholeSeconds(atMs)),
  'epoch-ms': (atMs) => String(Math.ceil(atMs)),
  'delta-s': (atMs, nowMs) => String(wholeSeconds(Math.max(0, atMs - nowMs))),
  'delta-ms': (atMs, nowMs) => String(Math.ceil(Math.max(0, atMs - nowMs))),
  duration: (atMs, nowMs) => durationText(Math.max(0, atMs - nowMs)),
  'iso-8601': (atMs) => new Date(Math.ceil(atMs)).toISOString(),
  'http-date': (atMs) => new Date(wholeSeconds(atMs) * 1000).toUTCString(),
}

/** Writes a moment in a unit. What the unit can't say is rounded up, so that no moment is named too early. */
export const momentText = (unit: ResetUnit, atMs: number, nowMs: number): string => writers[unit](atMs, nowMs)
