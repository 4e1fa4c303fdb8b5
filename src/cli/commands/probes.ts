import { z } from 'zod'
import { fixedQuotas, keyQuotaOf } from '../../contract/plans.js'
import { fieldTable, type SchemaPart } from '../../kit/schema-tables.js'
import { UsageError } from '../../kit/usage-error.js'
import { suggestion } from '../../kit/words.js'
import type { KeyFacts, Probe } from '../../probes/probe.js'
import { keysOf } from '../../run/plan/budget.js'
import { findProbe, probes, quotaProbes } from '../../run/registry.js'
import type { ArgsOf } from '../flags/command.js'
import type { contractCommands } from '../flags/contracts.js'

const playedOn: Readonly<Record<Probe['played'], string>> = {
  once: 'once, on the key with the largest limit',
  'each-plan': 'on one key of each plan, all at the same time',
  'each-key': 'on every key',
  together: 'once, with one key of each plan',
  'all-keys': 'once, with all keys',
}

/** The keys for which costs are shown: one for each plan with a fixed quota, and a second one of the smallest. */
const keys: readonly KeyFacts[] = [
  ...Object.entries(fixedQuotas).map(([plan, quota]) => ({ name: plan, plan, quota: keyQuotaOf(quota) })),
  { name: 'free-2', plan: 'free', quota: keyQuotaOf(fixedQuotas.free) },
]

/** In words: the most that a probe sends with its default settings, by key, and in how many windows. */
const costOf = (probe: Probe): string => {
  const settings = probe.settings.parse({})
  const costs = keysOf(probe, keys).map((key) => ({ name: key.name, ...probe.cost(key, settings, keys) }))
  const keyed = costs
    .filter((each) => each.keyed > 0)
    .map((each) => `${each.keyed.toLocaleString('en-GB')} on ${each.name}`)
  const strangers = costs.reduce((sum, each) => sum + each.strangers, 0)
  const parts = [...keyed, ...(strangers > 0 ? [`${strangers} without a valid key`] : [])]
  const minutes = Math.max(...costs.map((each) => each.minutes))
  const windows = minutes > 0 ? `, in up to ${Math.ceil(minutes)} windows of a minute` : ''
  return `${parts.join(', ') || 'depends on the contract'}${windows}`
}

const loadOf = ({ isLoad, spendsDay }: Probe): string => {
  if (spendsDay) return "yes; it spends its keys' daily quotas on purpose"
  return isLoad ? 'yes: if the target is not this machine, it needs `--allow-load`' : 'no'
}

const settingsOf = (probe: Probe): string => {
  const schema = z.toJSONSchema(probe.settings, { io: 'input' }) as SchemaPart
  return Object.keys(schema.properties ?? {}).length === 0 ? 'It has no settings.' : fieldTable(schema)
}

/** Everything that authors of scenarios need to know about a probe, in Markdown. */
export const probeSection = (probe: Probe): string => `### \`${probe.id}\`

${probe.summary}

- Played: ${playedOn[probe.played]}
- Needs: ${quotaProbes.includes(probe) ? 'a quota of any API' : 'the Petstore interface'}
- Load: ${loadOf(probe)}
- Requests at most: ${costOf(probe)}

${settingsOf(probe)}
`

export const probeList = (probes: readonly Probe[]): string => {
  const width = Math.max(...probes.map(({ id }) => id.length))
  return probes.map(({ id, summary }) => `${id.padEnd(width)}  ${summary}\n`).join('')
}

/** The reference of probes in Markdown: an overview, and a section for each. */
export const probeReference = (probes: readonly Probe[]): string => {
  const row = (probe: Probe) =>
    `| [\`${probe.id}\`](#${probe.id}) | ${probe.isLoad ? 'yes' : ''} | ${quotaProbes.includes(probe) ? 'yes' : ''} | ${probe.summary} |`
  const overview = ['| probe | load | any API | what it does |', '|---|---|---|---|', ...probes.map(row)]
  return [`${overview.join('\n')}\n`, ...probes.map(probeSection)].join('\n')
}

type Args = ArgsOf<typeof contractCommands.probes>

const textOf = ({ id, as }: Args): string => {
  if (id === undefined) return as === 'markdown' ? probeReference(probes) : probeList(probes)
  const probe = findProbe(id)
  if (probe) return probeSection(probe)
  const known = probes.map((each) => each.id)
  throw new UsageError(`there is no probe ${id}: ${suggestion(id, known)}`)
}

export const listProbes = (args: Args): void => {
  process.stdout.write(textOf(args))
}
