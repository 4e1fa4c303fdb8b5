import type { ConfigSection } from './config-schema.js'
import type { Gates } from './gates.js'

/** Entry by entry: those of the nearer part go before the same ones of the farther. */
const merged = <T extends object>(far: T | undefined, near: T | undefined): T | undefined =>
  far && near ? { ...far, ...near } : (near ?? far)

/** Gates figure by figure, also those of each plan. */
export const mergedGates = (far: Gates | undefined, near: Gates | undefined): Gates | undefined => {
  if (!far || !near) return near ?? far
  const names = new Set([...Object.keys(far.plans ?? {}), ...Object.keys(near.plans ?? {})])
  const plans = Object.fromEntries(
    [...names].map((name) => {
      const plan = name as keyof NonNullable<Gates['plans']>
      return [plan, merged(far.plans?.[plan], near.plans?.[plan])]
    }),
  )
  return { ...far, ...near, ...(names.size > 0 && { plans }) }
}

type Leave = Pick<ConfigSection, 'allowLoad' | 'withoutLoad'>

/** Leave for load belongs to a target: a section with another target of its own has to give it anew. */
const leaveOf = (far: ConfigSection, near: ConfigSection): Leave => {
  const isAnother = near.target !== undefined && near.target !== far.target
  // Whoever allows load and whoever does without it say the opposite: the nearer word counts.
  const allowLoad = near.allowLoad ?? (isAnother || near.withoutLoad ? undefined : far.allowLoad)
  const withoutLoad = near.withoutLoad ?? (near.allowLoad ? undefined : far.withoutLoad)
  return { allowLoad, withoutLoad }
}

/** A section with what another, farther one says besides. What both say is said by the nearer. */
export const mergedSections = (far: ConfigSection, near: ConfigSection): ConfigSection => ({
  ...far,
  ...near,
  keys: merged(far.keys, near.keys),
  quotas: merged(far.quotas, near.quotas),
  timeouts: merged(far.timeouts, near.timeouts),
  gates: mergedGates(far.gates, near.gates),
  ...leaveOf(far, near),
})
