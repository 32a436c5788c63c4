import { startCephGateway } from '@dropleaf/storage/testing/gateway'

/**
 * Uses the S3 server of `TEST_S3_ENDPOINT`, or starts a Ceph RADOS gateway. The workers read its address from the same
 * variables.
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
