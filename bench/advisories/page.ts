import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Row, Table } from './model.ts'

export const PAGE = fileURLToPath(new URL('../../docs/advisories.md', import.meta.url))

const HEAD = `# Their advisories are our tests

Published faults of products that do comparable things, each with the kind of mistake in our words, and the test that shows that this product does not have it. The identifiers lead to where the fault was published. That a product stands here says nothing about it today: most of these were mended long ago, and a product whose faults are published is one that somebody looks at.

Each row has a small change of the source that brings its mistake into this product, in \`bench/advisories\`. \`npm run mutants\` makes these changes one after the other, in a copy, and runs the named test, which has to notice. A test of the build checks that each named test is run, and that each change still finds its place. \`npm run docs:advisories\` writes this page from the rows. What the product promises and what not: [security](security.md).`

const testOf = ({ test: { file, title } }: Row) => `[${basename(file)}](../${file}): ${title}`

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

function cellsOf(row: Row): string[] {
  const { product, published = [], mistake } = row
  const sources = published.map(({ id, url }) => `[${id}](${url})`).join(', ')
  return [...(product === undefined ? [] : [product, sources]), mistake, testOf(row)]
}

function tableOf({ heading, rows }: Table): string {
  const isPublished = rows.some(({ product }) => product !== undefined)
  const columns = [...(isPublished ? ['Product', 'Published as'] : []), 'Mistake', 'Test']
  const table = [columns, columns.map(() => '---'), ...rows.map(cellsOf)].map(line).join('\n')
  return `${heading}\n\n${table}`
}

export const pageOf = (tables: readonly Table[]): string => `${[HEAD, ...tables.map(tableOf)].join('\n\n')}\n`
