import type { DrawnDocument } from './drawn-document.ts'

/** Style sheet of a standalone page that is viewed, printed or drawn as an image. */
export const PAGE_STYLE = `
:root { color-scheme: light; }
@page { margin: 20mm 18mm; }
body { margin: 0; background: #fff; color: #1b1f1c; }
article { max-width: 720px; margin: 0 auto; padding: 32px 24px; font: 16px/1.7 system-ui, "PingFang SC", "Noto Sans SC", "Noto Sans CJK SC", "Microsoft YaHei", sans-serif; overflow-wrap: anywhere; }
article > :first-child { margin-top: 0; }
h1, h2, h3, h4, h5, h6 { margin: 1.5em 0 0.5em; font-weight: 650; line-height: 1.3; break-after: avoid; }
h1 { font-size: 1.75em; } h2 { font-size: 1.4em; } h3 { font-size: 1.18em; } h4, h5, h6 { font-size: 1em; }
p, ul, ol, blockquote, pre, table, nav { margin: 0 0 1em; }
p { orphans: 3; widows: 3; }
ul, ol { padding-inline-start: 1.6em; }
li > ul, li > ol, li > p { margin: 0.25em 0 0; }
li, td, th { unicode-bidi: plaintext; }
li:has(> input) { list-style: none; }
blockquote { margin-inline: 0; padding-inline-start: 16px; border-inline-start: 3px solid #868f88; color: #58615b; }
code, pre { font-family: ui-monospace, "Cascadia Mono", Menlo, Consolas, "Noto Sans Mono CJK SC", monospace; }
code { padding: 0.15em 0.35em; border-radius: 4px; background: #f2f4f1; font-size: 0.88em; }
pre { padding: 12px 16px; border-radius: 8px; background: #f2f4f1; font-size: 14px; line-height: 1.55; white-space: pre-wrap; break-inside: avoid-page; }
pre code { padding: 0; background: none; font-size: inherit; }
table { border-collapse: collapse; max-width: 100%; font-size: 0.94em; }
th, td { padding: 6px 12px; border: 1px solid #d0d5cf; text-align: start; vertical-align: top; }
th { background: #f2f4f1; font-weight: 600; }
tr { break-inside: avoid; }
thead { display: table-header-group; }
[align=center] { text-align: center; } [align=right] { text-align: right; } [align=left] { text-align: left; }
.front-matter th, .front-matter td { padding: 2px 16px 2px 0; border: 0; background: none; font-weight: 400; font-size: 14px; color: #58615b; }
img { max-width: 100%; height: auto; break-inside: avoid; }
.diagram { display: block; margin: 0 auto 1em; }
.formula { overflow: auto hidden; text-align: center; }
mark { background: #fbecae; }
kbd { padding: 0.1em 0.4em; border: 1px solid #868f88; border-radius: 4px; font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 0.85em; }
sub, sup { line-height: 0; }
details { margin: 0 0 1em; padding: 8px 12px; border: 1px solid #d0d5cf; border-radius: 8px; } summary { font-weight: 600; }
hr { border: 0; border-top: 1px solid #d0d5cf; }
a { color: #256e35; }
.contents ul { list-style: none; } .contents a { text-decoration: none; }
.footnotes, .footnotes-title { font-size: 14px; color: #58615b; }
.footnotes-title { padding-top: 16px; border-top: 1px solid #d0d5cf; }
.footnote-ref, .footnote-back { text-decoration: none; }
.hljs-comment, .hljs-quote, .hljs-meta { color: #58615b; }
.hljs-keyword, .hljs-selector-tag, .hljs-operator, .hljs-tag, .hljs-doctag { color: #b3204d; }
.hljs-string, .hljs-regexp, .hljs-link, .hljs-char { color: #0b5a8a; }
.hljs-number, .hljs-literal, .hljs-symbol, .hljs-bullet, .hljs-variable, .hljs-attr, .hljs-attribute { color: #0550ae; }
.hljs-title, .hljs-name, .hljs-section { color: #6f3cc3; }
.hljs-type, .hljs-built_in, .hljs-property { color: #8a4600; }
.hljs-addition { color: #256e35; } .hljs-deletion { color: #b3261e; }
@media print {
  article { max-width: none; padding: 0; font-size: 11pt; }
  a[href^="http"]:not(:has(img))::after { content: " (" attr(href) ")"; font-size: 0.85em; color: #58615b; }
  table { table-layout: auto; font-size: 9pt; }
  .footnote-back { display: none; }
}
`

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** Returns a standalone HTML page that contains all content. The page sends no requests and runs no scripts. */
export function toPage({ root }: DrawnDocument, title: string, language: string): string {
  const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
  return [
    '<!doctype html>',
    `<html lang="${language}"><head><meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escape(title)}</title><style>${PAGE_STYLE}</style></head>`,
    `<body>${root.outerHTML}</body></html>\n`,
  ].join('\n')
}
