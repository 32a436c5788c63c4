import type { TestProject } from 'vitest/node'
import { startCephGateway } from './ceph-gateway.ts'

export interface S3Gateway {
  endpointUrl: string
  accessKeyId: string
  secretAccessKey: string
  /**
   * Endpoint that expects the bucket in the host name, with host names that tests can resolve; null if there is none.
   */
  virtualHostUrl: string | null
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The S3 server for the suites; null if `ALLOW_SKIP=s3` permits its absence. */
    s3Gateway: S3Gateway | null
  }
}

type Started = Awaited<ReturnType<typeof startCephGateway>>

/** The gateway is shared within the process, because each project of the run loads this module again. */
const shared = globalThis as typeof globalThis & {
  dropleafGateway?: { users: number; readonly started: Promise<Started> } | undefined
}

async function joinGateway(): Promise<{ gateway: S3Gateway; leave: () => Promise<void> }> {
  const one = (shared.dropleafGateway ??= { users: 0, started: startCephGateway() })
  one.users += 1
  const { gateway, stop } = await one.started
  const leave = async () => {
    one.users -= 1
    if (one.users === 0) await stop()
  }
  return { gateway, leave }
}

/** Uses the S3 server of `TEST_S3_ENDPOINT`, or starts a Ceph RADOS gateway for the run. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const { TEST_S3_ENDPOINT: endpointUrl, TEST_S3_VIRTUAL_HOST_ENDPOINT: virtualHostUrl } = process.env
  if (endpointUrl) {
    const { TEST_S3_ACCESS_KEY: accessKeyId = '', TEST_S3_SECRET_KEY: secretAccessKey = '' } = process.env
    const gateway = { endpointUrl, accessKeyId, secretAccessKey, virtualHostUrl: virtualHostUrl ?? null }
    project.provide('s3Gateway', gateway)
    return undefined
  }
  try {
    const { gateway, leave } = await joinGateway()
    project.provide('s3Gateway', gateway)
    return leave
  } catch (error) {
    if (process.env.ALLOW_SKIP?.split(',').includes('s3')) {
      console.log(`ALLOW_SKIP skips the S3 suites: ${(error as Error).message}`)
      project.provide('s3Gateway', null)
      return undefined
    }
    throw new Error(
      `No S3 server for the tests: ${(error as Error).message} Set TEST_S3_ENDPOINT, TEST_S3_ACCESS_KEY and TEST_S3_SECRET_KEY to one that may be filled, or ALLOW_SKIP=s3.`,
      { cause: error },
    )
  }
}
