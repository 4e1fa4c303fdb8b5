import { eachOf, inputProbes } from '../../../checks/framework/asking-probes.js'
import { defineCheck } from '../../../checks/framework/check.js'
import { breach } from '../../../checks/framework/finding.js'
import { judgeAnswers } from '../../../checks/framework/judge-answers.js'
import { isWhole, nameOf } from '../../../checks/readings/answers.js'
import { isAnswered } from '../../../evidence/exchange.js'

/** A line of a stack trace in one of the common languages, or the path of a source file. */
const innerWorkings =
  /(\bat [\w.<>$ ]+ \((?:file:\/\/|node:|\/|[A-Z]:\\)[^)]*\)|\bTraceback \(most recent call last\)|\bgoroutine \d+ \[|\bat [\w.$]+\([\w]+\.java:\d+\)|(?:file:\/\/)?\/(?:[\w.@-]+\/)+[\w.-]+\.(?:js|ts|mjs|cjs|py|rb|go|java|php|rs)\b(?::\d+)?|[A-Z]:\\(?:[\w.-]+\\)+[\w.-]+\.\w+)/

const needs = { cases: 'answers', least: 1 }

export const noServerError = defineCheck({
  id: 'errors.no-server-error',
  promise: 'No input brings about a 5xx, and no error shows a stack trace or a file path.',
  clauses: ['ERR-5'],
  advice: "Look at the server's log for this request: the input is not caught before it breaks something.",
  reads: 'everything',
  alone: eachOf(...inputProbes),
  needs,
  judge(evidence) {
    return judgeAnswers(evidence, evidence.exchanges.filter(isAnswered), needs, (x) => {
      const { status, body } = x.response
      // 501 and 505 say that a method or a version is not had: an honest refusal, no breakdown.
      if (status >= 500 && status !== 501 && status !== 505)
        return breach('server-error', { case: nameOf(x), got: status })
      const shown = status >= 400 && body.encoding === 'utf8' ? innerWorkings.exec(body.content)?.[0] : undefined
      if (shown !== undefined) return breach('inner-workings-shown', { case: nameOf(x), shown: shown.slice(0, 80) })
      return status >= 400 && !isWhole(x) ? 'left-out' : undefined
    })
  },
  sentences: {
    'server-error': (f) => `${f.case} was answered ${f.got}`,
    'inner-workings-shown': (f) => `the error answer to ${f.case} shows ${f.shown}`,
  },
})
