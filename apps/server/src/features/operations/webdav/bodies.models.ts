import { webdavErrors } from '@dropleaf/contract'
import { AppError } from '../../../lib/app-error.ts'
import type { LockRequest } from '../../foundation/object-locks/locks.usecases.ts'
import {
  PROPERTIES_MAX_LENGTH,
  type PropertyChange,
} from '../../foundation/object-properties/properties.usecases.ts'
import {
  elementsIn,
  findIn,
  isDav,
  parseXml,
  withLanguageOf,
  writeElement,
  type XmlElement,
  type XmlName,
} from './xml.models.ts'

const invalid = (detail: string) => new AppError(webdavErrors.xml_invalid, { params: { detail } })

/** The properties that a `PROPFIND` request lists. */
export type PropertyQuery =
  | { readonly kind: 'all'; readonly more: readonly XmlName[] }
  | { readonly kind: 'names' }
  | { readonly kind: 'some'; readonly names: readonly XmlName[] }

/**
 * Maximum number of requested properties. The number is limited, because each property is returned for every resource.
 * Clients request about twenty.
 */
const NAMES_MAX = 200
/** Maximum total length of the names and their namespaces, in characters. */
const NAMES_MAX_LENGTH = 8 * 1024

/**
 * Returns the distinct names of the child elements.
 * @throws {AppError} `webdav.xml_invalid` for too many or too long names
 */
function namesIn(element: XmlElement | undefined): XmlName[] {
  if (!element) return []
  const names = new Map(
    elementsIn(element).map(({ namespace, name }) => [`${namespace} ${name}`, { namespace, name }]),
  )
  if (names.size > NAMES_MAX) throw invalid(`it names more than ${NAMES_MAX} properties`)
  if ([...names.keys()].join('').length > NAMES_MAX_LENGTH)
    throw invalid('the names of the properties that it asks for are too long')
  return [...names.values()]
}

/** @param text the body; empty for all properties. @throws {AppError} `webdav.xml_invalid` */
export function parsePropertyQuery(text: string): PropertyQuery {
  if (text === '') return { kind: 'all', more: [] }
  const root = parseXml(text)
  if (!isDav(root, 'propfind')) throw invalid('the outermost element must be DAV:propfind')
  const prop = findIn(root, 'prop')
  if (prop) return { kind: 'some', names: namesIn(prop) }
  if (findIn(root, 'propname')) return { kind: 'names' }
  if (findIn(root, 'allprop')) return { kind: 'all', more: namesIn(findIn(root, 'include')) }
  throw invalid('DAV:propfind must hold prop, propname or allprop')
}

/** One change in a `PROPPATCH` request. */
export interface ReadPropertyChange extends PropertyChange {
  /** The parsed value. */
  readonly element: XmlElement
}

/**
 * Maximum number of changes. Each change is a statement in one transaction, which blocks other writes. Clients change
 * only a few properties.
 */
const CHANGES_MAX = 500

/** A property to set or remove. */
interface Step {
  readonly isSet: boolean
  readonly element: XmlElement
  /** Ancestors of the element, outermost first. */
  readonly around: readonly XmlElement[]
}

function stepsIn(root: XmlElement): Step[] {
  if (!isDav(root, 'propertyupdate')) throw invalid('the outermost element must be DAV:propertyupdate')
  const steps: Step[] = []
  for (const step of elementsIn(root)) {
    const isSet = isDav(step, 'set')
    if (!isSet && !isDav(step, 'remove')) continue
    const prop = findIn(step, 'prop')
    if (!prop) throw invalid('DAV:set and DAV:remove must hold DAV:prop')
    for (const element of elementsIn(prop)) steps.push({ isSet, element, around: [root, step, prop] })
  }
  if (steps.length === 0) throw invalid('it changes nothing')
  if (steps.length > CHANGES_MAX) throw invalid(`it changes more than ${CHANGES_MAX} properties`)
  return steps
}

/**
 * Parses the changes in order. @throws {AppError} `webdav.xml_invalid`, also for too many changes;
 * `webdav.properties_full`
 */
export function parsePropertyUpdate(text: string): ReadPropertyChange[] {
  // The result can be far longer than the input, because namespaces are repeated.
  let leftLength = PROPERTIES_MAX_LENGTH
  return stepsIn(parseXml(text)).map(({ isSet, element, around }) => {
    const { namespace, name } = element
    if (!isSet) return { namespace, name, xml: null, element }
    const xml = writeElement(withLanguageOf(element, around), leftLength)
    if (xml === null) throw new AppError(webdavErrors.properties_full)
    leftLength -= xml.length
    return { namespace, name, xml, element }
  })
}

/**
 * Maximum length of a lock's owner in characters, enough for a name and one or two addresses. Every response about a
 * locked resource contains the owner.
 */
const OWNER_MAX_LENGTH = 1024

/** @throws {AppError} `webdav.xml_invalid` */
export function parseLockInfo(text: string): Pick<LockRequest, 'isExclusive' | 'ownerXml'> {
  const root = parseXml(text)
  if (!isDav(root, 'lockinfo')) throw invalid('the outermost element must be DAV:lockinfo')
  const scope = findIn(root, 'lockscope')
  const type = findIn(root, 'locktype')
  const isExclusive = scope !== undefined && findIn(scope, 'exclusive') !== undefined
  const isShared = scope !== undefined && findIn(scope, 'shared') !== undefined
  if (isExclusive === isShared) throw invalid('DAV:lockscope must hold exclusive or shared')
  if (!type || !findIn(type, 'write')) throw invalid('DAV:locktype must hold write')
  const owner = findIn(root, 'owner')
  const ownerXml = owner ? writeElement(owner, OWNER_MAX_LENGTH) : ''
  if (ownerXml === null) throw invalid(`DAV:owner is longer than ${OWNER_MAX_LENGTH} characters`)
  return { isExclusive, ownerXml }
}
