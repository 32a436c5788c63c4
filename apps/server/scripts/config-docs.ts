import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { configItems } from '../src/config/config.ts'

const TARGET = fileURLToPath(new URL('../../../docs/configuration.md', import.meta.url))

function showDefault(value: string | number | boolean | object | null): string {
  if (value === null) return 'none'
  if (typeof value === 'object') return Object.keys(value).length === 0 ? 'empty' : JSON.stringify(value)
  return value === '' ? 'empty' : `\`${value}\``
}

const rows = Object.values(configItems).map((item) => {
  const name = item.isSecret ? `\`${item.env}\`, \`${item.env}_FILE\`` : `\`${item.env}\``
  return `| ${name} | ${showDefault(item.default)} | ${item.doc} |`
})

writeFileSync(
  TARGET,
  `# Configuration

Made by \`npm run docs:config\` from the code; do not edit it by hand.

Everything is optional and read once, at the start, from the environment. The server refuses to start when a value is not
valid, and names every problem at once. A secret may also be read from the file that \`NAME_FILE\` names. What an
administrator changes while the server runs (largest upload, WebDAV upload mode, how long a device may open a share
again) lives in the database, under settings.

| Variable | Default | Meaning |
| --- | --- | --- |
${rows.join('\n')}
`,
)
