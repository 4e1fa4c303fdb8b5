import { suggestion } from '../../kit/suggestion.js'
import { UsageError } from '../../kit/usage-error.js'
import { findProbe, probes } from '../../run/plan/probe-registry.js'
import { probeList, probeReference, probeSection } from '../reference/probe-reference.js'
import type { probesSurface } from '../surface/references.js'
import type { ArgsOf } from '../surface/surface.js'

type Args = ArgsOf<typeof probesSurface>

const textOf = ({ id, as }: Args): string => {
  if (id === undefined) return as === 'markdown' ? probeReference(probes) : probeList(probes)
  const probe = findProbe(id)
  if (probe) return probeSection(probe)
  const known = probes.map((each) => each.id)
  throw new UsageError(`there is no probe ${id}: ${suggestion(id, known)}`)
}

/** Lists the probes that a scenario may name, or says all of one: what it does, what it costs, its settings. */
export const listProbes = (args: Args): void => {
  process.stdout.write(textOf(args))
}
