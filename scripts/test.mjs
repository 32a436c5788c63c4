import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { ensureBuilt, ensureBundled } from './lib/build.mjs'
import { CHROMIUM_MISSING, ensureChromium } from './lib/chromium.mjs'
import { ensureFirefox } from './lib/firefox.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { findNode } from './lib/node.mjs'
import { cacheDirectory } from './lib/paths.mjs'
import { formatCounts, readPlaywrightReport, readVitestReport } from './lib/reports.mjs'
import { runNpm, runTool } from './lib/run.mjs'

/**
 * Runs all tests, even from a fresh clone: installs, checks, tests, builds, and runs the browser tests. After a step
 * that fails, no further group of steps starts. `ALLOW_SKIP=postgres,s3,webdav,chromium,documents` skips tests that
 * need a missing service.
 */
const reports = path.join(cacheDirectory, 'test-reports')
const allowedSkips = new Set((process.env.ALLOW_SKIP ?? '').split(',').map((name) => name.trim()))
const results = []
const notes = []

async function vitest(node, project) {
  const file = path.join(reports, `${project}.json`)
  const args = [
    'run',
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ]
  const code = await runTool(node, 'vitest', 'vitest', args)
  return { code, ...(await readVitestReport(file)) }
}

/** Runs a Vitest project that needs a service. Fails if the service is missing, unless `ALLOW_SKIP` names it. */
async function vitestWith(node, project, { backend, service, skip }) {
  const result = await vitest(node, project)
  if (result.code === 0 && result.byBackend[backend].passed === 0) {
    if (!allowedSkips.has(backend)) {
      console.error(`No test ran on ${service}. ALLOW_SKIP=${backend} accepts that.`)
      return { ...result, code: 1, failed: result.failed + 1 }
    }
    notes.push(`${skip} (ALLOW_SKIP=${backend})`)
  }
  return result
}

function serverTests(node) {
  if (process.env.EVERY_PAIR !== '1')
    notes.push(
      'SQLite with a bucket and PostgreSQL with the disk, the second database or pair of suites that hardly know one, ' +
        'half of the hostile values for each field, ' +
        'the largest numbers of objects, calls and kills, and a file of 2 GiB on the gateway, where it has 256 MiB here ' +
        '(EVERY_PAIR=1 has them)',
    )
  return vitestWith(node, 'server', {
    backend: 'postgres',
    service: 'PostgreSQL',
    skip: 'the server tests on PostgreSQL',
  })
}

/** Bundles the server. The tests read the path of the bundle's folder from `SERVER_BUNDLE`. */
async function bundle(node) {
  process.env.SERVER_BUNDLE = await ensureBundled(node)
  return { code: 0 }
}

const storageTests = (node) =>
  vitestWith(node, 'storage', { backend: 's3', service: 'an S3 server', skip: 'the storage tests on S3' })

function packagingTests(node) {
  if (process.getuid?.() !== 0 || process.platform !== 'linux')
    notes.push("the boot of the image's tree, to which only root on Linux can give a root of its own")
  return vitest(node, 'packaging')
}

async function endToEnd(node) {
  const chromium = await ensureChromium()
  if (chromium === null) {
    if (!allowedSkips.has('chromium')) throw new Error(CHROMIUM_MISSING)
    notes.push('the browser tests (ALLOW_SKIP=chromium)')
    return { code: 0 }
  }
  if (!(await ensureFirefox()))
    notes.push('encrypted bundles in Firefox, which is not installed (firefox-esr)')
  if (process.env.EVERY_WORLD !== '1')
    notes.push(
      'each journey of two worlds in one of them, and two of the three shares that each previewer renders ' +
        '(EVERY_WORLD=1 has them all)',
      'the Word document in LibreOffice (EVERY_WORLD=1 has it, where LibreOffice is installed)',
    )
  if (allowedSkips.has('documents'))
    notes.push('exports read by pandoc and pdftotext, where these are missing (ALLOW_SKIP=documents)')
  const file = path.join(reports, 'e2e.json')
  const env = { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: file }
  const args = ['test', '-c', 'e2e/playwright.config.ts', '--reporter=list,json']
  const code = await runTool(node, '@playwright/test', 'playwright', args, { env })
  return { code, ...(await readPlaywrightReport(file)) }
}

/**
 * The steps in order. The lanes of a group run concurrently, because checks, build and packaging can use the
 * processor while tests wait for services.
 */
const steps = (node) => {
  const unit = { name: 'Unit tests', isSuite: true, run: () => vitest(node, 'unit') }
  const check = {
    name: 'Check: format, lint, types, unused code',
    run: async () => ({ code: await runNpm(['run', '-s', 'check'], { isQuiet: true }) }),
  }
  const storage = { name: 'Storage on Local disk and S3', isSuite: true, run: () => storageTests(node) }
  const build = {
    name: 'Web build and its size budgets',
    run: async () => ({ code: await ensureBuilt({ force: true, isQuiet: true }) }),
  }
  const bundled = { name: 'Bundle of the server', run: () => bundle(node) }
  const packaging = { name: 'Package and tree of the image', isSuite: true, run: () => packagingTests(node) }
  const server = { name: 'Server on SQLite and PostgreSQL', isSuite: true, run: () => serverTests(node) }
  const journeys = { name: 'End to end in Chromium', isSuite: true, run: () => endToEnd(node) }
  return [
    [[unit]],
    [[check], [storage]],
    [
      [build, packaging],
      [bundled, server],
    ],
    [[journeys]],
  ]
}

async function runStep({ name, isSuite = false, run }) {
  console.log(`\n== ${name} ==`)
  const startedAtMs = Date.now()
  let result
  try {
    result = await run()
  } catch (error) {
    console.error(error.message)
    result = { code: 1 }
  }
  const counts = { passed: 0, failed: 0, skipped: 0, ...result }
  const isSilentFailure = counts.code !== 0 && counts.failed === 0
  if (isSilentFailure) counts.failed = 1
  results.push({ name, isSuite, seconds: Math.round((Date.now() - startedAtMs) / 1000), ...counts })
  // Uses the counts, because a service that stops with its tests can change the exit code of the process.
  return counts.code === 0 && counts.failed === 0
}

/** Runs the steps of a lane, and stops after the first failure. @returns whether all steps passed */
async function runLane(lane) {
  for (const step of lane) if (!(await runStep(step))) return false
  return true
}

function printSummary() {
  console.log('\n== Summary ==')
  for (const result of results) {
    const verdict = result.isSuite ? formatCounts(result) : result.code === 0 ? 'ok' : 'failed'
    console.log(`${result.name}: ${verdict} (${result.seconds} s)`)
    for (const [backend, counts] of Object.entries(result.byBackend ?? {})) {
      const ran = counts.passed + counts.failed
      if (ran > 0) console.log(`  on ${backend}: ${ran} tests`)
    }
  }
  for (const { name, madeAgain = 0, faults = ['see "flaky" above'] } of results)
    if (madeAgain > 0) console.log([`${name}: ${madeAgain} passed only in a retry`, ...faults].join('\n  '))
  for (const { name, broken = [] } of results)
    for (const message of broken) console.log(`${name}: failed outside of its tests: ${message}`)
  for (const note of notes) console.log(`Skipped: ${note}`)
  const sum = (field) => results.reduce((total, result) => total + result[field], 0)
  console.log(formatCounts({ passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }))
}

async function main() {
  await rm(reports, { recursive: true, force: true })
  await mkdir(reports, { recursive: true })
  await ensureInstalled()
  const node = await findNode()
  for (const lanes of steps(node)) {
    const passed = await Promise.all(lanes.map(runLane))
    if (!passed.every(Boolean)) {
      process.exitCode = 1
      break
    }
  }
}

try {
  await main()
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
  results.push({ name: 'Preparation', isSuite: false, seconds: 0, code: 1, passed: 0, failed: 1, skipped: 0 })
}
printSummary()
