import { limiterName } from '../../contract/limiter-models.js'
import { planName } from '../../contract/plans.js'
import { count } from '../../kit/count.js'
import { formatDuration } from '../../kit/duration.js'
import { listInWords } from '../../kit/list-in-words.js'
import { mostAdmitted } from '../../oracle/came-back-meanwhile.js'
import { judgedKeys } from '../../oracle/judged-keys.js'
import { defineCheck } from '../framework/check.js'
import { observed } from '../framework/finding.js'
import { noLoadOnAnyKey } from '../framework/open-quota.js'
import { loadProfiles } from '../readings/load-profiles.js'

export const algorithm = defineCheck({
  id: 'quota.algorithm',
  promise: 'The limiters that explain what was seen, and the most that was admitted in any minute, are reported.',
  clauses: ['QUOTA-8'],
  reads: loadProfiles,
  judge(evidence) {
    const judged = judgedKeys(evidence).filter(({ judgement }) => judgement !== null)
    if (judged.length === 0) return noLoadOnAnyKey()
    const plans = judged.map((key) => ({
      plan: key.plan,
      limit: key.window.quota.limit,
      windowMs: key.window.minuteMs,
      most: mostAdmitted(key),
      models: Object.entries(key.judgement?.explanations ?? {}).flatMap(([name, { verdict }]) =>
        verdict === 'explained' ? [name] : [],
      ),
    }))
    return observed('algorithm-seen', { plans })
  },
  sentences: {
    'algorithm-seen': ({ plans }) =>
      plans
        .map(
          (each) =>
            `${planName(each.plan)} ${each.models.length > 0 ? `counts like ${listInWords(each.models.map(limiterName), 'or')}` : 'counts like no permitted limiter'}; at most ${count(each.most)} were admitted in any ${formatDuration(each.windowMs)} (limit ${count(each.limit)})`,
        )
        .join('; '),
  },
})
