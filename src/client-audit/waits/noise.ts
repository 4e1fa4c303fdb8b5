import type { Beat } from '../../evidence/arrivals.js'

/** What the machine does to a client's times, as the control shows it. Late only: nothing comes too early by it. */
export interface Noise {
  /** The most that the control was late around a span of time. */
  mostMs(from: number, to: number): number
  /** What nine of ten beats were not later than, in a span of time. */
  usualMs(from: number, to: number): number
}

/** The control beats a few times a second; what is this near shares its fate. */
const nearMs = 500

/** Reads the control's beats. Without any, nothing is known to have been late. */
export const noiseOf = (beats: readonly Beat[]): Noise => {
  const around = (from: number, to: number) =>
    beats.filter(({ at, lateMs }) => at >= from - nearMs && at - lateMs <= to + nearMs).map(({ lateMs }) => lateMs)
  return {
    mostMs: (from, to) => Math.max(0, ...around(from, to)),
    usualMs: (from, to) => {
      const late = around(from, to).sort((a, b) => a - b)
      return late[Math.floor(late.length * 0.9)] ?? late[late.length - 1] ?? 0
    },
  }
}
