import { readFile } from 'node:fs/promises'

const emptyCounts = () => ({ passed: 0, failed: 0, skipped: 0 })

/**
 * @returns counts of a Vitest JSON report, in total and for each database and storage in the titles of suites.
 *   `madeAgain` counts tests that passed only in a retry; their failures are in `faults`. `broken` counts failures
 *   outside of any test, for example in a hook.
 */
export async function readVitestReport(file) {
  const report = await readJson(file)
  const counts = emptyCounts()
  const byBackend = { sqlite: emptyCounts(), postgres: emptyCounts(), disk: emptyCounts(), s3: emptyCounts() }
  const faults = []
  const broken = []
  for (const testFile of report?.testResults ?? []) {
    const isBroken =
      (testFile.status === 'failed' || Boolean(testFile.message)) &&
      testFile.assertionResults.every(({ status }) => status !== 'failed')
    if (isBroken) {
      counts.failed += 1
      broken.push(`${testFile.name}: ${testFile.message}`)
    }
    for (const test of testFile.assertionResults) {
      const outcome = test.status === 'passed' || test.status === 'failed' ? test.status : 'skipped'
      counts[outcome] += 1
      if (outcome === 'passed' && test.failureMessages.length > 0)
        faults.push(`${test.fullName}: ${test.failureMessages[0].split('\n', 1)[0]}`)
      for (const [backend, ofBackend] of Object.entries(byBackend)) {
        if (test.ancestorTitles.some((title) => title.includes(`[${backend}]`))) ofBackend[outcome] += 1
      }
    }
  }
  return { ...counts, byBackend, madeAgain: faults.length, faults, broken }
}

/** @returns counts of a Playwright JSON report. */
export async function readPlaywrightReport(file) {
  const stats = (await readJson(file))?.stats
  if (!stats) return emptyCounts()
  const { expected, flaky, unexpected, skipped } = stats
  return { passed: expected + flaky, failed: unexpected, skipped, madeAgain: flaky }
}

async function readJson(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return null
  }
}

export function formatCounts({ passed, failed, skipped }) {
  const base = `${passed} passed, ${failed} failed`
  return skipped > 0 ? `${base}, ${skipped} skipped` : base
}
