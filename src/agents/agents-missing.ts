/** Agents are missing, or can't take part: the run does not begin. The message says which, and why. */
export class AgentsMissing extends Error {}
