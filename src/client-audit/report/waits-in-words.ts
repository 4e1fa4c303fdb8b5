import { formatDuration } from '../../kit/duration.js'
import type { ClientPlayRow } from './model.js'

const mostWaits = 6
const daySeconds = 86_400

const waitsOf = ({ arrivals }: ClientPlayRow): number[] =>
  arrivals.slice(1).map(({ at }, index) => Math.max(0, at - (arrivals[index].answeredAt ?? arrivals[index].at)))

const listed = (waits: readonly number[]): string =>
  `${waits
    .slice(0, mostWaits)
    .map((wait) => formatDuration(wait))
    .join(', ')}${waits.length > mostWaits ? ', …' : ''}`

/** Requests of several workers: how far apart they came tells nothing, but the longest pause does. */
const sentSideBySide = ({ workers, arrivals }: ClientPlayRow): boolean => {
  const order = arrivals.map(({ connection }) => connection)
  return workers > 1 || order.some((each, at) => order[at - 1] !== each && order.slice(0, at).includes(each))
}

const pauseOf = (play: ClientPlayRow): string => {
  const waits = waitsOf(play)
  return play.refused === 0 || waits.length === 0 ? '' : `longest pause ${formatDuration(Math.max(...waits))}`
}

const cameBackOnHuge = ({ arrivals }: ClientPlayRow): boolean => {
  const first = arrivals.findIndex(
    ({ retryAfter }) => /^\d+$/.test(retryAfter ?? '') && Number(retryAfter) > daySeconds,
  )
  return first >= 0 && first < arrivals.length - 1
}

/**
 * What the plays of a case come to: that it was not played as asked; how many requests came early, and how long the
 * first play's client waited. What is judged by another rule than the rest says so.
 */
export const waitsInWords = (plays: readonly [ClientPlayRow, ...ClientPlayRow[]]): string => {
  const [first] = plays
  if (first.notAsAsked !== null) return first.notAsAsked
  const early = plays.flatMap(({ arrivals }) => arrivals).filter((each) => each.early).length
  const only503 = plays.every(({ arrivals }) => arrivals.length > 0 && arrivals.every(({ status }) => status === 503))
  if (only503 && plays.every(({ sent }) => sent === 1)) return 'does not try again (costs nothing)'
  const told = sentSideBySide(first) ? pauseOf(first) : listed(waitsOf(first))
  if (early > 0) return [`${early} too early`, told].filter(Boolean).join(': ')
  return plays.some(cameBackOnHuge) ? `over a day, not CLIENT-1: ${told}` : told
}
