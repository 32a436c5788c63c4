import type { DavPropertyRow } from '../../foundation/object-properties/properties.repository.ts'
import { inferMimeType } from '../../../lib/mime.ts'
import type { PropertyQuery } from './bodies.models.ts'
import { propstat, response, SUPPORTED_LOCKS, writeNames } from './multistatus.models.ts'
import { DAV_NAMESPACE, escapeText, type XmlName } from './xml.models.ts'

/** One file or folder in a `PROPFIND` response. */
export interface Described {
  readonly href: string
  readonly name: string
  readonly isFolder: boolean
  readonly sizeBytes: number
  readonly modifiedAtMs: number | null
  /** Etag of the file; empty for a folder. */
  readonly etag: string
  readonly dead: readonly DavPropertyRow[]
  /** XML of the `DAV:activelock` elements. */
  readonly locks: string
  /** Quota in bytes. Set only for folders, if the quota is requested and known. */
  readonly quota: { readonly usedBytes: number; readonly availableBytes: number | null } | null
}

const element = (name: string, text: string) => `<D:${name}>${escapeText(text)}</D:${name}>`

const number = (name: string, value: number) => `<D:${name}>${value}</D:${name}>`

type LiveProperty = (of: Described) => string | null

const forFile =
  (read: (of: Described) => string): LiveProperty =>
  (of) =>
    of.isFolder ? null : read(of)

/** Live properties that a request for all properties returns, in this order. */
const LIVE: ReadonlyMap<string, LiveProperty> = new Map(
  Object.entries<LiveProperty>({
    resourcetype: ({ isFolder }) =>
      isFolder ? '<D:resourcetype><D:collection/></D:resourcetype>' : '<D:resourcetype/>',
    displayname: ({ name }) => element('displayname', name),
    getcontentlength: forFile(({ sizeBytes }) => `<D:getcontentlength>${sizeBytes}</D:getcontentlength>`),
    getlastmodified: ({ modifiedAtMs }) =>
      modifiedAtMs === null
        ? null
        : `<D:getlastmodified>${new Date(modifiedAtMs).toUTCString()}</D:getlastmodified>`,
    getetag: forFile(({ etag }) => element('getetag', `"${etag}"`)),
    getcontenttype: forFile(({ name }) => element('getcontenttype', inferMimeType(name))),
    supportedlock: () => SUPPORTED_LOCKS,
    lockdiscovery: ({ locks }) =>
      locks === '' ? '<D:lockdiscovery/>' : `<D:lockdiscovery>${locks}</D:lockdiscovery>`,
  }),
)

/** The property in which Windows stores a file's modification time. */
export const WIN32_TIME: XmlName = {
  namespace: 'urn:schemas-microsoft-com:',
  name: 'Win32LastModifiedTime',
}

/** Live properties that are only returned if requested by name. Source: RFC 4331, sections 3 and 4, read 2026-11-22. */
const ASKED: ReadonlyMap<string, LiveProperty> = new Map(
  Object.entries<LiveProperty>({
    'quota-used-bytes': ({ quota }) => quota && number('quota-used-bytes', quota.usedBytes),
    'quota-available-bytes': ({ quota }) => {
      const bytes = quota?.availableBytes ?? null
      return bytes === null ? null : number('quota-available-bytes', bytes)
    },
  }),
)

const liveProperty = ({ namespace, name }: XmlName): LiveProperty | undefined =>
  namespace === DAV_NAMESPACE ? (LIVE.get(name) ?? ASKED.get(name)) : undefined

/** Live properties that clients can override. */
const SETTABLE: ReadonlySet<string> = new Set(['displayname'])

/** Whether clients are forbidden to set a property. */
export const isProtected = (property: XmlName): boolean =>
  liveProperty(property) !== undefined && !SETTABLE.has(property.name)

/** Returns the client-set properties that a request needs. */
export function questionOf(query: PropertyQuery): 'all' | 'names' | readonly XmlName[] {
  if (query.kind !== 'some') return query.kind
  return query.names.filter((name) => !isProtected(name))
}

export const wantsLocks = (query: PropertyQuery): boolean =>
  query.kind === 'all' || (query.kind === 'some' && query.names.some((name) => isSame(name, LOCK_DISCOVERY)))

export const wantsQuota = (query: PropertyQuery): boolean =>
  query.kind !== 'names' &&
  (query.kind === 'some' ? query.names : query.more).some(
    ({ namespace, name }) => namespace === DAV_NAMESPACE && ASKED.has(name),
  )

const LOCK_DISCOVERY: XmlName = { namespace: DAV_NAMESPACE, name: 'lockdiscovery' }

const isSame = (a: XmlName, b: XmlName) => a.name === b.name && a.namespace === b.namespace

type Describe = (of: Described) => string

function describeAll(more: readonly XmlName[]): Describe {
  const others = more.filter((name) => !(name.namespace === DAV_NAMESPACE && LIVE.has(name.name)))
  const rest = describeSome(others)
  return (of) => {
    const own = (name: string) => of.dead.some((row) => isSame(row, { namespace: DAV_NAMESPACE, name }))
    const found: string[] = []
    for (const [name, read] of LIVE) {
      const xml = of.dead.length > 0 && own(name) ? null : read(of)
      if (xml !== null) found.push(xml)
    }
    for (const row of of.dead) found.push(row.xml)
    const { present, absent } = rest(of)
    return propstat(200, [...found, ...present.filter((xml) => !found.includes(xml))]) + propstat(404, absent)
  }
}

function describeSome(names: readonly XmlName[]) {
  const asked = names.map((name) => ({ name, read: liveProperty(name) }))
  return (of: Described): { present: string[]; absent: string[] } => {
    const present: string[] = []
    const absent: XmlName[] = []
    for (const { name, read } of asked) {
      const dead = of.dead.length > 0 ? of.dead.find((row) => isSame(row, name))?.xml : undefined
      const xml = dead ?? read?.(of) ?? null
      if (xml === null) absent.push(name)
      else present.push(xml)
    }
    return { present, absent: writeNames(absent) }
  }
}

function describeNames(of: Described): string {
  const names = [...LIVE]
    .filter(([, read]) => read(of) !== null)
    .map(([name]) => ({ namespace: DAV_NAMESPACE, name }))
  const dead = of.dead.filter((row) => !names.some((name) => isSame(name, row)))
  return propstat(200, writeNames([...names, ...dead]))
}

function describer(query: PropertyQuery): Describe {
  switch (query.kind) {
    case 'names':
      return describeNames
    case 'all':
      return describeAll(query.more)
    case 'some': {
      const describe = describeSome(query.names)
      return (of) => {
        const { present, absent } = describe(of)
        // A response element must contain a propstat, even an empty one.
        return present.length + absent.length === 0
          ? '<D:propstat><D:prop/><D:status>HTTP/1.1 200 OK</D:status></D:propstat>'
          : propstat(200, present) + propstat(404, absent)
      }
    }
  }
}

/** Returns a function that writes the response element of a resource. */
export function responseWriter(query: PropertyQuery): (of: Described) => string {
  const describe = describer(query)
  return (of) => response(of.href, describe(of))
}
