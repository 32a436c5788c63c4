import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { namesOfTitle } from '../advisories/model.ts'
import { runIn } from './source-copy.ts'

/** Result of all tests with one title; `failures` contains their messages. */
export interface Outcome {
  readonly passed: number
  readonly failures: readonly string[]
}

export interface Ran {
  readonly outcomes: ReadonlyMap<string, Outcome>
  readonly output: string
}

interface Wanted {
  readonly folder: string
  readonly file: string
  readonly titles: readonly string[]
}

interface Told {
  readonly name: string
  readonly status: string
  readonly failures: readonly string[]
}

const LIMIT_MS = 600_000

export const isJourney = (file: string): boolean => file.startsWith('e2e/')

function projectOf(file: string): string {
  if (!file.endsWith('.int.test.ts')) return 'unit'
  return file.startsWith('packages/storage/') ? 'storage' : 'server'
}

function readReport(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    // No test could run, so there is no report.
    return {}
  }
}

interface VitestReport {
  readonly testResults?: readonly {
    readonly assertionResults: readonly { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}

async function runVitest({ folder, file, titles }: Wanted, report: string) {
  const names = titles.map((title) => namesOfTitle(title).source).join('|')
  const { output } = await runIn(
    [
      process.execPath,
      'node_modules/vitest/vitest.mjs',
      'run',
      `--project=${projectOf(file)}`,
      file,
      `--testNamePattern=${names}`,
      '--retry=0',
      ...(titles.length === 1 ? ['--bail=1'] : []),
      '--reporter=json',
      `--outputFile=${report}`,
    ],
    { folder, limitMs: LIMIT_MS },
  )
  const { testResults = [] } = readReport(report) as VitestReport
  const told = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .map((one): Told => ({ name: one.fullName, status: one.status, failures: one.failureMessages }))
  return { told, output }
}

interface Suite {
  readonly suites?: readonly Suite[]
  readonly specs?: readonly {
    readonly title: string
    readonly tests: readonly {
      results: readonly { status: string; errors: readonly { message?: string }[] }[]
    }[]
  }[]
}

const specsOf = ({ suites = [], specs = [] }: Suite): NonNullable<Suite['specs']>[number][] => [
  ...specs,
  ...suites.flatMap(specsOf),
]

async function runPlaywright({ folder, file, titles }: Wanted, report: string) {
  const names = titles.map((title) => namesOfTitle(title).source).join('|')
  const { output } = await runIn(
    [
      process.execPath,
      'node_modules/@playwright/test/cli.js',
      'test',
      '--config=e2e/playwright.config.ts',
      file,
      `--grep=${names}`,
      '--retries=0',
      '--reporter=json',
    ],
    { folder, env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report }, limitMs: LIMIT_MS },
  )
  const told = specsOf(readReport(report) as Suite).flatMap(({ title, tests }) =>
    tests
      .flatMap(({ results }) => results)
      .map(({ status, errors }): Told => ({
        name: title,
        status: status === 'passed' || status === 'skipped' ? status : 'failed',
        failures: errors.map(({ message = '' }) => message),
      })),
  )
  return { told, output }
}

/** Runs the tests with these titles once in a copy of the sources. */
export async function runNamed(wanted: Wanted): Promise<Ran> {
  const report = join(wanted.folder, '.cache', 'named-tests.json')
  rmSync(report, { force: true })
  const { told, output } = await (isJourney(wanted.file) ? runPlaywright : runVitest)(wanted, report)
  const outcomes = new Map(
    wanted.titles.map((title): [string, Outcome] => {
      const ofTitle = told.filter(({ name }) => namesOfTitle(title).test(name))
      const failed = ofTitle.filter(({ status }) => status === 'failed')
      return [
        title,
        {
          passed: ofTitle.filter(({ status }) => status === 'passed').length,
          failures: failed.map(({ failures }) => failures.join('\n')),
        },
      ]
    }),
  )
  return { outcomes, output }
}

/** Whether a failed expectation is the cause of a failure, and not a broken test setup or a timeout. */
export const isNoticed = (failure: string): boolean =>
  /AssertionError|\bexpect\(|instead of (?:resolving|rejecting)|Property failed after/.test(failure) &&
  !/Test timeout of|timed out in/.test(failure)
