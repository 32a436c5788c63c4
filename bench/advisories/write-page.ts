import { writeFileSync } from 'node:fs'
import { PAGE, pageOf } from './page.ts'
import { tables } from './tables.ts'

writeFileSync(PAGE, pageOf(tables))
