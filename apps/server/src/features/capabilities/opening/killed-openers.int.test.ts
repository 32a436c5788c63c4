import { expect, inject, test } from 'vitest'
import { createPostgresSchema } from '../../../testing/databases.ts'
import { openUnderKills } from '../../../testing/opening-load.ts'

const KILLS = 3
const TIMEOUT_MS = 240_000

// To run a longer version: `node bench/openers.ts --kills 100`.
const TITLE =
  'after a crash between view and response, only the same device gets the contents with a repeated request'

const run = (databaseUrl: string | null) =>
  openUnderKills({ kills: KILLS, databaseUrl, shares: 6, devices: 3 })

test(
  `[sqlite] ${TITLE}`,
  async () => {
    const { faults, answered, recovered, unopened } = await run(null)
    expect([faults, answered + recovered + unopened]).toEqual([[], KILLS * 6])
  },
  TIMEOUT_MS,
)

test.skipIf(inject('postgresUrl') === '')(
  `[postgres] ${TITLE}`,
  async () => {
    const schema = await createPostgresSchema(inject('postgresUrl'))
    try {
      const { faults, answered, recovered, unopened } = await run(schema.url)
      expect([faults, answered + recovered + unopened]).toEqual([[], KILLS * 6])
    } finally {
      await schema.drop()
    }
  },
  TIMEOUT_MS,
)
