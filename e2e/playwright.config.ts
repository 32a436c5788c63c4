import { defineConfig } from '@playwright/test'
import { LAN_HOST } from './support/lan.ts'

/** Chromium's own calls home are switched off: they fail slowly on machines without internet access. */
const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A page lives for seconds: what compilers would save later costs more than it gives.
  '--js-flags=--no-opt --no-maglev --no-sparkplug',
  `--host-resolver-rules=MAP ${LAN_HOST} 127.0.0.1`,
]

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  globalSetup: ['./support/gateway.setup.ts', './support/documents.setup.ts'],
  outputDir: '../.cache/e2e-results',
  forbidOnly: process.env['CI'] !== undefined,
  // One more than a small machine has cores: a journey waits a third of its time.
  workers: 3,
  // One long file at the end would leave the other worker without work.
  fullyParallel: true,
  // Limits of time only catch what hangs, on a machine that does something else too.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    locale: 'en-US',
    timezoneId: 'UTC',
    // What the service worker fetches is not seen by a test's own routes; `offline*.spec.ts` allow it.
    serviceWorkers: 'block',
    // Nothing is to be seen of a transition, and drawing its frames without a graphics card is slow.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // Traces take a tenth of the time; `--trace=retain-on-failure` has them for whoever looks for a fault.
    trace: 'off',
    launchOptions: {
      executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium-headless-shell',
      args: CHROMIUM_ARGS,
      // It takes the names of files for what the language of the machine says that they are.
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    },
  },
})
