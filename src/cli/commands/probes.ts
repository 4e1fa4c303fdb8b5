import type { CommandModule } from 'yargs'
import { suggestion } from '../../kit/suggestion.js'
import { UsageError } from '../../kit/usage-error.js'
import { findProbe, probes } from '../../probes/all.js'
import { probeList, probeReference, probeSection } from '../reference/probe-reference.js'

const formats = ['list', 'markdown'] as const

interface Args {
  readonly id?: string
  readonly as: (typeof formats)[number]
}

const textOf = ({ id, as }: Args): string => {
  if (id === undefined) return as === 'markdown' ? probeReference(probes) : probeList(probes)
  const probe = findProbe(id)
  if (probe) return probeSection(probe)
  const known = probes.map((each) => each.id)
  throw new UsageError(`there is no probe ${id}: ${suggestion(id, known)}`)
}

/** Lists the probes that a scenario may name, or says all of one: what it does, what it costs, its settings. */
export const probesCommand: CommandModule<object, Args> = {
  command: 'probes [id]',
  describe: 'List the probes that a scenario may name, or explain one with its settings',
  builder: (yargs) =>
    yargs.positional('id', { type: 'string', describe: 'The probe to explain' }).options({
      as: { choices: formats, default: 'list' as const, describe: 'markdown: all of them with their settings' },
    }) as never,
  handler: (args) => {
    process.stdout.write(textOf(args))
  },
}
