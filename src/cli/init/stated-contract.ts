import type { Discovered } from '../../contract/discovered.js'
import { headerPresets, type PresetName, presetNames } from '../../contract/header-presets.js'

export interface Stated {
  readonly hasCredential: boolean
  /** The names of what is asked for. */
  readonly probes: readonly string[]
  readonly preset: PresetName
}

const said = 'as you said'

/** What is known of an API of which nothing was asked: what the user said, and nothing else. */
export const statedContract = ({ hasCredential, probes, preset }: Stated): Discovered => ({
  preset,
  fields: headerPresets[preset].map((field) => ({ field, because: said })),
  retryAfter: {
    is: { as: ['seconds', 'http-date'], level: 'observe' },
    because: 'no refusal was seen: what comes is only reported until this says level: must, or none',
  },
  refusals: {
    is: [{ is: 'quota', status: [429], when: {} }],
    because: 'no refusal was seen; 429 is what RFC 6585 has for it',
  },
  anonymous: undefined,
  quotas: [
    {
      id: 'core',
      by: hasCredential
        ? { is: 'credential', because: 'the usual way; address where all callers of an address are counted together' }
        : { is: 'address', because: 'nothing but the address tells callers without a credential apart' },
      limit: undefined,
      windowMs: undefined,
      requests: { is: probes, because: 'as you named them: what counts against it together' },
      cost: undefined,
      policy: undefined,
    },
  ],
  unknown: [
    'all but what you said: nothing was asked of the API, which is what quotaspec discover does',
    ...(preset === 'none'
      ? [
          `which fields of its answers tell of limits, if any: headers takes ${presetNames.join(', ')}, or a list of fields`,
        ]
      : []),
  ],
})
