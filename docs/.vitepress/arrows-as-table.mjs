/** The arrows of a flowchart as a table: what each points to. The site draws no flowcharts. */
const table = (flowchart) => {
  const to = new Map()
  for (const [, from, target] of flowchart.matchAll(/^\s*(\S+) --> (\S+)$/gm))
    to.set(from, [...(to.get(from) ?? []), target])
  const rows = [...to].map(([from, all]) => `<tr><td><code>${from}</code></td><td>${all.join(', ')}</td></tr>`)
  return `<table><thead><tr><th>from</th><th>to</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

/** Has flowcharts in Mermaid shown as tables. */
export const arrowsAsTable = ({ renderer: { rules } }) => {
  const { fence } = rules
  rules.fence = (tokens, at, ...rest) =>
    tokens[at].info.trim() === 'mermaid' ? table(tokens[at].content) : fence(tokens, at, ...rest)
}
