/** The release gate of an API, for its owner to change: what is played for each quota, and what has to come out. */
export const scenarioText = (
  name: string,
): string => `# May a release of ${name} go out? All of this is played for each quota of contract.yaml whose window is shorter than an hour.
name: release-gate
description: Does ${name} keep its quotas under load?
probes:
  # Is it there, and is each credential accepted?
  - probe: hello
  # What answers say of the limit, one request after the other.
  - probe: header-row
  # Does one credential leave another alone? Tells where the contract has two.
  - probe: isolation
  # Half as much again as the limit, at once: the limit gets through, and not one more.
  - probe: burst
    overshoot: 1.5
    connections: 20
  # Across the end of a window, where many limiters forget.
  - probe: split
    connections: 20
  # Clients that wait as they are told get everything in the end.
  - probe: compliant-clients
    clients: 4
    work: 1.1
    rounds: 10
# What the target may be asked for, over all credentials:
# limits:
#   mostRequestsPerSecond: 50
gates:
  # must: what the contract promises. should: its milder clauses too.
  level: must
  overAdmitted: 0
  earlyRefused: 0
`
