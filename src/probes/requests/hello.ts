import type { Exchange } from '../../evidence/exchange.js'
import { firstLookProbe } from '../../evidence/first-look.js'
import { defineProbe, type Question, type Stage } from '../probe.js'
import { noSettings } from './no-settings.js'

const list: Question = { step: 'list', operation: 'listInventory' }

/** A ban that is over sooner than this is waited for, as the refusals of a limit are. */
const mostWindowsWaited = 3

/** A 401 may be a slip, which is to be seen as one; a ban that says when it ends is waited for. */
const askAgain = async (stage: Stage, first: Exchange): Promise<Exchange> => {
  const status = first.response?.status
  if (status === 401) return stage.ask({ ...list, step: 'list-again' })
  const { retryAt } = stage.told(first)
  if (status !== 403 || retryAt === undefined || retryAt - stage.now() > mostWindowsWaited * stage.minuteMs)
    return first
  await stage.waitUntil(retryAt, 'the ban to be lifted')
  return stage.ask({ ...list, step: 'list-again' })
}

/** Whether the address was given without the version that every base address of the interface ends with (BASE-2). */
const lacksVersion = ({ request }: Exchange): boolean => !/\/v1\/[^/]+$/.test(new URL(request.url).pathname)

/** One reading of the list on every key: is anybody there, is it the right address, and is the key accepted? */
export const hello = defineProbe({
  id: firstLookProbe,
  played: 'each-key',
  settings: noSettings,
  cost: () => ({ keyed: 3, strangers: 0, minutes: 0 }),
  async play(stage) {
    const answer = await askAgain(stage, await stage.ask(list))
    if (answer.response === null || answer.response.status === 200 || !lacksVersion(answer)) return
    await stage.ask({ step: 'with-v1', path: '/v1/inventory' })
  },
})
