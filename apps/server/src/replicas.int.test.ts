import { temporaryBucket } from '@dropleaf/storage/testing'
import { expect, inject, test } from 'vitest'
import { createPostgresSchema } from './testing/databases.ts'
import { tortureReplicas } from './testing/torture/replicas.ts'

const gateway = inject('s3Gateway')
const postgresUrl = inject('postgresUrl')

// A longer run: `npm run torture -- --replicas 2`.
test.skipIf(gateway === null || postgresUrl === '')(
  'two replicas behind a balancer, each killed once: nothing acknowledged is lost, nothing is left',
  async () => {
    if (gateway === null) return
    await using bucket = await temporaryBucket()
    const schema = await createPostgresSchema(postgresUrl)
    const { endpointUrl, accessKeyId, secretAccessKey } = gateway
    try {
      const figures = await tortureReplicas({
        replicas: 2,
        kills: 2,
        everyMs: 3000,
        awayMs: 1000,
        seed: 1,
        databaseUrl: schema.url,
        bucket: { endpointUrl, accessKeyId, secretAccessKey, bucket: bucket.bucket },
        clients: 4,
      })
      expect([figures.faults, figures.refusals, figures.bytesLost]).toEqual([[], {}, 0])
      expect(figures.acknowledged).toBeGreaterThan(4)
    } finally {
      await schema.drop()
    }
  },
  240_000,
)
