// What each field of report.json means, as its comment in src/report/model.ts says it.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { reportJsonSchema } from '../../dist/src/report/render-json.js'
import { schemaTables } from '../../dist/src/scenario/reference/schema-tables.js'

const model = fileURLToPath(new URL('../../src/report/model.ts', import.meta.url))

const commentOf = (node) =>
  ts
    .getJSDocCommentsAndTags(node)
    .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '')
    .join(' ')
    .replace(/\s*\n\s*/g, ' ')
    .trim()

/** The object literals in which the fields of a schema stand, by way of the names that stand for other schemas. */
const literalsIn = (node, named) => {
  if (ts.isObjectLiteralExpression(node)) return [node]
  if (ts.isIdentifier(node)) return named.has(node.text) ? literalsIn(named.get(node.text), named) : []
  const found = []
  ts.forEachChild(node, (child) => {
    found.push(...literalsIn(child, named))
  })
  return found
}

/** The comment of the schema that a field holds, where that has a name. */
const commentInside = (node, named) => {
  if (!node || ts.isObjectLiteralExpression(node)) return ''
  if (ts.isIdentifier(node)) return named.has(node.text) ? commentOf(named.get(node.text).parent.parent.parent) : ''
  return ts.forEachChild(node, (child) => commentInside(child, named) || undefined) ?? ''
}

const fieldsOf = (node, named, path, meanings) => {
  for (const literal of literalsIn(node, named))
    for (const property of literal.properties) {
      const inside = [...path, property.name.text]
      const own = commentOf(property) || commentInside(property.initializer, named)
      if (own) meanings.set(inside.join('.'), own)
      fieldsOf(ts.isPropertyAssignment(property) ? property.initializer : property.name, named, inside, meanings)
    }
}

/** The comment of each field, by its path: `quotas.recovery.lateMs`. */
const meaningsIn = (file) => {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2023, true)
  const declared = source.statements
    .filter(ts.isVariableStatement)
    .flatMap((each) => [...each.declarationList.declarations])
  const named = new Map(declared.map(({ name, initializer }) => [name.text, initializer]))
  // Of facts, which may hold facts.
  named.delete('fact')
  const meanings = new Map()
  fieldsOf(named.get('reportModel'), named, [], meanings)
  return meanings
}

/** A part of the schema with what its fields mean; facts may hold anything, themselves too, and end there. */
const told = (part, path, meanings) => {
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map((each) => told(each, path, meanings))
  if ('$ref' in part) return { title: 'facts' }
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => {
      if (key !== 'properties') return [key, told(value, path, meanings)]
      const fields = Object.entries(value).map(([name, field]) => {
        const description = meanings.get([...path, name].join('.'))
        const mayLack = part.required?.includes(name) ? {} : { default: 'absent' }
        return [
          name,
          { ...mayLack, ...told(field, [...path, name], meanings), ...(description ? { description } : {}) },
        ]
      })
      return [key, Object.fromEntries(fields)]
    }),
  )
}

/** The reference of report.json in Markdown: its fields in tables. */
export const reportFields = () => {
  const { $defs: _, title: __, ...schema } = reportJsonSchema()
  return schemaTables(told(schema, [], meaningsIn(model)))
    .replaceAll('| if not there |', '| may be absent |')
    .replaceAll('| **needed** |', '|  |')
    .replaceAll('| `absent` |', '| yes |')
    .replaceAll(/\| `(\[\]|null|0)` \|/g, '| in older reports |')
}
