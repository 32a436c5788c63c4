interface Operation {
  summary: string
  description: string
  tags: string[]
  parameters: Array<{ name: string; in: string; required: boolean; schema: object }>
  requestBody?: { content: Record<string, { schema?: object }> }
  responses: Record<string, { description: string; content?: Record<string, { schema?: object }> }>
}

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)

const STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 15%, transparent); --soft: color-mix(in srgb, currentColor 65%, transparent); }
body { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem 4rem; font: 15px/1.55 system-ui, "PingFang SC", "Noto Sans SC", "Microsoft YaHei", sans-serif; }
h1 { margin: 0 0 .25rem; } h2 { margin: 2.5rem 0 .5rem; text-transform: capitalize; } p { margin: .25rem 0 1rem; color: var(--soft); }
details { border-top: 1px solid var(--line); } summary { display: flex; flex-wrap: wrap; gap: .75rem; padding: .6rem 0; cursor: pointer; }
summary:focus-visible { outline: 2px solid; outline-offset: 2px; } code, pre { font-family: ui-monospace, Consolas, monospace; font-size: 13px; }
.method { min-width: 4.2em; font-weight: 600; } .what { flex: 1 1 20rem; color: var(--soft); } pre { overflow: auto; padding: .75rem; border: 1px solid var(--line); border-radius: 8px; }
h3 { margin: 1rem 0 .25rem; font-size: 14px; } table { border-collapse: collapse; } td { padding: .15rem 1rem .15rem 0; vertical-align: top; }`

const json = (value: unknown) => `<pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>`

function renderContent(title: string, content: Record<string, { schema?: object }> | undefined): string {
  return Object.entries(content ?? {})
    .map(
      ([type, { schema }]) =>
        `<h3>${title} <code>${escapeHtml(type)}</code></h3>${schema ? json(schema) : ''}`,
    )
    .join('')
}

function renderOperation(method: string, path: string, operation: Operation): string {
  const parameters = operation.parameters
    .map(
      (p) =>
        `<tr><td><code>${escapeHtml(p.name)}</code></td><td>${escapeHtml(p.in)}</td><td><code>${escapeHtml(JSON.stringify(p.schema))}</code></td></tr>`,
    )
    .join('')
  const responses = Object.entries(operation.responses)
  const failures = responses
    .filter(([status]) => status.startsWith('4') || status.startsWith('5'))
    .map(
      ([status, { description }]) =>
        `<tr><td>${status}</td><td><code>${escapeHtml(description)}</code></td></tr>`,
    )
    .join('')
  const success = responses.find(([status]) => status.startsWith('2'))
  return `<details><summary><span class="method">${method.toUpperCase()}</span><code>${escapeHtml(path)}</code><span class="what">${escapeHtml(operation.summary)}</span></summary>
<p>${escapeHtml(operation.description)}</p>
${parameters ? `<h3>Parameters</h3><table>${parameters}</table>` : ''}
${renderContent('Body', operation.requestBody?.content)}
${success ? renderContent(`Answer ${success[0]}`, success[1].content) : ''}
${failures ? `<h3>Failures</h3><table>${failures}</table>` : ''}</details>`
}

/** Renders the OpenAPI document as one HTML page, without scripts and external files. */
export function renderApiDocs(document: Record<string, unknown>): string {
  const paths = document.paths as Record<string, Record<string, Operation>>
  const groups = new Map<string, string[]>()
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags[0] ?? 'api'
      groups.set(tag, [...(groups.get(tag) ?? []), renderOperation(method, path, operation)])
    }
  }
  const body = [...groups]
    .map(([tag, operations]) => `<h2>${escapeHtml(tag)}</h2>${operations.join('')}`)
    .join('')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>API - Dropleaf</title><style>${STYLE}</style></head>
<body><h1>Dropleaf API</h1><p>Every JSON answer holds <code>code</code>, <code>message</code> and <code>success</code>; failures also <code>error.code</code>. The same as a document: <a href="openapi.json">openapi.json</a></p>${body}</body></html>`
}
