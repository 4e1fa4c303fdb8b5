import { agentOptions } from '../agents/agent-options.js'
import type { Declared } from './surface.js'

export const agentSurface = {
  command: 'agent',
  describe: 'Put load on a target for runs that are played on other machines',
  options: agentOptions,
  examples: [
    [
      'quotaspec agent --redis redis://10.0.0.5 --name eu-1 --target https://staging.example/v1',
      'waits for runs that ask for eu=1 or more, and sends what they want sent',
    ],
    [
      'quotaspec agent --name eu-1 --target http://127.0.0.1:8080/v1 --once --most-requests 5000',
      'one run by the Redis of QUOTASPEC_REDIS, and no more than 5,000 requests',
    ],
  ],
} as const satisfies Declared
