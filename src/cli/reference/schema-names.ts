/** What has a JSON Schema. */
export const schemaNames = ['report', 'config', 'scenario', 'contract', 'waivers', 'client-cases'] as const
/** How one is printed. */
export const schemaFormats = ['json', 'markdown'] as const
