import { resolve } from 'node:path'
import {
  ADMIN_PASSWORD_MIN_LENGTH,
  ADMIN_USERNAME_MAX_LENGTH,
  findSlugProblem,
  PASSWORD_MAX_LENGTH,
} from '@dropleaf/contract'
import * as z from 'zod/mini'
import { parseAllowList } from '../outbound/addresses.ts'
import { ConfigError, type ConfigOf, defineConfig, item, readConfig } from './define.ts'
import { trustProxy } from './trust-proxy.ts'

const integer = (min: number, max: number) =>
  z.pipe(
    z.string().check(z.regex(/^\d+$/, 'must be a whole number')),
    z.pipe(
      z.transform(Number),
      z
        .int(`must be at most ${max}`)
        .check(z.minimum(min, `must be at least ${min}`), z.maximum(max, `must be at most ${max}`)),
    ),
  )

const httpUrl = z
  .string()
  .check(
    z.refine(
      (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
      'must be an http or https address',
    ),
  )

const basePath = z.pipe(
  z.string().check(
    z.regex(
      /^\/?(?:[\w.~-]+(?:\/[\w.~-]+)*)?\/?$/,
      'must be a path of letters, digits, "-", "_", "." and "~", like /drop',
    ),
    z.refine(
      (text) => !text.split('/').some((name) => /^\.\.?$/.test(name)),
      'must not hold the names "." and ".."',
    ),
    z.refine(
      (text) => findSlugProblem(text.replace(/^\//, '').split('/')[0] ?? '') !== 'reserved',
      'must not begin with a path of the server itself, such as /api',
    ),
  ),
  z.transform((text) =>
    text.replace(/^\/?(.*?)\/?$/, (_match, names: string) => (names === '' ? '' : `/${names}`)),
  ),
)

const allowList = z.pipe(
  z.string().check(z.refine(isAllowList, 'must be hosts, addresses and networks, separated by commas')),
  z.transform((text) => entriesOf(text)),
)

const entriesOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

function isAllowList(text: string): boolean {
  try {
    parseAllowList(entriesOf(text))
    return true
  } catch {
    return false
  }
}

/** Secrets that guides and images publish. Anyone could sign links of a server that uses such a secret. */
const KNOWN_SECRETS = new Set([
  'default-encryption-key',
  'changeme',
  'change-me',
  'secret',
  'your-secret-key',
  'your-encryption-secret',
])

const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, `must be one of ${values.join(', ')}`)

const POSTGRES_FORM =
  'must be like postgres://user:password@host:port/database, with /, ?, # and % of a password percent-encoded'

/** Accepts what the driver accepts. This includes URLs without a host, which mean a local socket. */
const postgresUrl = z.string().check(
  z.regex(/^postgres(ql)?:\/\//, 'must start with postgres://'),
  z.refine((text) => URL.canParse(text) || URL.canParse(text.replace('@/', '@localhost/')), POSTGRES_FORM),
  // A `#` or `@` after the host means that the password contains an unescaped `/`, `?` or `#`. The driver would read
  // the end of the password as the database name, and errors would show it.
  z.refine((text) => !/[#@]/.test(text.replace(/^[^/]*\/\/[^/?#]*/, '')), POSTGRES_FORM),
)

const adminPassword = z
  .string()
  .check(
    z.minLength(ADMIN_PASSWORD_MIN_LENGTH, `must have at least ${ADMIN_PASSWORD_MIN_LENGTH} characters`),
    z.maxLength(PASSWORD_MAX_LENGTH, `must have at most ${PASSWORD_MAX_LENGTH} characters`),
  )

/** Checks the form of an administrator's password. Returns the problem, or `null`. */
export const checkAdminPasswordForm = (password: string): string | null =>
  z.safeParse(adminPassword, password).error?.issues[0]?.message ?? null

const flag = z.pipe(
  z.enum(['true', 'false'], 'must be true or false'),
  z.transform((text) => text === 'true'),
)

const TRACE_SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
export type TraceSampler = (typeof TRACE_SAMPLERS)[number]

const ratio = z.pipe(
  z.string().check(z.regex(/^(?:0|1|0?\.\d+|1\.0+|0\.\d+)$/, 'must be a number from 0 to 1')),
  z.transform(Number),
)

/**
 * Parses `name=value` pairs with percent-encoded values. Returns `null` for invalid text.
 * Source: OpenTelemetry, "OTLP exporter configuration", read 2026-11-23.
 */
function readPairs(text: string): Readonly<Record<string, string>> | null {
  try {
    const pairs = text.split(',').map((pair) => /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair))
    if (pairs.includes(null)) return null
    return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', decodeURIComponent(pair?.[2] ?? '')]))
  } catch {
    // The percent-encoding is invalid.
    return null
  }
}

const keyValues = z.pipe(
  z.string().check(z.refine((text) => readPairs(text) !== null, 'must be name=value,name=value')),
  z.transform((text) => readPairs(text) ?? {}),
)

export const configItems = defineConfig({
  port: item({
    env: 'PORT',
    default: 8787,
    schema: integer(0, 65_535),
    doc: 'TCP port to listen on. 0 picks a free one.',
  }),
  host: item<string | null>({
    env: 'HOST',
    default: null,
    schema: z.string(),
    doc: 'Address to listen on. Without it all those of the machine, of IPv6 as well as of IPv4.',
  }),
  dataDir: item({
    env: 'DATA_DIR',
    default: './data',
    schema: z.string(),
    doc: 'Folder of the SQLite database, the local disk storage and the generated secret.',
  }),
  databaseUrl: item<string | null>({
    env: 'DATABASE_URL',
    default: null,
    isSecret: true,
    schema: postgresUrl,
    doc: 'PostgreSQL to use instead of SQLite, as postgres://user:password@host:port/database. The encoding of the database must be UTF8.',
  }),
  databasePoolSize: item({
    env: 'DATABASE_POOL_SIZE',
    default: 10,
    schema: integer(5, 200),
    doc: 'Largest number of PostgreSQL connections; background work holds a few.',
  }),
  adminUsername: item({
    env: 'ADMIN_USERNAME',
    default: 'admin',
    schema: z.string().check(
      z.maxLength(ADMIN_USERNAME_MAX_LENGTH, `must have at most ${ADMIN_USERNAME_MAX_LENGTH} characters`),
      z.refine((text) => text.trim() === text, 'must not begin or end with a blank'),
    ),
    doc: 'Name of the administrator made at the first start.',
  }),
  adminPassword: item<string | null>({
    env: 'ADMIN_PASSWORD',
    default: null,
    isSecret: true,
    schema: adminPassword,
    doc: 'Password of the administrator made at the first start. Without it a random one is printed once. Later only `npm run reset-password` reads it.',
  }),
  encryptionSecret: item<string | null>({
    env: 'ENCRYPTION_SECRET',
    default: null,
    isSecret: true,
    schema: z.string().check(
      z.minLength(16, 'must have at least 16 characters'),
      z.refine((text) => !KNOWN_SECRETS.has(text.toLowerCase()), 'is a published default; choose your own'),
    ),
    doc: 'Secret from which the keys for stored credentials and signed links are derived. Without it one is generated in DATA_DIR. Replicas share it.',
  }),
  encryptionSecretPrevious: item<string | null>({
    env: 'ENCRYPTION_SECRET_PREVIOUS',
    default: null,
    isSecret: true,
    schema: z.string().check(z.minLength(1)),
    doc: 'The secret that was used so far. Only `npm run rotate-secret` reads it, to seal everything anew with `ENCRYPTION_SECRET`: see [secrets](secrets.md).',
  }),
  publicUrl: item<string | null>({
    env: 'PUBLIC_URL',
    default: null,
    schema: httpUrl,
    doc: 'Address under which people reach the server, for links in answers, with the path of BASE_PATH if that is set. Without it, it is taken from each request.',
  }),
  basePath: item({
    env: 'BASE_PATH',
    default: '',
    schema: basePath,
    doc: 'Path below which the whole product lies, like /drop for https://example.org/drop/. Requests are answered with and without it, so a proxy in front may take it away.',
  }),
  trustProxy: item<false | number | string>({
    env: 'TRUST_PROXY',
    default: false,
    schema: trustProxy,
    doc: 'Which reverse proxies may tell the client address and the scheme: a number of proxies in front, or a list of addresses and networks. The scheme is believed of a proxy on the same machine in any case.',
  }),
  sourceUrl: item<string | null>({
    env: 'SOURCE_URL',
    default: null,
    schema: httpUrl,
    doc: 'Address behind the source code link in the header. Without it there is no link.',
  }),
  logLevel: item({
    env: 'LOG_LEVEL',
    default: 'info',
    schema: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    doc: 'Least severe log lines to print: fatal, error, warn, info, debug, trace or silent.',
  }),
  otelEndpoint: item<string | null>({
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    default: null,
    schema: httpUrl,
    doc: 'Collector of OpenTelemetry that gets traces, by OTLP over HTTP as JSON, at /v1/traces below this address. Without it there are none, and nothing of it is loaded.',
  }),
  otelHeaders: item<Readonly<Record<string, string>>>({
    env: 'OTEL_EXPORTER_OTLP_HEADERS',
    default: {},
    schema: keyValues,
    isSecret: true,
    doc: 'Headers for the collector, as name=value,name=value.',
  }),
  otelServiceName: item({
    env: 'OTEL_SERVICE_NAME',
    default: 'dropleaf',
    schema: z.string().check(z.minLength(1)),
    doc: 'What this server is called in traces.',
  }),
  otelSampler: item<TraceSampler>({
    env: 'OTEL_TRACES_SAMPLER',
    default: 'parentbased_always_on',
    schema: oneOf(TRACE_SAMPLERS),
    doc: `Which traces are kept: ${TRACE_SAMPLERS.join(', ')}.`,
  }),
  otelSamplerArg: item({
    env: 'OTEL_TRACES_SAMPLER_ARG',
    default: 1,
    schema: ratio,
    doc: 'The part of them, from 0 to 1, for the samplers by ratio.',
  }),
  otelDisabled: item({
    env: 'OTEL_SDK_DISABLED',
    default: false,
    schema: flag,
    doc: 'No traces, whatever else is set.',
  }),
  metricsToken: item<string | null>({
    env: 'METRICS_TOKEN',
    default: null,
    schema: z.string().check(z.minLength(16, 'must have at least 16 characters')),
    isSecret: true,
    doc: 'Token, of 16 characters or more, with which Prometheus reads /metrics (Authorization: Bearer …). Without it nothing is counted, and there is no such page.',
  }),
  fsync: item<'always' | 'never'>({
    env: 'FSYNC',
    default: 'always',
    schema: oneOf(['always', 'never']),
    doc: 'Whether a file on the local disk is synced (fsync) before it is acknowledged: always, or never. With never, for local disks alone, a power cut may take the files of the last seconds, and small files are written faster; the end of the process alone loses nothing either way.',
  }),
  diskReserveMb: item({
    env: 'DISK_RESERVE_MB',
    default: 64,
    schema: integer(0, 1_000_000),
    doc: 'Megabytes of the disk that files leave free, and half of which texts leave free where SQLite is the database: on a disk without any room nothing could be removed either. 0 uses the disk to the end.',
  }),
  thumbnailCacheMb: item({
    env: 'THUMBNAIL_CACHE_MB',
    default: 256,
    schema: integer(1, 1_000_000),
    doc: 'Megabytes of thumbnails that are kept in DATA_DIR/thumbnails; those that were not looked at for longest go first.',
  }),
  auditDays: item({
    env: 'AUDIT_DAYS',
    default: 90,
    schema: integer(1, 3650),
    doc: 'Days for which the audit log says what administrators and keys have done.',
  }),
  sweepMinutes: item({
    env: 'SWEEP_MINUTES',
    default: 5,
    schema: integer(1, 1440),
    doc: 'Minutes between two sweeps of expired shares and abandoned uploads.',
  }),
  shutdownSeconds: item({
    env: 'SHUTDOWN_SECONDS',
    default: 30,
    schema: integer(1, 3600),
    doc: 'How long requests in flight may take to finish at shutdown. A second signal, a second or more after the first, ends them at once.',
  }),
  workers: item({
    env: 'WORKERS',
    default: 1,
    schema: integer(1, 64),
    doc: 'Processes that serve on the one port, for machines with several cores. More than one needs `DATABASE_URL`: SQLite is fastest, and safe, with a single process.',
  }),
  urlFetchAllow: item<readonly string[]>({
    env: 'URL_FETCH_ALLOW',
    default: [],
    schema: allowList,
    doc: 'Hosts, addresses and networks beside the public internet that files may be fetched from by address, separated by commas: nas.lan, 192.168.1.0/24.',
  }),
  webRoot: item<string | null>({
    env: 'WEB_ROOT',
    default: null,
    schema: z.string(),
    doc: 'Folder of the built web app. Without it the one of this checkout.',
  }),
})

export type Config = ConfigOf<typeof configItems>

/** Settings of earlier versions, and their new names. */
const RENAMED: Readonly<Record<string, string>> = { DISK_SYNC: 'FSYNC (always or never)' }

/** Returns a warning for each obsolete setting that is set. */
export const renamedSettings = (env: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(RENAMED)
    .filter(([name]) => (env[name] ?? '') !== '')
    .map(([name, now]) => `${name} is ignored: set ${now} instead`)

/**
 * Reads and checks the configuration.
 * @throws {ConfigError} that names all invalid values; if there are none, the first conflict between two settings
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const config = readConfig(configItems, env)
  if (config.workers > 1 && config.databaseUrl === null)
    throw new ConfigError([
      'WORKERS: more than one needs PostgreSQL; set DATABASE_URL, or leave WORKERS out.',
    ])
  const publicPath = config.publicUrl === null ? null : new URL(config.publicUrl).pathname.replace(/\/$/, '')
  if (publicPath !== null && config.basePath !== '' && !publicPath.endsWith(config.basePath))
    throw new ConfigError([
      `PUBLIC_URL: must end in the path of BASE_PATH, like https://example.org${config.basePath}.`,
    ])
  return { ...config, dataDir: resolve(config.dataDir) }
}
