import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Test files that take a long time for their size. */
const LONG =
  /\/(?:replicas|large-files|multipart-crash|many-at-once|revoked-tasks|workers|torture|archive)\.int\.test\.ts$/

/**
 * Runs slow files first, so that none of them starts last while the other workers are idle. The other files keep the
 * order of Vitest.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

/** Without this cache, every process would compile the TypeScript sources again. */
const env = { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') }

/** Settings of all projects. Timeouts are generous, so that they catch only hanging tests even on a busy machine. */
const common = {
  setupFiles: [join(import.meta.dirname, 'vitest.setup.ts')],
  expect: { poll: { timeout: 60_000 } },
  testTimeout: 300_000,
  hookTimeout: 300_000,
}

export default defineConfig({
  test: {
    // Twice the cores of a small machine, because tests often wait for PostgreSQL, the S3 gateway and child processes.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // Most objects of a test are short-lived, so a larger young generation saves a tenth of the garbage collection
    // time.
    execArgv: ['--max-semi-space-size=64'],
    projects: [
      {
        test: {
          ...common,
          name: 'unit',
          include: [
            '{packages,apps}/*/src/**/*.test.ts',
            'apps/web/src/**/*.test.tsx',
            'bench/advisories/*.test.ts',
          ],
          exclude: ['**/*.int.test.ts', '**/node_modules/**'],
          // Loading the same modules for each file takes longer than its tests.
          isolate: false,
        },
      },
      {
        test: {
          ...common,
          name: 'storage',
          env,
          include: ['packages/storage/src/**/*.int.test.ts'],
          globalSetup: ['packages/storage/src/testing/gateway.setup.ts'],
        },
      },
      {
        test: {
          ...common,
          name: 'server',
          env,
          include: ['apps/{cli,server}/src/**/*.int.test.ts'],
          isolate: false,
          globalSetup: [
            'apps/server/src/testing/postgres.setup.ts',
            'packages/storage/src/testing/gateway.setup.ts',
            'apps/server/src/testing/drive-clients.setup.ts',
          ],
        },
      },
      { test: { ...common, name: 'packaging', include: ['packaging/**/*.int.test.ts'] } },
    ],
  },
})
