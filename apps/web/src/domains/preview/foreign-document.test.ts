// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { foreignOrigins, sanitiseDocument } from './foreign-document.ts'

test('the hosts of the pictures and recordings of a page are listed', () => {
  const html =
    '<style>p { background: url("https://styles.example/a.png") }</style><img src="http://one.example:81/a.png">' +
    '<img src="/own.png" srcset="//two.example/b.png 2x"><video poster="https://one.example/p.jpg"></video>' +
    '<a href="https://link.example">x</a><img src="data:image/png;base64,AA//">'
  expect(foreignOrigins(html)).toEqual([
    'https://styles.example',
    'http://one.example:81',
    'http://two.example',
    'https://one.example',
  ])
  expect(foreignOrigins('<base href="https://base.example/"><img src="a.png">//')).toEqual([
    'https://base.example',
  ])
  expect(foreignOrigins('<p>http://text.example</p>')).toEqual([])
})

test('a document keeps the URLs of its pictures, and no others to external hosts', () => {
  document.body.innerHTML =
    '<img src="https://one.example/a.png" onerror="x()" srcset="https://two.example/b.png 2x"><a href="https://c.example">x</a>' +
    '<img src="other.png"><iframe src="https://d.example"></iframe><a href="#here">y</a>'
  sanitiseDocument(document.body)
  expect(document.body.innerHTML).toBe(
    '<img src="https://one.example/a.png"><a>x</a><img><a href="#here">y</a>',
  )
})
