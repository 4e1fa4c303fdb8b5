import type { ArgsOf, Declared, Surface } from './command.js'
import {
  completionSurface,
  contractSurface,
  discoverSurface,
  initSurface,
  probesSurface,
  schemaSurface,
} from './contracts.js'
import { doctorSurface, planSurface, restoreSurface, runSurface } from './runs.js'
import { compareSurface, historySurface, judgeSurface, reportSurface } from './saved-runs.js'
import { agentSurface, clientSurface, demoSurface, faultsSurface, mcpSurface, serveSurface } from './servers.js'

/** A command with the way to what it does, which takes what its words and flags come to. */
const doing = <D extends Declared>(
  declared: D,
  load: () => Promise<(args: ArgsOf<D>) => void | Promise<void>>,
): Surface => ({
  ...declared,
  load,
})

/** Every command, in the order in which help lists them: the parser, help, refusals and completion are made of this. */
export const surfaces: readonly Surface[] = [
  doing(runSurface, async () => (await import('../commands/run.js')).run),
  doing(planSurface, async () => (await import('../commands/plan.js')).plan),
  doing(doctorSurface, async () => (await import('../commands/doctor.js')).doctor),
  doing(restoreSurface, async () => (await import('../commands/restore.js')).restore),
  doing(judgeSurface, async () => (await import('../commands/judge.js')).judge),
  doing(reportSurface, async () => (await import('../commands/report.js')).report),
  doing(compareSurface, async () => (await import('../commands/compare.js')).compare),
  doing(historySurface, async () => (await import('../commands/history.js')).history),
  doing(serveSurface, async () => (await import('../commands/serve.js')).serve),
  doing(agentSurface, async () => (await import('../commands/agent.js')).agent),
  doing(clientSurface, async () => (await import('../commands/client.js')).client),
  doing(faultsSurface, async () => (await import('../commands/faults.js')).faultsOrMatrix),
  doing(demoSurface, async () => (await import('../commands/demo.js')).demo),
  doing(mcpSurface, async () => (await import('../commands/mcp.js')).mcp),
  doing(initSurface, async () => (await import('../commands/init.js')).initOrInterrupted),
  doing(discoverSurface, async () => (await import('../commands/discover.js')).discover),
  doing(contractSurface, async () => (await import('../commands/schema.js')).contract),
  doing(probesSurface, async () => (await import('../commands/probes.js')).listProbes),
  doing(schemaSurface, async () => (await import('../commands/schema.js')).schema),
  doing(completionSurface, async () => (await import('./completions.js')).printCompletionScript),
]
