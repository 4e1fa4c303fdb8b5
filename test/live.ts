/**
 * What plays a server or a client to a verdict, in windows of seconds; the longest first. A machine that is busy leaves such a
 * verdict open, so the others give way to these.
 */
export const live = [
  'clients/client-command',
  'agents/agents',
  'packed/tarball',
  'observatory/cells',
  'cli/scenarios',
  'library/packed',
  'mcp/limiters',
  'library/matchers',
  'keystone',
  'four-nodes/four-nodes',
  'events/restart',
  'foreign/by-contract',
  'cli/first-look',
  'library/quiet',
  'library/runs',
].map((name) => `test/${name}.test.ts`)
