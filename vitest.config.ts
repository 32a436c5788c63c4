import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // One more than a small machine has cores: the suites often wait for PostgreSQL and the S3 gateway.
    maxWorkers: 3,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{packages,apps}/*/src/**/*.test.ts', 'apps/web/src/**/*.test.tsx'],
          exclude: ['**/*.int.test.ts', '**/node_modules/**'],
          // Loading the same modules for each file takes longer than its tests.
          isolate: false,
          // Hundreds of hostile texts in one test, on a machine that does something else too.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'storage',
          include: ['packages/storage/src/**/*.int.test.ts'],
          globalSetup: ['packages/storage/src/testing/gateway.setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'server',
          include: ['apps/{cli,server}/src/**/*.int.test.ts'],
          isolate: false,
          globalSetup: [
            'apps/server/src/testing/postgres.setup.ts',
            'packages/storage/src/testing/gateway.setup.ts',
            'apps/server/src/testing/drive-clients.setup.ts',
          ],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      { test: { name: 'packaging', include: ['packaging/**/*.int.test.ts'] } },
    ],
  },
})
