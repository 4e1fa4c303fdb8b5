/** The pipelines for which `init` writes a file. */
export const ciSystems = ['github', 'gitlab', 'none'] as const
export type CiSystem = (typeof ciSystems)[number]
