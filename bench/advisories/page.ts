import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Row, Table } from './model.ts'

export const PAGE = fileURLToPath(new URL('../../docs/advisories.md', import.meta.url))

const HEAD = `# Their advisories are our tests

Published faults of comparable products, each with a description of the fault, and the test that shows that this product does not have it. The identifiers link to the publication. A product's presence here says nothing about its current state: most of these faults were fixed long ago, and published faults show that people look for them.

Each row has a mutant in \`bench/advisories\`: a small change of the source that introduces the fault. \`npm run mutants\` applies the mutants to a copy, one after another, and runs the named test, which must fail. A unit test checks that each named test runs, and that each mutant still applies. \`npm run docs:advisories\` generates this page from the rows. [Security](security.md) says what the product promises.`

const testOf = ({ test: { file, title } }: Row) => `[${basename(file)}](../${file}): ${title}`

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

function cellsOf(row: Row): string[] {
  const { product, published = [], mistake } = row
  const sources = published.map(({ id, url }) => `[${id}](${url})`).join(', ')
  return [...(product === undefined ? [] : [product, sources]), mistake, testOf(row)]
}

function tableOf({ heading, rows }: Table): string {
  const isPublished = rows.some(({ product }) => product !== undefined)
  const columns = [...(isPublished ? ['Product', 'Published as'] : []), 'Fault', 'Test']
  const table = [columns, columns.map(() => '---'), ...rows.map(cellsOf)].map(line).join('\n')
  return `${heading}\n\n${table}`
}

export const pageOf = (tables: readonly Table[]): string => `${[HEAD, ...tables.map(tableOf)].join('\n\n')}\n`
