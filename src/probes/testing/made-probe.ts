import { z } from 'zod'
import type { Cost, Probe } from '../probe.js'

interface Part extends Pick<Probe, 'id'>, Partial<Omit<Probe, 'id' | 'cost'>> {
  readonly cost?: (...of: Parameters<Probe['cost']>) => Partial<Cost>
}

/** A probe for tests, under any id: it costs and does nothing but what `part` says. */
export const madeProbe = (part: Part): Probe => ({
  summary: 'Made for a test.',
  played: 'once',
  settings: z.strictObject({}),
  play: async () => {},
  ...part,
  cost: (...of) => ({ keyed: 0, strangers: 0, minutes: 0, ...part.cost?.(...of) }),
})
