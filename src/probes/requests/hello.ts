import type { Exchange } from '../../evidence/exchange.js'
import { firstLookProbe } from '../../evidence/first-look.js'
import { mostWindowsForAnswer } from '../moves/longest-waits.js'
import { defineProbe, type ProbeContext, type Question } from '../probe.js'

const list: Question<'list'> = { step: 'list', operation: 'listInventory' }

/** Asks a second time after a 401, which may have been a slip, and after a ban that says that it ends soon. */
const askAgain = async (context: ProbeContext<'list-again'>, first: Exchange): Promise<Exchange> => {
  const status = first.response?.status
  if (status === 401) return context.ask({ ...list, step: 'list-again' })
  const { retryAt } = context.hintsOf(first)
  if (status !== 403 || retryAt === undefined || retryAt - context.now() > mostWindowsForAnswer * context.minuteMs)
    return first
  await context.waitUntil(retryAt, 'the ban to be lifted')
  return context.ask({ ...list, step: 'list-again' })
}

/** Whether the given address lacks the `/v1` that every base address of the interface ends with (BASE-2). */
const lacksVersion = ({ request }: Exchange): boolean => !/\/v1\/[^/]+$/.test(new URL(request.url).pathname)

/** One reading of the list on every key: is anybody there, is it the right address, and is the key accepted? */
export const hello = defineProbe({
  id: firstLookProbe,
  summary:
    'Sends one request with every key: does the target answer, is the address right, is the key accepted? Every run begins with it.',
  played: 'each-key',
  cost: () => ({ keyed: 3 }),
  async play(context) {
    const answer = await askAgain(context, await context.ask(list))
    if (!context.hasInventory) return
    if (answer.response === null || answer.response.status === 200 || !lacksVersion(answer)) return
    await context.ask({ step: 'with-v1', path: '/v1/inventory' })
  },
})
