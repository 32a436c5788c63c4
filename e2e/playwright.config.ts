import { defineConfig } from '@playwright/test'
import { LAN_HOST } from './support/lan.ts'

/** Disables requests that Chromium itself sends. They fail slowly on machines without internet access. */
const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Disables the compilers of V8. A page exists only for seconds, so they would take more time than they save.
  '--js-flags=--no-opt --no-maglev --no-sparkplug',
  `--host-resolver-rules=MAP ${LAN_HOST} 127.0.0.1`,
]

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  globalSetup: ['./support/setup/gateway.setup.ts', './support/setup/documents.setup.ts'],
  outputDir: '../.cache/e2e-results',
  forbidOnly: process.env['CI'] !== undefined,
  // The number is one more than the cores of a small machine, because tests spend a third of their time waiting.
  workers: 3,
  // Without this setting, one long file at the end would leave the other workers idle.
  fullyParallel: true,
  // Timeouts are generous, so that they catch only hanging tests even on a busy machine.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    locale: 'en-US',
    timezoneId: 'UTC',
    // Blocks service workers, because routes of a test do not intercept their requests. A few tests allow them, such as
    // those of `offline*.spec.ts`.
    serviceWorkers: 'block',
    // Disables transitions, because they are not tested, and rendering their frames without a graphics card is slow.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // Traces would take a tenth of the time. To debug a failure, use `--trace=retain-on-failure`.
    trace: 'off',
    launchOptions: {
      executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium-headless-shell',
      args: CHROMIUM_ARGS,
      // Sets the locale, because Chromium decodes file names in the encoding of the locale.
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    },
  },
})
