import { startCephGateway } from '@dropleaf/storage/testing/gateway'

/**
 * Uses the S3 server at `TEST_S3_ENDPOINT`. Without it, starts a Ceph RADOS gateway and sets the `TEST_S3_*` variables.
 * The workers read the address and the credentials from these variables. Does nothing with `ALLOW_SKIP=s3`.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['TEST_S3_ENDPOINT'] || process.env['ALLOW_SKIP']?.split(',').includes('s3'))
    return undefined
  const { gateway, stop } = await startCephGateway()
  process.env['TEST_S3_ENDPOINT'] = gateway.endpointUrl
  process.env['TEST_S3_ACCESS_KEY'] = gateway.accessKeyId
  process.env['TEST_S3_SECRET_KEY'] = gateway.secretAccessKey
  return stop
}
