import type { Advice } from '../../checks/framework/advice.js'

/** What to look at first where an update of a pet that no entry has was not answered 404: it depends on what came instead. */
export const absentPetAdvice: Advice = ({ facts: { got } }) => {
  const status = Number(got)
  if (status >= 500) return 'Look at what an update of a missing row runs into: it has to be answered 404.'
  return status >= 300
    ? 'Look at which status a missing row gets: 404, since the id and the body are well-formed.'
    : 'Look at what an update of a missing row does: it has to end in 404, never create one.'
}
