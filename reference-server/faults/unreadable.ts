import { finishing } from '../behaviour/departing.js'
import { type Answer, withHeaders } from '../http/answer.js'
import { faultsOf } from './fault.js'

const page = '<!doctype html>\n<title>Petstore</title>\n<p>Something is on its way.</p>\n'

const asPage = (answer: Answer): Answer => ({
  ...withHeaders(answer, { 'Content-Type': 'text/html; charset=utf-8' }),
  body: page,
})

const withoutBody = (answer: Answer): Answer => ({ ...answer, body: '' })

/** A chunked body whose last chunk never comes. */
const brokenOff = (answer: Answer): Answer => ({
  ...withHeaders(answer, { 'Transfer-Encoding': 'chunked' }),
  breaksOff: true,
})

/** A body in a coding that nobody but its writer knows. */
const coded = (answer: Answer): Answer => ({
  ...withHeaders(answer, { 'Content-Encoding': 'x-unknown' }),
  body: Buffer.from(Buffer.from(answer.body).map((byte) => byte ^ 0xa5)),
})

/**
 * Answers whose body nobody can read. Each is no JSON (BASE-1), and is not what its operation or its status has to
 * carry either; what a list says of updates and ids is not broken by one that says nothing.
 */
export const unreadableFaults = [
  ...faultsOf('INV', [
    {
      id: 'list-cut-short',
      breaks: ['BASE-1', 'INV-1'],
      sentence: 'The list ends in the middle of an entry; its Content-Length is that of what is sent.',
      depart: finishing(200, (answer) => ({ ...answer, body: answer.body.slice(0, -9) }), 'listInventory'),
    },
    {
      id: 'list-breaks-off',
      breaks: ['BASE-1', 'INV-1'],
      sentence: 'The connection ends in the middle of the list, which comes in chunks.',
      depart: finishing(200, brokenOff, 'listInventory'),
    },
    {
      id: 'list-as-html-page',
      breaks: ['BASE-1', 'INV-1'],
      sentence: 'GET /inventory answers 200 with an HTML page.',
      depart: finishing(200, asPage, 'listInventory'),
    },
    {
      id: 'list-in-unreadable-coding',
      breaks: ['BASE-1', 'INV-1'],
      sentence: 'The list comes in a content coding that nobody has asked for or heard of.',
      depart: finishing(200, coded, 'listInventory'),
    },
    {
      id: 'list-without-body',
      breaks: ['BASE-1', 'INV-1'],
      sentence: 'GET /inventory answers 200 with an empty body.',
      depart: finishing(200, withoutBody, 'listInventory'),
    },
    {
      id: 'patch-breaks-off',
      breaks: ['BASE-1', 'INV-3'],
      sentence: 'The connection ends in the middle of the answer to a successful PATCH, which comes in chunks.',
      depart: finishing(200, brokenOff, 'updateInventory'),
    },
    {
      id: 'patch-answers-without-body',
      breaks: ['BASE-1', 'INV-3'],
      sentence: 'A successful PATCH answers 200 with an empty body.',
      depart: finishing(200, withoutBody, 'updateInventory'),
    },
  ]),
  ...faultsOf('ERR', [
    {
      id: 'not-found-as-text',
      breaks: ['BASE-1', 'ERR-1'],
      sentence: 'The body of a 404 is text.',
      depart: finishing(404, (answer) => ({
        ...withHeaders(answer, { 'Content-Type': 'text/plain' }),
        body: 'Not found',
      })),
    },
    {
      id: 'bad-request-without-body',
      breaks: ['BASE-1', 'ERR-1'],
      sentence: 'A 400 has an empty body.',
      depart: finishing(400, withoutBody),
    },
    {
      id: 'unauthorized-as-html-page',
      breaks: ['BASE-1', 'ERR-1'],
      sentence: 'The body of a 401 is an HTML page.',
      depart: finishing(401, asPage),
    },
  ]),
]
