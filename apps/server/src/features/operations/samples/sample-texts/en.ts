import type { SampleTexts } from './index.ts'
import { LEAF_SVG } from './leaf.ts'

const text = `# A weekend by the lake

A sample text: everything on this page is plain Markdown. Press **Edit** to see how it is written, or share it as it is.

[[toc]]

## What to bring

- [x] Tent, two sleeping bags
- [x] Stove and ==one spare gas cartridge==
- [ ] Swimming things
- [ ] The good camera[^camera]

> Meet on **Friday at 17:00** in front of the station. The last bus leaves at 17:40.

## What it costs

| What       | Where            | Amount |
| :--------- | :--------------- | -----: |
| Campsite   | at the gate      |  €48.00 |
| Groceries  | the village shop |  €36.50 |
| Boat       | at the jetty     |  €27.00 |
| **Total**  |                  | **€111.50** |

Shared by three: $\\frac{111.50}{3} \\approx 37.17$ euros each.

## The way there

\`\`\`mermaid
flowchart LR
  Station -->|Bus 12| Village
  Village -->|on foot, 25 min| Lake
  Lake --> Campsite
\`\`\`

## For the curious

A line of code keeps its colours, and a button copies it:

\`\`\`ts
const share = (total: number, people: number) => total / people

console.log(share(111.5, 3).toFixed(2)) // 37.17
\`\`\`

[^camera]: The one with the blue strap. Pictures can be pasted straight into a text.
`

const budget = `Category,Planned,Spent,Left
Travel,60.00,52.40,7.60
Campsite,50.00,48.00,2.00
Groceries,45.00,36.50,8.50
Boat,30.00,27.00,3.00
Ice cream,15.00,18.20,-3.20
`

const readMe = `# This folder is a sample

It lies in a mount: a storage that you can browse like a drive.

- Open a file to look at it, press **Space** to step through all of them.
- Rename, move or copy things, drop files in from your computer.
- Share a file from here without making a copy of it.

Whatever you change or add stays when the samples are removed.
`

const programme = `Saturday
  09:00  Breakfast
  10:30  Rowing to the island
  13:00  Picnic
  16:00  Swimming

Sunday
  09:30  Breakfast
  11:00  Walk around the lake
  15:00  Bus home
`

export const en: SampleTexts = {
  remark: 'Sample: a weekend by the lake',
  text,
  file: { name: 'budget.csv', content: budget },
  folder: {
    name: 'Samples',
    files: [
      { name: 'Read me.md', content: readMe },
      { name: 'Programme.txt', content: programme },
      { name: 'leaf.svg', content: LEAF_SVG },
    ],
  },
}
