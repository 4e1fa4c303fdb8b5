// The reference of report.json, as its JSON Schema says it.

import { schemaTables } from '../../dist/src/kit/schema-tables.js'
import { schemas } from '../../dist/workshop/docs/published-files.js'

/** A part of the schema, with optional fields marked; facts may hold anything, even themselves, so it stops there. */
const told = (part) => {
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map(told)
  if ('$ref' in part) return { title: 'facts' }
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => {
      if (key !== 'properties') return [key, told(value)]
      const fields = Object.entries(value).map(([name, field]) => {
        const mayLack = part.required?.includes(name) ? {} : { default: 'absent' }
        return [name, { ...mayLack, ...told(field) }]
      })
      return [key, Object.fromEntries(fields)]
    }),
  )
}

/** The reference of report.json in Markdown: its fields in tables. */
export const reportFields = () => {
  const { $defs: _, title: __, ...schema } = schemas.report
  return schemaTables(told(schema))
    .replaceAll('| default |', '| may be absent |')
    .replaceAll('| **required** |', '|  |')
    .replaceAll('| `absent` |', '| yes |')
    .replaceAll(/\| `(\[\]|null|0)` \|/g, '| in older reports |')
}
