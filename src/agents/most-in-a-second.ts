import type { LoadOrder } from '../wire/load/load-order.js'
import { scheduleShape } from '../wire/load/schedule.js'

const secondMs = 1_000

/** The most requests that a load may send within any second: all at once, where no schedule holds them back. */
export const mostInASecond = ({ schedule, amount }: Pick<LoadOrder, 'schedule' | 'amount'>): number => {
  const shape = scheduleShape(schedule, amount)
  if (!shape) return amount
  let most = 0
  let first = 0
  for (let n = 0; n < amount; n += 1) {
    while (shape(n) - shape(first) >= secondMs) first += 1
    most = Math.max(most, n - first + 1)
  }
  return most
}
