export { temporaryBucket } from '../s3/testing/temporary-bucket.ts'
export type { S3Gateway } from './gateway.setup.ts'
