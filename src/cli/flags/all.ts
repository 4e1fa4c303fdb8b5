import type { ArgsOf, Declared, Surface } from './command.js'
import { contractCommands } from './contracts.js'
import { runCommands } from './runs.js'
import { savedRunCommands } from './saved-runs.js'
import { serverCommands } from './servers.js'

/** A command with the loader of its action, which takes its parsed words and flags. */
const doing = <D extends Declared>(
  declared: D,
  load: () => Promise<(args: ArgsOf<D>) => void | Promise<void>>,
): Surface => ({
  ...declared,
  load,
})

/** Every command, in the order of help. The parser, help, refusals and completion are made from this. */
export const surfaces: readonly Surface[] = [
  doing(runCommands.run, async () => (await import('../commands/run.js')).run),
  doing(runCommands.plan, async () => (await import('../commands/plan.js')).plan),
  doing(runCommands.doctor, async () => (await import('../commands/doctor.js')).doctor),
  doing(runCommands.restore, async () => (await import('../commands/restore.js')).restore),
  doing(savedRunCommands.judge, async () => (await import('../commands/judge.js')).judge),
  doing(savedRunCommands.report, async () => (await import('../commands/report.js')).report),
  doing(savedRunCommands.compare, async () => (await import('../commands/compare.js')).compare),
  doing(savedRunCommands.history, async () => (await import('../commands/history.js')).history),
  doing(serverCommands.serve, async () => (await import('../commands/serve.js')).serve),
  doing(serverCommands.agent, async () => (await import('../commands/agent.js')).agent),
  doing(serverCommands.client, async () => (await import('../commands/client.js')).client),
  doing(serverCommands.faults, async () => (await import('../commands/faults.js')).faultsOrMatrix),
  doing(serverCommands.demo, async () => (await import('../commands/demo.js')).demo),
  doing(serverCommands.mcp, async () => (await import('../commands/mcp.js')).mcp),
  doing(contractCommands.init, async () => (await import('../commands/init.js')).initOrInterrupted),
  doing(contractCommands.discover, async () => (await import('../commands/discover.js')).discover),
  doing(contractCommands.contract, async () => (await import('../commands/schema.js')).contract),
  doing(contractCommands.probes, async () => (await import('../commands/probes.js')).listProbes),
  doing(contractCommands.schema, async () => (await import('../commands/schema.js')).schema),
  doing(contractCommands.completion, async () => (await import('./completions.js')).printCompletionScript),
]
