import { expect, test } from 'vitest'
import { namesAddress } from './diagram-addresses.ts'

test.each([
  'flowchart LR\n  A["C:\\data\\files"] --> B[src = 1]',
  'flowchart LR\n  A[call url (twice)] -->|img: a.png| B',
  'sequenceDiagram\n  A->>B: src= is set, \\alpha too',
  'classDiagram\n  class Picture {\n    +String img: path\n    +url() String\n  }',
  'mindmap\n  root\n    icon: https',
])('%j has words alone', (source) => {
  expect(namesAddress(source)).toBe(false)
})

test.each([
  'graph TD\n  A\n  style A fill:url(https://evil.example/x)',
  'graph TD\n  A; classDef x background:url (//evil.example)',
  'graph TD\n  A:::x\n  classDef x fill:u\\72l(//evil.example)',
  'graph TD\n  A@{ img: "https://evil.example/x.png" }',
  'graph TD\n  A@{\n  shape: image\n  img: "//evil.example/x.png"\n  }',
  '%%{init: {"themeCSS": "@import \'https://evil.example\'"}}%%\ngraph TD\n  A',
  '%%{init: {\n"fontFamily": "x;src=url(//evil.example)"\n}}%%\ngraph TD',
  '---\nconfig:\n  themeVariables:\n    primaryColor: "url(//evil.example)"\n---\ngraph TD\n  A',
  'sequenceDiagram\n  rect url(//evil.example)\n  end',
  'sequenceDiagram\n  box url(//evil.example) Words\n  end',
  'C4Context\n  UpdateElementStyle(a, $bgColor="url(//evil.example)")',
  'C4Context\n  Person(a, "b", $sprite="<img src=//evil.example>")',
  'quadrantChart\n  A: [0.1, 0.2] color: url(//evil.example)',
  'graph TD\n  A["<img src=//evil.example>"]',
  'graph TD\n  A["#lt;img\nsrc=//evil.example#gt;"]',
  'graph TD\n  A@{ icon: "https://evil.example',
])('%j is refused', (source) => {
  expect(namesAddress(source)).toBe(true)
})
