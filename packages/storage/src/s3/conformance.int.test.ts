import { inject } from 'vitest'
import { storageConformance } from '../conformance.ts'
import { temporaryBucket } from './testing/temporary-bucket.ts'

async function makeDriver() {
  const bucket = await temporaryBucket()
  return { driver: bucket.driver, reopen: bucket.open, cleanup: bucket.remove }
}

storageConformance('S3 gateway [s3]', inject('s3Gateway') === null ? null : makeDriver)
