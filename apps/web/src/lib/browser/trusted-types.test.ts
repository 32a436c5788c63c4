// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { ownScript, withoutScripts } from './trusted-types.ts'

test.each([
  '',
  'a < b',
  '<td>cell</td>',
  '<svg viewBox="0 0 1 1"><g class="on"><text>onclick="x()"</text></g></svg>',
  '<a href="https://a.example/javascript:x">a</a><p title="onerror=1">&lt;script&gt;</p>',
  '<style>@media (width < 3rem) { a { color: red } }</style>',
])('HTML that runs nothing stays as it is: %j', (html) => {
  expect(withoutScripts(html)).toBe(html)
})

test.each([
  ['<b>a</b><script>x()</script>', '<b>a</b>'],
  ['<img src="a.png" ONERROR="x()">', '<img src="a.png">'],
  ['<tr><td onclick=x()>a</td></tr>', '<tr><td>a</td></tr>'],
  ['<a href="&#106;ava\nscript:x()">a</a>', '<a>a</a>'],
  ['<svg><a xlink:href=" javascript:x()"><text>a</text></a></svg>', '<svg><a><text>a</text></a></svg>'],
  ['<iframe srcdoc="<p>"></iframe>', '<iframe></iframe>'],
  [
    '<template><template><p onload="x()">a</p></template></template>',
    '<template><template><p>a</p></template></template>',
  ],
  ['<math><mi/onclick=x()>a</mi></math>', '<math><mi>a</mi></math>'],
  ['<svg><script>x()</script></svg>', '<svg></svg>'],
])('what would run is left out of %j', (html, left) => {
  expect(withoutScripts(html)).toBe(left)
})

test('scripts are those of the app alone', () => {
  const { origin } = window.location
  for (const address of ['/assets/a.js', `${origin}/assets/long.worker-1.js`, '/sw.js', `blob:${origin}/1-2`])
    expect([address, ownScript(address)]).toEqual([address, address])
  for (const address of [
    '/api/raw/script',
    '/api/file-view/script',
    '/assets/../api/raw/script',
    '/assets',
    'https://evil.example/assets/a.js',
    'blob:https://evil.example/1-2',
    'data:text/javascript,x()',
    'javascript:x()',
    'http://[',
  ])
    expect([address, ownScript(address)]).toEqual([address, null])
})
