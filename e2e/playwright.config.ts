import { defineConfig } from '@playwright/test'
import { LAN_HOST } from './support/lan.ts'

/** Disables Chromium's own requests: they fail slowly on machines without internet access. */
const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A page lives for seconds: optimising compilers would cost more than they save.
  '--js-flags=--no-opt --no-maglev --no-sparkplug',
  `--host-resolver-rules=MAP ${LAN_HOST} 127.0.0.1`,
]

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  globalSetup: ['./support/setup/gateway.setup.ts', './support/setup/documents.setup.ts'],
  outputDir: '../.cache/e2e-results',
  forbidOnly: process.env['CI'] !== undefined,
  // One more than a small machine has cores: a test waits a third of its time.
  workers: 3,
  // Otherwise one long file at the end would leave the other workers idle.
  fullyParallel: true,
  // Timeouts only catch hanging tests, on a machine that is also busy otherwise.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    locale: 'en-US',
    timezoneId: 'UTC',
    // A test's routes do not see the service worker's requests; `offline*.spec.ts` allow it.
    serviceWorkers: 'block',
    // Transitions are not tested, and drawing their frames without a graphics card is slow.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // Traces take a tenth of the time; use `--trace=retain-on-failure` to debug a failure.
    trace: 'off',
    launchOptions: {
      executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium-headless-shell',
      args: CHROMIUM_ARGS,
      // Chromium decodes file names in the encoding of the machine's locale.
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    },
  },
})
