import type { Table } from './model.ts'
import { access } from './rows/access.ts'
import { alistAndOpenlist } from './rows/alist-and-openlist.ts'
import { correctness } from './rows/correctness.ts'
import { erugoAndCloudreve } from './rows/erugo-and-cloudreve.ts'
import { fileBrowser } from './rows/file-browser.ts'
import { fileBrowserQuantum } from './rows/file-browser-quantum.ts'
import { gokapiAndPrivatebin } from './rows/gokapi-and-privatebin.ts'
import { moreCorrectness } from './rows/more-correctness.ts'
import { opening } from './rows/opening.ts'
import { sealed } from './rows/sealed.ts'
import { otherProducts } from './rows/other-products.ts'
import { secrets } from './rows/secrets.ts'

export const tables: readonly Table[] = [
  {
    heading: '## Faults of other products',
    rows: [
      ...fileBrowser,
      ...fileBrowserQuantum,
      ...gokapiAndPrivatebin,
      ...erugoAndCloudreve,
      ...alistAndOpenlist,
      ...otherProducts,
    ],
  },
  {
    heading: `## Faults of CloudPaste 0.7.0

The product is compatible with the interface of CloudPaste 0.7.0. These faults of it were found by reading and testing it, and are not repeated here.

### Access and secrets`,
    rows: [...access, ...secrets],
  },
  { heading: '### Correctness', rows: [...correctness, ...moreCorrectness] },
  { heading: '## Faults around opening shares', rows: opening },
  { heading: '## Faults around end-to-end encryption', rows: sealed },
]
