import { agentOptions } from '../agents/agent-options.js'
import type { Surface } from './surface.js'

export const agentSurface: Surface = {
  command: 'agent',
  describe: 'Put load on a target for runs that are played on other machines',
  options: agentOptions,
  examples: [
    [
      'quotaspec agent --redis redis://10.0.0.5 --name eu-1 --target https://staging.example/v1 --allow-load',
      'waits for runs, and sends what they ask of it',
    ],
    [
      'quotaspec run spread --target https://staging.example/v1 --agents eu=2 --redis redis://10.0.0.5 --allow-load',
      'a run that asks for two agents whose names begin with eu-',
    ],
  ],
  load: async () => (await import('../commands/agent.js')).agent,
}
