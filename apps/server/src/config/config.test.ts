import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { configItems, loadConfig, renamedSettings } from './config.ts'
import { ConfigError } from './define.ts'

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

test('without settings the defaults apply', () => {
  expect(loadConfig({})).toMatchObject({
    port: 8787,
    host: null,
    dataDir: resolve('./data'),
    databaseUrl: null,
    adminUsername: 'admin',
    adminPassword: null,
    trustProxy: false,
    logLevel: 'info',
    fsync: 'always',
  })
  expect(loadConfig({ PORT: '', DATABASE_URL: '', ADMIN_PASSWORD: '' })).toEqual(loadConfig({}))
})

test('all problems are reported together, and the report contains no secret', () => {
  const problems = problemsOf({
    PORT: '70000',
    FSYNC: 'sometimes',
    LOG_LEVEL: 'loud',
    DATABASE_URL: 'mysql://user:SECRET1@host/db',
    ADMIN_PASSWORD: 'SECRET2',
    ENCRYPTION_SECRET: 'SECRET3',
    PUBLIC_URL: 'ftp://x',
    SWEEP_MINUTES: '-1',
  })
  expect(
    problems.map((problem) => problem.split(':')[0] ?? '').toSorted((a, b) => a.localeCompare(b)),
  ).toEqual([
    'ADMIN_PASSWORD',
    'DATABASE_URL',
    'ENCRYPTION_SECRET',
    'FSYNC',
    'LOG_LEVEL',
    'PORT',
    'PUBLIC_URL',
    'SWEEP_MINUTES',
  ])
  expect(problems.join()).not.toMatch(/SECRET\d/)
  expect(problems.join()).toContain('"70000"')
})

test('trusted proxies are addresses, networks or known names', () => {
  for (const text of [
    'false',
    '2',
    '10.0.0.1',
    'loopback, 10.0.0.0/8',
    'fc00::/7',
    '2001:db8::/32',
    '::ffff:10.0.0.0/104',
    '10.0.0.0/255.0.0.0',
  ])
    expect([text, problemsOf({ TRUST_PROXY: text })]).toEqual([text, []])
  for (const text of [
    'nginx',
    '1.2.3.4/99',
    '1.2.3.4/0',
    '0.0.0.0/1',
    '0.0.0.0/128.0.0.0',
    '0.0.0.0/0.0.0.0',
    '10.0.0.0/255.0.255.0',
    '8000::/1',
    '::ffff:0:0/96',
    '::/8',
    '2000::/7',
    '2002::/7',
    '2001::/8',
    'ff00::/8',
    '99999999999999999999',
    ' ',
    '10.0.0.1,',
    'fd00::/255.0.0.0',
  ])
    expect([text, problemsOf({ TRUST_PROXY: text })]).toEqual([
      text,
      [expect.stringMatching(/^TRUST_PROXY: must be false, a number/)],
    ])
})

test('trusting every proxy is refused with a message that contains the alternative', () => {
  expect(problemsOf({ TRUST_PROXY: 'true' })).toEqual([
    expect.stringMatching(/^TRUST_PROXY: true would .* set the number of proxies in front, such as 1, or/),
  ])
})

test('the error for a short token contains the required length', () => {
  expect(problemsOf({ METRICS_TOKEN: 'short' })).toEqual([
    expect.stringContaining('METRICS_TOKEN: must have at least 16 characters'),
  ])
})

test('the documentation of the configuration describes every default', () => {
  const page = readFileSync(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8')
  expect(page).toContain('`OTEL_EXPORTER_OTLP_HEADERS`')
  expect(page).not.toContain('[object')
})

test('published default secrets are refused', () => {
  expect(problemsOf({ ENCRYPTION_SECRET: 'default-encryption-key' })[0]).toContain('published default')
  expect(problemsOf({ ENCRYPTION_SECRET: 'Your-Encryption-Secret' })[0]).toContain('published default')
})

test('a secret can be read from a file; an unreadable one is a problem; the variable itself takes precedence', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dropleaf-config-'))
  const file = join(folder, 'secret')
  writeFileSync(file, '  from a file, long enough\n')
  expect(loadConfig({ ENCRYPTION_SECRET_FILE: file }).encryptionSecret).toBe('from a file, long enough')
  expect(loadConfig({ ADMIN_PASSWORD: 'directly set', ADMIN_PASSWORD_FILE: file }).adminPassword).toBe(
    'directly set',
  )
  expect(problemsOf({ ADMIN_PASSWORD_FILE: join(folder, 'missing') })[0]).toContain('ADMIN_PASSWORD_FILE')
  expect(loadConfig({ PORT_FILE: join(folder, 'missing') }).port).toBe(8787)
  rmSync(folder, { recursive: true })
})

test.each([
  ['false', false],
  ['2', 2],
  ['10.0.0.0/8,127.0.0.1', '10.0.0.0/8,127.0.0.1'],
])('TRUST_PROXY=%s is %j', (text, value) => {
  expect(loadConfig({ TRUST_PROXY: text }).trustProxy).toBe(value)
})

test('every item is documented, and every secret is marked as one', () => {
  for (const item of Object.values(configItems)) {
    expect(item.doc).toMatch(/\.$/)
    expect(item.env).toMatch(/^[A-Z_]+$/)
    expect(item.isSecret ?? false).toBe(/SECRET|PASSWORD|TOKEN|DATABASE_URL|OTLP_HEADERS/.test(item.env))
  }
})

test('several processes are refused with SQLite, which supports only one', () => {
  expect(problemsOf({ WORKERS: '2' })).toEqual([expect.stringContaining('needs PostgreSQL')])
  expect(problemsOf({ WORKERS: '2', DATABASE_URL: 'postgres://a@host/db' })).toEqual([])
  expect(problemsOf({ WORKERS: '1' })).toEqual([])
})

test('an obsolete setting of an earlier version is reported', () => {
  expect(renamedSettings({ DISK_SYNC: 'false' })).toEqual([expect.stringContaining('FSYNC')])
  expect(renamedSettings({ FSYNC: 'never', DISK_SYNC: '' })).toEqual([])
})
