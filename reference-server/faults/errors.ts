import { writeJson } from '../../src/kit/json.js'
import type { Call, Departure, PetstoreBehaviour } from '../behaviour/behaviour.js'
import type { Answer } from '../http/answer.js'
import type { RequestHead } from '../http/bearer-keys.js'
import { faultsOf } from './fault.js'
import { everyNth } from './odd-meters.js'

interface ErrorBody {
  readonly code: string
  readonly message: string
  readonly status: number
}

/** Changes the Error body of a 400, 401 or 404. */
const writesErrors =
  (as: (body: ErrorBody) => object, statuses: readonly number[] = [400, 401, 404]): Departure =>
  (before) => ({
    errorAnswer(error) {
      const answer = before.errorAnswer(error)
      if (!statuses.includes(answer.status)) return answer
      return { ...answer, body: writeJson(as(JSON.parse(String(answer.body)))) }
    },
  })

/** Answers a GET with a valid key by a 500 where its head is of a kind. */
const stumblesOver =
  (odd: (request: RequestHead) => boolean): Departure =>
  (before) => {
    const stumbling = (operation: (call: Call) => Answer) => (call: Call) => {
      if (odd(call.request)) throw new Error('the server stumbled')
      return operation(call)
    }
    const { listInventory, getPet, listOrders } = before.operations
    const operations: PetstoreBehaviour['operations'] = {
      ...before.operations,
      listInventory: stumbling(listInventory),
      getPet: stumbling(getPet),
      listOrders: stumbling(listOrders),
    }
    return { operations }
  }

/** Departures from §7, and what no server should show. */
export const errorFaults = faultsOf('ERR', [
  {
    id: 'error-code-missing',
    breaks: ['ERR-1'],
    sentence: 'An Error body has no code.',
    depart: writesErrors(({ message, status }) => ({ message, status })),
  },
  {
    id: 'error-code-number',
    breaks: ['ERR-1'],
    sentence: 'The code of an Error body is a number.',
    depart: writesErrors((body) => ({ ...body, code: body.status * 100 })),
  },
  {
    id: 'error-message-missing',
    breaks: ['ERR-1'],
    sentence: 'The Error body of a 400 has no message.',
    depart: writesErrors(({ code, status }) => ({ code, status }), [400]),
  },
  {
    id: 'error-status-missing',
    breaks: ['ERR-1'],
    sentence: 'The Error body of a 401 has no status.',
    depart: writesErrors(({ code, message }) => ({ code, message }), [401]),
  },
  {
    id: 'not-found-in-another-shape',
    breaks: ['ERR-1'],
    sentence: 'The body of a 404 is {"error": …}.',
    depart: writesErrors(({ message }) => ({ error: message }), [404]),
  },
  {
    id: 'error-status-mismatch',
    breaks: ['ERR-2'],
    sentence: 'The status in an Error body is always 200.',
    depart: writesErrors((body) => ({ ...body, status: 200 })),
  },
  {
    id: 'error-code-empty',
    breaks: ['ERR-3'],
    sentence: 'The code of an Error body is an empty string.',
    depart: writesErrors((body) => ({ ...body, code: '' })),
  },
  {
    id: 'error-code-changing',
    breaks: ['ERR-3'],
    sentence: 'The code of an Error body has a running number in it.',
    depart(before, surroundings) {
      let errors = 0
      return writesErrors((body) => {
        errors += 1
        return { ...body, code: `${body.code}_${errors}` }
      })(before, surroundings)
    },
  },
  {
    id: 'stack-shown',
    breaks: ['ERR-5'],
    sentence: 'The message of a 400 is a stack trace.',
    depart: (before, surroundings) => {
      const stack = 'Error: invalid\n    at checkedQuantity (/srv/petstore/inventory/update-body.js:31:11)'
      return writesErrors((body) => ({ ...body, message: stack }), [400])(before, surroundings)
    },
  },
  {
    id: 'long-url-answers-500',
    breaks: ['ERR-5'],
    sentence: 'A GET whose URL has more than 1,000 characters gets 500.',
    depart: stumblesOver(({ url = '' }) => url.length > 1_000),
  },
  {
    id: 'long-header-answers-500',
    breaks: ['ERR-5'],
    sentence: 'A GET with a header of more than 2,000 characters gets 500.',
    depart: stumblesOver(({ rawHeaders }) => rawHeaders.some((text) => text.length > 2_000)),
  },
  {
    id: 'list-stumbles-at-times',
    // Whoever asks with a valid key is to get the list, each time.
    breaks: ['INV-1', 'ERR-5'],
    sentence: 'Every seventh GET /inventory gets 500.',
    depart(before) {
      const stumbles = everyNth(7)
      return {
        operations: {
          ...before.operations,
          listInventory(call) {
            if (stumbles()) throw new Error('the server stumbled')
            return before.operations.listInventory(call)
          },
        },
      }
    },
  },
])
