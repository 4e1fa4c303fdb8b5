import { z } from 'zod'
import { noForm } from './plain-words.js'

/** What a schema is underneath what it is wrapped in. */
const bare = (schema: unknown): unknown => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return bare(schema.unwrap())
  }
  return schema instanceof z.ZodPipe ? bare(schema.in) : schema
}

/** The schema one step further in; of several forms the first that has such a step. */
const inside = (wrapped: unknown, step: PropertyKey): unknown => {
  const schema = bare(wrapped)
  if (schema instanceof z.ZodArray) return schema.element
  if (schema instanceof z.ZodRecord) return schema.valueType
  if (schema instanceof z.ZodObject) return schema.shape[String(step)]
  if (!(schema instanceof z.ZodUnion)) return undefined
  return schema.options.map((option) => inside(option, step)).find((found) => found !== undefined)
}

const fieldsOf = (wrapped: unknown): string[] => {
  const schema = bare(wrapped)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(fieldsOf)
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
}

/** The fields that a schema has at a path; none where the path leads to no object. */
const fieldsAt = (schema: unknown, path: readonly PropertyKey[]): string[] => fieldsOf(path.reduce(inside, schema))

/** An issue, where it stands, and the schema from which its own path leads. */
export interface Found {
  readonly issue: z.core.$ZodIssue
  /** From the whole value to the issue's. */
  readonly path: readonly PropertyKey[]
  /** The fields that could stand where the issue is. */
  readonly fields: readonly string[]
}

/** Whether a form was the right one, and only something in it is wrong. */
export const isInside = (issues: readonly z.core.$ZodIssue[]): boolean =>
  issues.every((issue) => {
    if (issue.path.length > 0 || issue.code === 'unrecognized_keys') return true
    return issue.code === 'invalid_union' && issue.message === noForm && issue.errors.some(isInside)
  })

/**
 * The issue that a person has to hear of. Where a value may have several forms, it is the one inside the form that was
 * meant: the one of the right type with the fewest issues.
 */
export const innermost = (issue: z.core.$ZodIssue, schema: unknown, base: readonly PropertyKey[] = []): Found => {
  const path = [...base, ...issue.path]
  if (issue.code === 'invalid_key') return { issue: { ...issue.issues[0], path: [] }, path, fields: [] }
  if (issue.code === 'invalid_union' && issue.message === noForm) {
    const union = bare(issue.path.reduce(inside, schema))
    const meant = issue.errors
      .map((issues, index) => ({ issues, index }))
      .filter(({ issues }) => isInside(issues))
      .sort((a, b) => a.issues.length - b.issues.length)[0]
    if (meant && union instanceof z.ZodUnion) return innermost(telling(meant.issues), union.options[meant.index], path)
  }
  return { issue, path, fields: fieldsAt(schema, issue.path) }
}

/** The issue to begin with: a field that is missing may be there, misspelt. */
export const telling = (issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue =>
  issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]
