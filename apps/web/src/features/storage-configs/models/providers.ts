import { LOCAL_DISK_PROVIDER } from '@dropleaf/contract'

/** The providers that the storage form offers. */
export const PROVIDERS = [
  'Cloudflare R2',
  'Backblaze B2',
  'AWS S3',
  'Aliyun OSS',
  'Other',
  LOCAL_DISK_PROVIDER,
] as const

/** Placeholder for the user's account in an endpoint. */
export const PLACEHOLDER = 'ACCOUNT_ID'

/** Initial form values for a provider. */
export interface ProviderTemplate {
  readonly endpoint: string
  readonly region: string
  readonly pathStyle: boolean
}

const TEMPLATES: Readonly<Record<string, ProviderTemplate>> = {
  'Cloudflare R2': {
    endpoint: `https://${PLACEHOLDER}.r2.cloudflarestorage.com`,
    region: 'auto',
    pathStyle: false,
  },
  'Backblaze B2': {
    endpoint: 'https://s3.us-west-004.backblazeb2.com',
    region: 'us-west-004',
    pathStyle: true,
  },
  'AWS S3': { endpoint: 'https://s3.us-east-1.amazonaws.com', region: 'us-east-1', pathStyle: false },
  'Aliyun OSS': {
    endpoint: 'https://oss-cn-hangzhou.aliyuncs.com',
    region: 'oss-cn-hangzhou',
    pathStyle: false,
  },
}
/** Uses path-style URLs, because self-hosted servers rarely support a host name per bucket. */
const OTHER: ProviderTemplate = { endpoint: '', region: '', pathStyle: true }

export const templateOf = (provider: string): ProviderTemplate => TEMPLATES[provider] ?? OTHER

interface Templated extends ProviderTemplate {
  readonly provider: string
}

const known = (field: 'endpoint' | 'region', value: string) =>
  value.trim() === '' || Object.values(TEMPLATES).some((template) => template[field] === value)

/** Returns the changes for another provider. Replaces only blank or template values, not what the user has typed. */
export function changesFor(input: Templated, provider: string): Templated {
  const template = templateOf(provider)
  return {
    provider,
    endpoint: known('endpoint', input.endpoint) ? template.endpoint : input.endpoint,
    region: known('region', input.region) ? template.region : input.region,
    pathStyle:
      input.pathStyle === templateOf(input.provider).pathStyle ? template.pathStyle : input.pathStyle,
  }
}
